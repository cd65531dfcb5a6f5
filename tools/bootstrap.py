"""Sets up the environment in .venv where that is due, then runs the command line or the checks.

Runs on a bare Python: standard library only. When all is in place it costs a few milliseconds.
"""

import fcntl
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import page

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "ready.json"
VERSION = "{}.{}".format(*sys.version_info)
EXTRAS = {"caramba": ["page", "plots"], "test": ["cluster", "dev", "page", "plots"]}


def main() -> None:
    """Set up if need be, and run the job."""
    job, arguments = sys.argv[1], sys.argv[2:]
    os.environ.setdefault("CARAMBA_CACHE_DIR", str(VENV / "cache"))
    os.environ["CARAMBA_COMMAND"] = "./caramba"
    fresh = not is_ready(EXTRAS[job])
    if fresh:
        set_up(EXTRAS[job])
    if fresh or Path(sys.prefix) != VENV:
        os.execv(PYTHON, [str(PYTHON), __file__, job, *arguments])
    if job == "test" or arguments[:1] in ([], ["serve"]):
        build_page()
    if job == "caramba":
        run_caramba(arguments)
    else:
        sys.argv = ["test", *arguments]
        runpy.run_path(str(ROOT / "tools" / "checks.py"), run_name="__main__")


def run_caramba(arguments: list[str]) -> None:
    """The command line, unless packages have gone missing."""
    try:
        from caramba.cli import run
    except ModuleNotFoundError as error:
        STAMP.unlink(missing_ok=True)
        fail(f"{error}: the environment is damaged; run this again and it is made anew.")
    sys.argv = ["caramba", *arguments]
    run()


# Is it set up?


def declared() -> str:
    """What the environment is made from; it is made anew when this changes."""
    content = (ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()
    return hashlib.sha256(content).hexdigest()


def stamp() -> dict[str, object]:
    """What the environment says of itself."""
    try:
        content = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def installed_extras() -> list[str]:
    """The extras that are there from an earlier set-up."""
    extras = stamp().get("extras", [])
    return extras if isinstance(extras, list) else []


def is_ready(extras: list[str]) -> bool:
    """Whether nothing has to be installed."""
    return (
        stamp().get("declared") == declared()
        and set(extras) <= set(installed_extras())
        and os.access(PYTHON, os.X_OK)
        and (Path(sys.prefix) != VENV or stamp().get("python") == VERSION)
    )


# Setting up


@contextmanager
def alone() -> Iterator[None]:
    """Only one start sets up at a time; the others wait for it."""
    try:
        VENV.mkdir(exist_ok=True)
        lock = (VENV / "lock").open("w")
    except OSError as error:
        fail(f"cannot set up {VENV}: {error.strerror}")
    with lock:
        if not try_lock(lock.fileno()):
            tell("waiting for another set-up to finish ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def set_up(extras: list[str]) -> None:
    """Make the environment, install what is declared, compile the rules."""
    with alone():
        if is_ready(extras):
            return
        wanted = sorted({*extras, *installed_extras()})
        make_environment()
        install(wanted)
        compile_rules()
        STAMP.write_text(
            json.dumps({"declared": declared(), "extras": wanted, "python": version_of(PYTHON)})
        )
        tell("ready.")


def try_lock(handle: int) -> bool:
    """Whether nobody else is setting up."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def make_environment() -> None:
    """A virtual environment with pip in it."""
    as_it_was = stamp().get("python") in (None, version_of(PYTHON))
    if as_it_was and answer(PYTHON, "-m", "pip", "--version"):
        return
    try:
        import ensurepip
        import venv  # noqa: F401
    except ImportError:
        fail(
            "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"
            " - then run this again."
        )
    del ensurepip
    tell(f"setting up an environment of about 700 MB in {VENV} (once)")
    base = Path(getattr(sys, "_base_executable", sys.executable))
    made = subprocess.run([base, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if made.returncode:
        fail(f"could not make the environment {VENV}: {last_line(made.stdout + made.stderr)}")


def answer(*command: str | Path) -> str:
    """What a command prints; nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(python: Path) -> str:
    """The version of a Python, such as 3.11."""
    return answer(python, "-c", "import sys; print('{}.{}'.format(*sys.version_info))")


def install(extras: list[str]) -> None:
    """Install Caramba from this checkout, with what it needs, showing each package."""
    what = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    command = [
        str(PYTHON),
        "-P",
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
    ]
    command += ["--editable", what]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout
        for line in pip.stdout:
            lines.append(line.strip())
            show_progress(line.strip())
    show_progress("")
    if pip.returncode:
        explain_failed_install(lines)


def show_progress(line: str) -> None:
    """What pip is busy with."""
    busy = line.startswith(("Collecting", "Downloading", "Installing collected", "Building"))
    if busy and not sys.stderr.isatty():
        tell(line[:110])
    elif busy or not line:
        show_step(line)


def show_step(line: str) -> None:
    """One changing line on a terminal, wiped in the end by an empty one; elsewhere the first."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        text = f"caramba: {line}" if line else ""
        print(f"\r{text[:width]:{width}}", end="" if line else "\r", file=sys.stderr, flush=True)
    elif line.endswith("(0 s) ..."):
        tell(line)


def explain_failed_install(lines: list[str]) -> NoReturn:
    """Say what is missing and how to get it."""
    text = "\n".join(lines)
    unreachable = ("NewConnectionError", "ConnectTimeout", "name resolution", "ProxyError")
    if any(word in text for word in unreachable) or "(from versions: none)" in text:
        fail(
            "the Python package registry cannot be reached, and packages are missing. Connect to"
            " the network, or point PIP_INDEX_URL at a mirror, then run this again."
        )
    errors = [line for line in lines if "error" in line.lower()]
    tell("\n".join(["pip says:", *lines[-20:]]))
    fail(f"could not install what is needed: {errors[-1] if errors else 'pip gave no reason'}")


def build_page() -> None:
    """Build the page, where that is due."""
    if page.is_built():
        return
    with alone():
        if page.is_built():
            return
        try:
            page.build(show_step)
        except page.NotBuilt as error:
            fail(str(error))


def compile_rules() -> None:
    """Compile the rules into the cache."""
    if subprocess.run([PYTHON, "-P", "-m", "caramba", "compile"]).returncode:
        fail("could not compile the rules; the lines above say why.")


def last_line(text: str) -> str:
    """The last line that says something."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def tell(message: str) -> None:
    """Say how far it is."""
    print(f"caramba: {message}", file=sys.stderr, flush=True)


def fail(message: str) -> NoReturn:
    """Say what is wrong, and stop."""
    tell(message)
    sys.exit(2)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        tell("interrupted; run it again to go on.")
        sys.exit(130)
