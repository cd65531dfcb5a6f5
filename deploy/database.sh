# shellcheck shell=sh
# What backup.sh and restore.sh share; they read it in.

complain() {
    echo "${0##*/}: $1" >&2
    exit "${2-1}"
}

# The password is told apart from the URL: what stands on a command line, others can read.
tell_password() {
    who=${url#*://}
    who=${who%%[/?]*}
    case $who in
    *:*@*) ;;
    *) return 0 ;;
    esac
    who=${who%@*}
    url="postgresql://${who%%:*}@${url#*@}"
    PGPASSWORD=$(printf '%s' "${who#*:}" | LC_ALL=C awk '{
        while ((at = index($0, "%")) > 0) {
            high = index("0123456789abcdef", tolower(substr($0, at + 1, 1))) - 1
            low = index("0123456789abcdef", tolower(substr($0, at + 2, 1))) - 1
            printf "%s%c", substr($0, 1, at - 1), 16 * high + low
            $0 = substr($0, at + 3)
        }
        printf "%s", $0
    }')
    export PGPASSWORD
}
