# shellcheck shell=sh
# What backup.sh and restore.sh share; they read it in.

complain() {
    echo "${0##*/}: $1" >&2
    exit "${2-1}"
}

# The password is told apart from the URL: what stands on a command line, others can read. Where it
# stands there, and what it means, is as the server reads it.
tell_password() {
    rest=${url#*://}
    who=${rest%%[:/@]*}
    case $rest in
    "$who":*@*)
        rest=${rest#*:}
        PGPASSWORD=$(printf '%s' "${rest%%@*}" | decoded)
        export PGPASSWORD
        url="postgresql://$who@${rest#*@}"
        ;;
    esac
    case $url in
    *\?*) tell_password_of_query ;;
    esac
}

# One behind the question mark counts more.
tell_password_of_query() {
    query="&${url#*\?}&"
    while [ "$query" != "${query#*"&password="}" ]; do
        rest=${query#*"&password="}
        PGPASSWORD=$(printf '%s' "${rest%%&*}" | tr + ' ' | decoded)
        export PGPASSWORD
        query="${query%%"&password="*}&${rest#*&}"
    done
    query=${query#&}
    query=${query%&}
    url="${url%%\?*}${query:+?$query}"
}

# What %41 and the like stand for; a % without two digits is one.
decoded() {
    LC_ALL=C awk '{
        while ((at = index($0, "%")) > 0) {
            printf "%s", substr($0, 1, at - 1)
            if (substr($0, at, 3) ~ /^%[0-9a-fA-F][0-9a-fA-F]$/) {
                high = index("0123456789abcdef", tolower(substr($0, at + 1, 1))) - 1
                low = index("0123456789abcdef", tolower(substr($0, at + 2, 1))) - 1
                printf "%c", 16 * high + low
                $0 = substr($0, at + 3)
            } else {
                printf "%%"
                $0 = substr($0, at + 1)
            }
        }
        printf "%s", $0
    }'
}
