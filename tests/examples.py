#!/usr/bin/env python3
"""Follows documents as a reader does: runs their examples from top to bottom, and compares what is printed.

    examples.py [--write] DOCUMENT …

All documents share one folder and one database; each has a shell of its own. The program `taquilla` is the one in
TAQUILLA_BIN. What is followed:

- In a block of ```console, a line that begins with `$ ` is a command, with the lines that it needs to be complete. What
  follows, up to the next command, is its output.
- `<!-- terminal NAME -->` before such a block: the block is for another terminal, where its last command keeps running.
  What ran there before is ended, as Ctrl-C does. The terminal `server` listens on port 8080, `receiver` on 9000. Lines of
  its output that begin with `curl ` are there to be pasted: they have to work, too.
- `<!-- terminal NAME prints -->` before a block: what has been printed there since.
- `<!-- terminal NAME ends -->`: Ctrl-C there.
- `<!-- file NAME -->` before a block: the block is that file.

Ids, secrets and times are others in each run (KINDS). The first that is printed where the document has one stands for it
from there on, also in commands: a reader puts in what they got, too. A time that is not near the present must be the one
in the document. A number of spaces counts as one, and a text that a table cuts off may be cut off elsewhere.

With --write the outputs that differ are written anew. Values that the document has keep their place; new secrets are
written as stand-ins.
"""

import argparse
import datetime
import difflib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 120  # seconds, for what must happen; only a failing run waits so long
WRITING_PATIENCE = 12  # while outputs are written anew, nobody knows what must happen

ID = "[0-9A-HJKMNP-TV-Z]{26}"
KINDS = {  # each is a value that differs from run to run; the order decides where several fit
    "key": r"\btq[dl]?_[A-Za-z0-9]{30,}\b",
    "password": r"\b[0-9a-hjkmnp-tv-z]{26}\b",
    "secret": r"\bwhsec_[A-Za-z0-9+/]{32,}=*",
    "reference": rf"\b\d+-{ID}\b",
    "id": rf"\b(?:[a-z]{{2,3}}_)?{ID}\b",
    "request": r"\b[0-9a-f]{32}\b",
    "cursor": r"(?<![\w-])[A-Za-z0-9_-]{44}(?![\w-])",
    "tag": r'W/"[0-9a-f]{16}"',
    "signature": r"v1,[A-Za-z0-9+/]{43}=",
    "time": r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z",
    "seconds": r"(?<=webhook-timestamp: )\d{10}\b",
    "duration": r"(?<=after )\d+(?= ms\b)|(?<=Z 204 )\d+|(?<=Z – )\d+(?= connection)",
}
NAMED = ("key", "secret", "reference", "id", "cursor")  # the same value again is the same thing again
STAND_INS = {
    "key": lambda value: value.split("_")[0] + "_" + "EXAMPLEexample" * 2 + "EXAMPLE0",
    "secret": lambda value: "whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZTAwMDA=",
    "reference": lambda value: value.split("-")[0] + "-" + "EXAMP1E0" * 3 + "EX",
}
VALUES = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
# These only look, so they may be asked until what is expected has happened.
LOOKS = re.compile(r"taquilla webhook (events|list|log|show)\b")


class Failed(Exception):
    """The document cannot be followed."""


class Values:
    """What stands for what: the values of a document, and those of this run."""

    def __init__(self):
        self.ours = {}  # the document's value: ours

    def put_in(self, text):
        return VALUES.sub(lambda found: self.ours.get(found[0], found[0]), text)

    def as_documented(self, text):
        """A text of this run with the document's values."""
        theirs = {ours: documented for documented, ours in self.ours.items()}

        def one(found):
            kind, value = found.lastgroup, found[0]
            if value not in theirs and kind in STAND_INS:
                theirs[value] = STAND_INS[kind](value)
            if kind in NAMED:
                self.ours.setdefault(theirs.get(value, value), value)
            return theirs.get(value, value)

        return VALUES.sub(one, text)

    def pair(self, documented, ours):
        """Pairs the values that stand for nothing yet, in their order."""
        for kind in NAMED:
            def new(text, known):
                values = dict.fromkeys(found[0] for found in VALUES.finditer(text) if found.lastgroup == kind)
                return [value for value in values if value not in known]

            self.ours.update(zip(new(documented, self.ours), new(ours, self.ours.values())))

    def fit(self, documented, ours):
        """Whether one text of this run is what the document shows. If so, its values are kept."""
        documented, ours = plain(documented), plain(ours)
        if VALUES.sub(lambda found: f"<{found.lastgroup}>", documented) != VALUES.sub(
            lambda found: f"<{found.lastgroup}>", ours
        ):
            return False
        known = dict(self.ours)
        for theirs, mine in zip(VALUES.finditer(documented), VALUES.finditer(ours)):
            if theirs.lastgroup == "time" and theirs[0] != mine[0] and not is_near(mine[0]):
                return False
            if theirs.lastgroup in NAMED:
                # A stand-in stands for many.
                if "EXAMP" not in theirs[0] and "RVhBTVBM" not in theirs[0] and known.get(theirs[0], mine[0]) != mine[0]:
                    return False
                known[theirs[0]] = mine[0]
        self.ours = known
        return True


def plain(text):
    """Without what follows from the widths of a table's columns: spaces, and where a text is cut off."""
    return re.sub(r"(\w{3})\w*…", r"\1…", re.sub(" +", " ", text)).rstrip()


def is_near(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return abs(moment - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(days=2)


def free_ports(count):
    """Free ports with four digits, as the documents' have, so that tables keep their widths."""
    found = []
    while len(found) < count:
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", random.randint(3000, 9999)))
            except OSError:
                continue
            if one.getsockname()[1] not in (*found, 8080, 9000):
                found.append(one.getsockname()[1])
    return found


class Place:
    """The folder, the ports and the programs that all documents share."""

    def __init__(self, folder, taquilla):
        self.folder = folder
        self.ports = dict(zip(("8080", "9000"), map(str, free_ports(2))))
        programs = folder / ".programs"
        programs.mkdir()
        (programs / "taquilla").symlink_to(taquilla)
        # `make run` builds, and then does this.
        (programs / "make").write_text('#!/bin/sh\n[ "$1" = run ] && exec taquilla demo\n')
        (programs / "make").chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TAQUILLA_", "RUST_"))}
        self.environment = kept | {
            "PATH": f"{programs}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
            "TAQUILLA_LISTEN": f"127.0.0.1:{self.ports['8080']}",
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",  # as in a terminal
        }
        # What the documents say to install with npm.
        (folder / "node_modules").symlink_to(os.environ["TAQUILLA_TEST_NODE_MODULES"])

    def moved(self, text):
        """A text of a document with the ports of this run."""
        return re.sub(r"\b(8080|9000)\b", lambda found: self.ports[found[0]], text)

    def moved_back(self, text):
        for documented, ours in self.ports.items():
            text = text.replace(f"127.0.0.1:{ours}", f"127.0.0.1:{documented}")
        return text


class Shell:
    """A shell that keeps its variables from command to command."""

    def __init__(self, place):
        self.place = place
        self.output = place.folder / ".output"
        self.bash = subprocess.Popen(
            ["bash", "--norc"], cwd=place.folder, env=place.environment, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def run(self, command):
        self.bash.stdin.write(f"{{ {command}\n}} </dev/null >'{self.output}' 2>&1; echo done\n")
        self.bash.stdin.flush()
        if self.bash.stdout.readline() != "done\n":
            raise Failed(f"the shell ended at: {command}")
        return self.place.moved_back(self.output.read_text()).splitlines()

    def end(self):
        self.bash.stdin.close()
        self.bash.wait()


class Terminal:
    """Another terminal, where a program keeps running."""

    def __init__(self, place, name):
        self.place = place
        self.port = int(place.ports[{"server": "8080", "receiver": "9000"}[name]])
        self.output = place.folder / f".terminal-{name}"
        self.running = None
        self.read = 0

    def start(self, commands):
        self.end()
        # The last program takes the place of the shell, so that signals reach it.
        script = "\n".join([*commands[:-1], taking_the_place_of_the_shell(commands[-1])])
        with open(self.output, "w") as output:
            self.running = subprocess.Popen(
                ["bash", "-c", script], cwd=self.place.folder, env=self.place.environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT)
        self.read = 0
        until = time.monotonic() + PATIENCE
        while not self.listens():
            if self.running.poll() is not None or time.monotonic() > until:
                raise Failed(f"this does not run: {commands[-1]}\n{self.output.read_text()}")
            time.sleep(0.05)

    def listens(self):
        """Whether it answers. A server listens before it does, and a receiver takes POSTs only."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5):
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def printed(self):
        return self.place.moved_back(self.output.read_text()[self.read:]).strip("\n").splitlines()

    def seen(self):
        self.read = len(self.output.read_text())

    def end(self):
        if self.running is not None:
            self.paste()
            self.running.send_signal(signal.SIGINT)
            try:
                self.running.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.running.kill()
        self.running = None


    def paste(self):
        for line in self.output.read_text().splitlines():
            if line.startswith("curl ") and subprocess.run(["bash", "-c", f"{line} -sfo /dev/null"]).returncode != 0:
                raise Failed(f"this was to be pasted, and does not work: {line}")


def taking_the_place_of_the_shell(command):
    """`NAME=VALUE … program`, with exec."""
    assignments, program = re.fullmatch(r"((?:\w+=\S+ )*)(.*)", command, re.DOTALL).groups()
    return f"{assignments}exec {program}"


def blocks(text):
    """The blocks of a document: (marker, language, first line, lines). A marker that ends a terminal has no lines."""
    marker, inside, found = "", None, []
    for number, line in enumerate(text.splitlines()):
        if inside is not None:
            if line == "```":
                found.append(inside)
                inside = None
            else:
                inside[3].append(line)
        elif line.startswith("```"):
            inside, marker = (marker, line[3:], number + 1, []), ""
        elif line.startswith("<!-- terminal ") and line.endswith(" ends -->"):
            found.append((line, "", number + 1, []))
        elif line.strip():
            marker = line if line.startswith("<!-- ") else ""
    return found


def commands(lines):
    """A block's commands: (first line of the output, command, output)."""
    found, at = [], 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise Failed(f"this is no command: {lines[at]}")
        command, at = lines[at][2:], at + 1
        while at < len(lines) and not is_complete(command):
            command, at = command + "\n" + lines[at], at + 1
        end = next((line for line in range(at, len(lines)) if lines[line].startswith("$ ")), len(lines))
        found.append((at, command, lines[at:end]))
        at = end
    return found


def is_complete(command):
    heredoc = re.search(r"<<'(\w+)'", command)
    if heredoc:
        return command.endswith("\n" + heredoc[1])
    return not command.endswith("\\") and subprocess.run(["bash", "-nc", command], capture_output=True).returncode == 0


class Reader:
    """Follows one document."""

    def __init__(self, place, terminals, path, writing):
        self.place, self.terminals, self.path, self.writing = place, terminals, path, writing
        self.patience = WRITING_PATIENCE if writing else PATIENCE
        self.values = Values()
        self.text = path.read_text()
        self.changes = []  # (first line, number of lines, new lines)

    def follow(self):
        shell = Shell(self.place)
        try:
            for marker, language, number, lines in blocks(self.text):
                self.block(shell, marker, language, number, lines)
        finally:
            shell.end()
        if self.changes:
            lines = self.text.splitlines()
            for first, count, new in reversed(self.changes):
                lines[first:first + count] = new
            self.path.write_text("\n".join(lines) + "\n")

    def block(self, shell, marker, language, number, lines):
        said = re.fullmatch(r"<!-- (terminal|file) (\S+)( prints| ends)? -->", marker)
        kind, name, what = said.groups() if said else ("", "", None)
        if kind == "file":
            (self.place.folder / name).write_text(self.ours("\n".join(lines) + "\n"))
        elif what == " ends":
            self.terminals[name].end()
        elif what == " prints":
            self.compare(number, lines, name, [], self.terminals[name].printed)
            self.terminals[name].seen()
        elif kind == "terminal":
            given = commands(lines)
            at, command, output = given[-1]
            self.terminals[name].start([self.ours(command) for _, command, _ in given])
            if output:
                self.compare(number + at, output, command, [], self.terminals[name].printed)
                self.terminals[name].seen()
        elif language == "console":
            for at, command, output in commands(lines):
                self.command(shell, number + at, command, output)

    def ours(self, text):
        return self.place.moved(self.values.put_in(text))

    def command(self, shell, number, command, output):
        def run():
            return shell.run(self.ours(command))

        self.compare(number, output, command, run(), run if LOOKS.search(command) else None)

    def compare(self, number, expected, command, printed, look_again=None):
        """Compares an output with what the document shows, until it fits or patience ends."""
        until = time.monotonic() + self.patience
        while not self.fits(expected, printed) and look_again and time.monotonic() < until:
            time.sleep(0.1)
            printed = look_again()
        if self.fits(expected, printed):
            return
        if not self.writing:
            difference = "\n".join(difflib.unified_diff(expected, printed, "documented", "printed", lineterm="", n=99))
            raise Failed(
                f"{self.path.name}:{number + 1}: another output than is documented: run `make examples` and look at the "
                f"difference\n$ {command}\n{difference}")
        self.changes.append((number, len(expected), self.written(expected, printed)))

    def fits(self, expected, printed):
        return len(expected) == len(printed) and self.values.fit("\n".join(expected), "\n".join(printed))

    def written(self, expected, printed):
        """An output as it is to be documented: lines that fit stay as they are, and new ones keep the old values."""
        left, new = list(expected), []
        for line in printed:
            same = next((at for at, old in enumerate(left) if self.values.fit(old, line)), None)
            new.append(line if same is None else left[same])
            left = left if same is None else left[same + 1:]
        self.values.pair("\n".join(expected), "\n".join(printed))
        return [line if line in expected else self.values.as_documented(line) for line in new]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("documents", nargs="+", type=pathlib.Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder), os.environ["TAQUILLA_BIN"])
        terminals = {name: Terminal(place, name) for name in ("server", "receiver")}
        try:
            for document in given.documents:
                Reader(place, terminals, document, given.write).follow()
                print(f"{document}: followed")
        except Failed as failed:
            sys.exit(str(failed))
        finally:
            for terminal in terminals.values():
                terminal.end()


main()
