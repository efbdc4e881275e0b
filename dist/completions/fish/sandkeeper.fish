# SPDX-License-Identifier: ISC
#
# Completion of sandkeeper(8) for fish, as "sandkeeper completion fish" prints
# it.  The program itself says what the last word could be.

function __sandkeeper_answers
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    # --option=VALUE and SERVICE=VALUE: the value is what is a file
    set -l parts (string match -r '^((?:.*=)?)(.*)$' -- "$word")
    for answer in (command $words[1] completion -- $words "$word" 2>/dev/null </dev/null)
        switch $answer
            case :files
                printf '%s\n' "$parts[2]"(__fish_complete_path "$parts[3]")
            case :dirs
                printf '%s\n' "$parts[2]"(__fish_complete_directories "$parts[3]")
            case ':command *'
                set -l skip (string replace ':command ' '' -- $answer)
                set -e words[1..$skip]
                complete -C (string join ' ' -- (string escape -- $words) "$word")
            case :nospace
                # fish does so by itself behind "=", ":" and ","
            case '*'
                printf '%s\n' $answer
        end
    end
end

complete -c sandkeeper -f -a '(__sandkeeper_answers)'
