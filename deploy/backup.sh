#!/bin/sh
# A back-up of all tables, while the server runs: of an SQLite file, or of a PostgreSQL.
set -eu
umask 077 # a back-up holds the cards to come, like the database
# shellcheck source=deploy/database.sh
. "$(dirname "$0")/database.sh"

usage() {
    cat <<'END'
usage: backup.sh [FOLDER]

Puts a back-up of the database that CARAMBA_SERVE_DATABASE names into FOLDER, checks it, and prints
its name. Then back-ups of ours in that folder that are too old are removed.

  CARAMBA_SERVE_DATABASE   as for `caramba serve`: sqlite:////var/lib/caramba/tables.db, a file, or
                           postgresql://caramba@localhost/caramba
  CARAMBA_BACKUP_FOLDER    the folder, if none is given
  CARAMBA_BACKUP_DAYS      days for which a back-up is kept, 14; with 0, for ever

An SQLite file needs python3, a PostgreSQL needs pg_dump and pg_restore of its version or a newer one.
Exit codes: 0 done, 1 there is no new back-up, 2 it was not told well what to do.
END
}

of_sqlite() {
    command -v python3 >/dev/null || complain "an SQLite file needs python3" 2
    [ -f "$1" ] || complain "there is no database $1"
    python3 - "$1" "$2" <<'END'
import sqlite3, sys
from contextlib import closing
from urllib.parse import quote

source, target = sys.argv[1:]
OURS = {"alembic_version", "tables", "seats", "log", "chat"}
try:
    # "rw" makes no file where there is none, and may read what is not in the file yet.
    with closing(sqlite3.connect(f"file:{quote(source)}?mode=rw", uri=True, timeout=30)) as database:
        with closing(sqlite3.connect(target)) as copy:
            database.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
            (found,) = copy.execute("PRAGMA integrity_check").fetchone()
            names = {name for (name,) in copy.execute("SELECT tbl_name FROM sqlite_master")}
except sqlite3.Error as error:
    sys.exit(f"backup.sh: {source}: {error}")
if found != "ok":
    sys.exit(f"backup.sh: {source} is damaged: {found[:200]}")
if not OURS <= names:
    sys.exit(f"backup.sh: {source} is no database of Caramba")
END
}

of_postgresql() {
    for program in pg_dump pg_restore; do
        command -v "$program" >/dev/null || complain "a PostgreSQL needs $program" 2
    done
    url="postgresql://${1#*://}"
    tell_password
    # What a restore has put aside is not backed up again.
    pg_dump --dbname "$url" --no-password --format custom --exclude-schema 'before_*' --file "$2" ||
        return 1
    contents=$(pg_restore --list "$2") || return 1
    case $contents in
    *" TABLE DATA public log "*) ;;
    *) complain "the database holds no tables of Caramba" ;;
    esac
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
-*) complain "there is no option $1; see --help" 2 ;;
esac
[ $# -le 1 ] || complain "one folder, not $#" 2

database=${CARAMBA_SERVE_DATABASE-}
folder=${1-${CARAMBA_BACKUP_FOLDER-}}
days=${CARAMBA_BACKUP_DAYS-14}
[ -n "$database" ] || complain "CARAMBA_SERVE_DATABASE is not set; see --help" 2
[ -n "$folder" ] || complain "no folder is given; see --help" 2
case $days in
'' | *[!0-9]*) complain "CARAMBA_BACKUP_DAYS is a number of days, not '$days'" 2 ;;
esac

case $database in
sqlite:///*) kind=sqlite ending=db database=${database#sqlite:///} ;;
postgres://* | postgresql://* | postgresql+*://*) kind=postgresql ending=dump ;;
*://*) complain "CARAMBA_SERVE_DATABASE must be an SQLite file or a PostgreSQL" 2 ;;
*) kind=sqlite ending=db ;;
esac

mkdir -p "$folder" || complain "the folder $folder cannot be made"
target="$folder/caramba-$(date -u +%Y%m%dT%H%M%SZ).$ending"
[ ! -e "$target" ] || complain "$target is there already"
part=$(mktemp "$folder/.caramba-XXXXXX") || complain "nothing can be written to $folder"
trap 'rm -f "$part" "$part-journal"' EXIT
trap 'exit 1' HUP INT TERM

if "of_$kind" "$database" "$part"; then
    [ ! -e "$target" ] || complain "$target is there already"
    mv "$part" "$target"
else
    complain "no back-up was made"
fi
echo "$target"

# Only now, when there is a new one; and only what is named as we name it.
if [ "$days" -gt 0 ]; then
    find "$folder" -maxdepth 1 -type f \( -name 'caramba-[0-9]*T[0-9]*Z.db' -o \
        -name 'caramba-[0-9]*T[0-9]*Z.dump' \) -mtime "+$days" -exec rm -f {} +
fi
