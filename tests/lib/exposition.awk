# SPDX-License-Identifier: ISC
#
# A strict reader of Prometheus' text format, version 0.0.4, as the textfile
# collector of node_exporter takes it, and with the rules of promtool's lint:
#
#   - names and labels of the allowed letters, values with the three escapes
#     alone, no label twice, none that begins with "__";
#   - HELP and TYPE once for each metric, before its samples, which follow each
#     other; no sample without them; no sample twice;
#   - a number that Go reads; no timestamp, which the collector refuses.
#
# Prints "NAME{LABELS} VALUE" of each sample, labels sorted; or the first
# mistake on stderr, and exits 1.

function wrong(what)
{
	if (!failed)
		printf "line %d: %s: %s\n", NR, what, $0 >"/dev/stderr"
	failed = 1
	exit 1
}

function is_number(text)
{
	return text ~ /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/ ||
	    text ~ /^([+-]?Inf|NaN)$/
}

# enter NAME: its lines are together
function enter(name)
{
	if (name == current)
		return
	if (name in seen)
		wrong("the lines of a metric are not together")
	seen[name] = 1
	current = name
}

# The labels in rest, up to and with "}"; they are sorted in labels.
function read_labels(	name, value, c, n, i, k, names, values, text)
{
	n = 0
	while (substr(rest, 1, 1) != "}") {
		if (!match(rest, /^[a-zA-Z_][a-zA-Z0-9_]*="/))
			wrong("no label")
		name = substr(rest, 1, RLENGTH - 2)
		rest = substr(rest, RLENGTH + 1)
		if (name ~ /^__/)
			wrong("a reserved label")
		value = ""
		while ((c = substr(rest, 1, 1)) != "\"") {
			if (c == "")
				wrong("a value without an end")
			if (c == "\\") {
				c = substr(rest, 1, 2)
				if (c != "\\\\" && c != "\\\"" && c != "\\n")
					wrong("no escape")
			}
			value = value c
			rest = substr(rest, length(c) + 1)
		}
		rest = substr(rest, 2)
		for (i = n; i > 0 && names[i] > name; i--) {
			names[i + 1] = names[i]
			values[i + 1] = values[i]
		}
		if (i > 0 && names[i] == name)
			wrong("a label twice")
		names[i + 1] = name
		values[i + 1] = value
		n++
		if (substr(rest, 1, 1) == ",")
			rest = substr(rest, 2)
		else if (substr(rest, 1, 1) != "}")
			wrong("no comma")
	}
	rest = substr(rest, 2)
	text = ""
	for (k = 1; k <= n; k++)
		text = text (k > 1 ? "," : "") names[k] "=\"" values[k] "\""
	labels = "{" text "}"
}

/\r/ { wrong("a carriage return") }

/^# (HELP|TYPE)( |$)/ {
	name = $3
	if (name !~ /^[a-zA-Z_:][a-zA-Z0-9_:]*$/)
		wrong("no name")
	if ((name, "sample") in has)
		wrong("it comes after its samples")
	if ((name, $2) in has)
		wrong("it comes twice")
	has[name, $2] = 1
	enter(name)
	if ($2 == "TYPE") {
		if (NF != 4 ||
		    $4 !~ /^(counter|gauge|histogram|summary|untyped)$/)
			wrong("no type")
		if (($4 == "counter") != (name ~ /_total$/))
			wrong("the name does not fit the type")
	} else if (NF < 4)
		wrong("no help")
	next
}

/^#/ || /^[ \t]*$/ { next }

{
	if (!match($0, /^[a-zA-Z_:][a-zA-Z0-9_:]*/))
		wrong("no name")
	name = substr($0, 1, RLENGTH)
	rest = substr($0, RLENGTH + 1)
	labels = "{}"
	if (substr(rest, 1, 1) == "{") {
		rest = substr(rest, 2)
		read_labels()
	}
	if (!((name, "HELP") in has) || !((name, "TYPE") in has))
		wrong("HELP or TYPE is missing")
	enter(name)
	has[name, "sample"] = 1
	if (rest !~ /^ [^ ]+$/ || !is_number(substr(rest, 2)))
		wrong("no number alone")
	if ((name labels) in samples)
		wrong("a sample twice")
	samples[name labels] = 1
	print name labels rest
	count++
}

END {
	if (!failed && count == 0) {
		print "no sample" >"/dev/stderr"
		exit 1
	}
	if (failed)
		exit 1
}
