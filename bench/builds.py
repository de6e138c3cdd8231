"""The builds that are measured: this one, and with --against another commit's."""

import subprocess

from load import ROOT, process

OTHERS = ROOT / "target/against"


class Build:
    """One build of Taquilla. Each has databases of its own, because another commit may have another schema."""

    def __init__(self, name, binary):
        self.name, self.binary = name, binary

    def run(self, database, *arguments, **more):
        """Runs a command and gives back what it printed."""
        done = subprocess.run([self.binary, *arguments, "--database", database], cwd=ROOT, capture_output=True, text=True,
                              **more)
        if done.returncode:
            raise SystemExit(f"{self.name}: taquilla {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def serve(self, database, log_path, *more):
        return process([self.binary, "serve", "--listen", "ADDRESS", "--database", database, *more], log_path)


def here():
    return Build("here", ROOT / "target/release/taquilla")


def of(revision):
    """Builds another commit in a work tree of its own, which is kept: the next time there is nothing to build."""
    commit = commit_of(revision)
    if not commit:
        raise SystemExit(f"there is no commit {revision}")
    tree = OTHERS / commit
    if not (tree / "Cargo.toml").exists():
        # A work tree that somebody deleted with target/ is still known to git: --force makes it anew.
        git("worktree", "add", "--force", "--detach", tree, commit, check=True)
    binary = tree / "target/release/taquilla"
    if not binary.exists():
        print(f"building {revision} ({commit[:12]}) in {tree.relative_to(ROOT)}", flush=True)
        subprocess.run(["make", "web"], cwd=tree, check=True)
        build = ["cargo", "build", "--release", "--locked", "--bin", "taquilla", "--target-dir", tree / "target"]
        subprocess.run(build, cwd=tree, check=True)
    return Build("before", binary)


def is_commit(revision, commit):
    """Whether a revision, if one is named, is this commit."""
    return bool(revision) and commit_of(revision).startswith(commit)


def commit_of(revision):
    """The whole name of a commit, or nothing."""
    return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()


def git(*arguments, check=False):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=check, capture_output=not check, text=True).stdout
