#!/bin/sh
# Puts a back-up back: into an SQLite file that is not there, or into an empty PostgreSQL.
set -eu
umask 077
# shellcheck source=deploy/database.sh
. "$(dirname "$0")/database.sh"

usage() {
    cat <<'END'
usage: restore.sh [--replace] BACKUP

Puts a back-up of backup.sh into the database that CARAMBA_SERVE_DATABASE names, and checks what
arrived. Stop the server first. Where there is something already, it is left as it is and nothing is
done, unless --replace is given: then it is put aside, beside the new one (a file as
tables.db.before-TIME, a PostgreSQL as the schema before_TIME), and can be removed by hand later.

  CARAMBA_SERVE_DATABASE   as for `caramba serve`

An SQLite file needs python3, a PostgreSQL needs psql and pg_restore.
Exit codes: 0 done, 1 it was not restored and nothing was changed, 2 it was not told well what to do.
END
}

to_sqlite() {
    command -v python3 >/dev/null || complain "an SQLite file needs python3" 2
    python3 - "$1" "$2" "$3" "$4" <<'END'
import fcntl, os, shutil, sqlite3, sys
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

backup, replace, now = Path(sys.argv[1]), sys.argv[3], sys.argv[4]
target = Path(os.path.realpath(sys.argv[2]))  # what a link leads to, as for a server
OURS = {"alembic_version", "tables", "seats", "log", "chat"}


def fail(why):
    sys.exit(f"restore.sh: {why}")


def games_in(file):
    """How many tables a file holds, if all of it can be read."""
    place = f"file:{quote(str(file))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(place, uri=True)) as database:
            (found,) = database.execute("PRAGMA integrity_check").fetchone()
            names = {name for (name,) in database.execute("SELECT tbl_name FROM sqlite_master")}
            if found != "ok":
                fail(f"{file} is damaged: {found[:200]}")
            if not OURS <= names:
                fail(f"{file} is no back-up of Caramba")
            return database.execute("SELECT count(*) FROM tables").fetchone()[0]
    except sqlite3.Error as error:
        fail(f"{file}: {error}")


many = games_in(backup)
there = [Path(f"{target}{ending}") for ending in ("", "-wal", "-shm")]
there = [file for file in there if file.exists()]
if there and not replace:
    fail(f"{there[0]} is there already; with --replace it is put aside")
part = Path(f"{target}.part")
try:
    target.parent.mkdir(parents=True, exist_ok=True)
    owner = target.parent.stat()
    with open(f"{target}.lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as a server does
        except OSError:
            fail(f"a server uses {target}; stop it first")
        shutil.copyfile(backup, part)
        with part.open("rb") as copy:
            os.fsync(copy.fileno())
        if games_in(part) != many:
            fail(f"{part} is not what {backup} is")
        if os.geteuid() == 0:  # the server is somebody else
            os.chown(part, owner.st_uid, owner.st_gid)
            os.chown(lock.name, owner.st_uid, owner.st_gid)
        for file in there:
            file.rename(str(file).replace(str(target), f"{target}.before-{now}", 1))
        part.rename(target)
except OSError as error:
    fail(f"{error.filename or target}: {error.strerror}")
finally:
    part.unlink(missing_ok=True)
print(f"restored, with {many} tables: {target}")
END
}

# A statement that ends a transaction, if something is so.
refuse_if() {
    echo "DO \$\$ BEGIN IF $1 THEN RAISE EXCEPTION '$2'; END IF; END \$\$;"
}

ask() {
    psql --dbname "$url" --no-password --no-psqlrc --quiet --tuples-only --no-align \
        --set ON_ERROR_STOP=1 --command "$1"
}

to_postgresql() {
    for program in psql pg_restore; do
        command -v "$program" >/dev/null || complain "a PostgreSQL needs $program" 2
    done
    url="postgresql://${2#*://}"
    tell_password
    contents=$(pg_restore --list "$1") || complain "$1 is no back-up of a PostgreSQL"
    case $contents in
    *" TABLE DATA public log "*) ;;
    *) complain "$1 is no back-up of Caramba" ;;
    esac
    in_backup=$(rows_in "$1")

    here=$(ask "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'caramba'
            AND pid <> pg_backend_pid()") || return 1
    [ "$here" = 0 ] || complain "a server uses this database; stop it first"
    found=$(ask "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") || return 1
    if [ "$found" != 0 ]; then
        [ -n "$3" ] || complain "the database is not empty; with --replace its tables are put aside"
    fi
    # All of it or nothing: to put aside, to restore and to compare is one transaction.
    {
        echo "BEGIN;"
        if [ "$found" != 0 ]; then
            echo "ALTER SCHEMA public RENAME TO \"before_$4\"; CREATE SCHEMA public;"
        fi
        pg_restore --no-owner --no-privileges --exit-on-error --file - "$1" ||
            refuse_if true "the back-up cannot be read"
        refuse_if "(SELECT count(*) FROM public.log) != $in_backup" "rows are missing"
        echo "COMMIT;"
    } | psql --dbname "$url" --no-password --no-psqlrc --quiet --set ON_ERROR_STOP=1 >/dev/null ||
        return 1
    echo "restored, with $(ask "SELECT count(*) FROM public.tables") tables"
}

# How many entries of games a back-up holds: the lines between COPY and its end.
rows_in() {
    pg_restore --data-only --schema public --table log --file - "$1" |
        awk '/^COPY public\.log /{inside = 1; next} /^\\\.$/{inside = 0} inside{many++}
            END{print many + 0}'
}

replace=
backup=
for argument; do
    case $argument in
    -h | --help)
        usage
        exit 0
        ;;
    --replace) replace=yes ;;
    -*) complain "there is no option $argument; see --help" 2 ;;
    *)
        [ -z "$backup" ] || complain "one back-up, not several" 2
        backup=$argument
        ;;
    esac
done
database=${CARAMBA_SERVE_DATABASE-}
[ -n "$backup" ] || complain "no back-up is given; see --help" 2
[ -n "$database" ] || complain "CARAMBA_SERVE_DATABASE is not set; see --help" 2
[ -f "$backup" ] || complain "there is no back-up $backup"
now=$(date -u +%Y%m%dT%H%M%SZ)

case $database in
sqlite:///*) to_sqlite "$backup" "${database#sqlite:///}" "$replace" "$now" ;;
postgres://* | postgresql://* | postgresql+*://*)
    to_postgresql "$backup" "$database" "$replace" "$now" || complain "nothing was restored"
    ;;
*://*) complain "CARAMBA_SERVE_DATABASE must be an SQLite file or a PostgreSQL" 2 ;;
*) to_sqlite "$backup" "$database" "$replace" "$now" ;;
esac
