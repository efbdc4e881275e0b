#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A registry on the daemon's loopback: image-prefix, pull-policy and pull with
# real pulls, and what a registry that fails does to ensure (case 27).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

servers=
# Ports of the daemon's network, of which most often it is the only user.
good=5000
closed=5001
silent=5002
quota=5003
cut=5004
once=5005

# The servers that fail.  "cut" passes on at most 300,000 bytes of an answer
# of the registry's, each time; "once" does so the first time.
bad_servers()
{
	cat <<-'END'
		import http.server, json, os, socket, sys, threading
		good, silent, quota, cut, once = map(int, sys.argv[1:])

		class Quota(http.server.BaseHTTPRequestHandler):
		    def do_GET(self):
		        body = json.dumps({"errors": [{
		            "code": "TOOMANYREQUESTS",
		            "message": "You have reached your pull rate limit."}]})
		        at_root = self.path == "/v2/"
		        self.send_response(200 if at_root else 429)
		        self.send_header("Content-Type", "application/json")
		        self.end_headers()
		        self.wfile.write(b"{}" if at_root else body.encode())
		    do_HEAD = do_GET
		    def log_message(self, *args):
		        pass

		def pump(source, sink, left, cut_now):
		    try:
		        while left > 0 and (data := source.recv(min(left, 65536))):
		            sink.sendall(data)
		            left -= len(data)
		        if left <= 0:
		            cut_now()
		    except OSError:
		        pass
		    for end in source, sink:
		        try:
		            end.shutdown(socket.SHUT_RDWR)
		        except OSError:
		            pass

		def listen(port):
		    server = socket.create_server(("127.0.0.1", port))
		    return server

		def relay(server, always):
		    limit = [300000]
		    def cut_now():
		        if not always:
		            limit[0] = 1 << 40
		    while True:
		        client = server.accept()[0]
		        far = socket.create_connection(("127.0.0.1", good))
		        for args in ((far, client, limit[0], cut_now),
		                     (client, far, 1 << 40, cut_now)):
		            threading.Thread(target=pump, args=args,
		                             daemon=True).start()

		nobody = listen(silent)
		web = http.server.ThreadingHTTPServer(("127.0.0.1", quota), Quota)
		jobs = [(web.serve_forever, ()), (relay, (listen(cut), True)),
		        (relay, (listen(once), False))]
		for target, args in jobs:
		    threading.Thread(target=target, args=args, daemon=True).start()
		print("ready", flush=True)
		sys.stdin.read()
	END
}

start_servers()
{
	cat >"$T/registry.yml" <<-END
		version: 0.1
		log: {level: error}
		storage: {filesystem: {rootdirectory: $T/registry}}
		http: {addr: 127.0.0.1:$good}
	END
	# shellcheck disable=SC2086 # words
	$in_net docker-registry serve "$T/registry.yml" >"$T/registry.log" \
	    2>&1 &
	servers=$!
	bad_servers >"$T/bad.py"
	mkfifo "$T/end"
	# shellcheck disable=SC2086
	$in_net python3 "$T/bad.py" "$good" "$silent" "$quota" "$cut" "$once" \
	    <"$T/end" >"$T/bad.log" 2>&1 &
	servers="$servers $!"
	exec 8>"$T/end"
}

# The daemon goes on with what it began to fetch.
daemon_clean()
{
	exec 8>&-
	# shellcheck disable=SC2086
	[ -z "$servers" ] || kill $servers 2>/dev/null
	servers=
	[ -n "${T:-}" ] && [ -d "$T" ] || return 0
	daemon_remove "sandkeeper-test=$T"
	for registry_port in $good $once; do
		dk image rm "127.0.0.1:$registry_port/hub/reg:1"
	done >/dev/null 2>&1
	dk network rm "net-$$" >/dev/null 2>&1
	:
}

# One layer that no other image has, larger than what "cut" lets through.
# shellcheck disable=SC2317 # wait_for calls it
push_image()
{
	id=$(dk create --label "sandkeeper-test=$T" busybox:test)
	dk export "$id" >"$T/image.tar"
	head -c 1500000 /dev/urandom >"$T/filler"
	tar -C "$T" -rf "$T/image.tar" filler
	dk import "$T/image.tar" "127.0.0.1:$good/hub/reg:1" >/dev/null
	dk push -q "127.0.0.1:$good/hub/reg:1" >/dev/null
	dk image rm "127.0.0.1:$good/hub/reg:1" >/dev/null
}

# shellcheck disable=SC2317 # check calls it
has_image()
{
	dk image inspect "$1" >/dev/null 2>&1
}

# fails PORT WORDS DESC [ARG...]: this registry gives nothing, and WORDS are
# why; nothing is left and nothing is tried twice.
fails()
{
	fails_port=$1
	fails_words=$2
	fails_desc=$3
	shift 3
	forget_calls
	sk --json ensure a1 --services reg \
	    --set "image-prefix=127.0.0.1:$fails_port/hub/" "$@"
	is "$rc $(jq -r .error.kind "$out_file")" '75 image-pull' \
	    "E7: $fails_desc: code and kind"
	like "$err" "^sandkeeper: a1: pull 127.0.0.1:$fails_port/hub/reg:.*$fails_words" \
	    "$fails_desc: says what it was"
	like "$err" "hint: .*docker pull 127.0.0.1:$fails_port/hub/reg:" \
	    "$fails_desc: the remedy"
	is "$(verbs)" 'inspect image pull' \
	    "case 27: $fails_desc: no retry, and nothing is made"
	is "$(state_of "$(sandbox_of reg a1)")" gone "E7: $fails_desc: no container"
	is "$(state_files)" '' "E7: $fails_desc: no entry, no lock"
}

daemon_world
cat >"$T/engines/reg.conf" <<-'END'
	engine "reg" {
	  like  = "nap"
	  short = "reg"
	  image = "reg:1"
	}
END
start_servers
check 'the servers' wait_for grep -q ready "$T/bad.log"
check 'an image in the registry' wait_for push_image
make_network "net-$$"
agent a1 --network "net-$$"

fails $good 'manifest unknown' 'a missing tag' \
    --image reg=127.0.0.1:$good/hub/reg:none
fails $closed 'connection refused' 'refused'
fails $silent 'timed out after 2' 'silent' --set timeouts.pull=2
fails $quota 'toomanyrequests: You have reached your pull rate limit' 'quota'
fails $cut 'timed out after 3' 'cut off each time' --set timeouts.pull=3
is "$(dk image ls -q "127.0.0.1:$cut/hub/reg")" '' \
    'cut off: no half of an image'

# --- what a registry that works gives

prefix=127.0.0.1:$good/hub/
sk --json ensure a1 --services reg --set image-prefix=$prefix \
    --set pull-policy=never
is "$rc $(jq -r .error.kind "$out_file")" '75 image-missing' \
    'pull-policy = never: nothing is fetched'
forget_calls
sk ensure a1 --services reg --set image-prefix=$prefix
is "$rc $(verbs)" '0 inspect image pull run exec inspect' \
    'E5: image-prefix: it is fetched, once'
is "$(dk inspect -f '{{.Config.Image}}' "$(sandbox_of reg a1)")" "${prefix}reg:1" \
    'image-prefix: the image that runs'
sk release a1
forget_calls
sk ensure a1 --services reg --set image-prefix=$prefix --set pull-policy=never
is "$rc $(verbs)" '0 inspect image run exec inspect' \
    'case 27: what is here is not fetched'
sk release a1
dk image rm "${prefix}reg:1" >/dev/null
sk --json pull reg --set image-prefix=$prefix
is "$rc $(jq -c . "$out_file")" "0 {\"pulled\":[\"${prefix}reg:1\"],\"here\":[]}" \
    'pull'
sk --json pull reg --set image-prefix=$prefix
is "$(jq -c .here "$out_file")" "[\"${prefix}reg:1\"]" 'pull: then it is here'
sk --json pull --again reg --set image-prefix=$prefix
is "$rc $(jq -c .pulled "$out_file")" "0 [\"${prefix}reg:1\"]" \
    'pull: --again asks the registry'
dk image rm "${prefix}reg:1" >/dev/null

# The daemon begins a layer again by itself, some seconds later.
sk ensure a1 --services reg --set "image-prefix=127.0.0.1:$once/hub/"
is "$rc" 0 'cut off once: the daemon goes on, and so do we'
check 'cut off once: the image is whole' has_image "127.0.0.1:$once/hub/reg:1"
sk release a1
is "$rc $(state_files)" '0 ' 'the end'
done_testing
