//! Which version a program says it is: what `build.rs` finds out about its sources.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::harness::taquilla;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]);
    command.args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    succeed(&mut command).trim().to_owned()
}

/// The build script, compiled by itself.
fn script(folder: &Path) -> PathBuf {
    let program = folder.join("build-script");
    let root = env!("CARGO_MANIFEST_DIR");
    succeed(Command::new("rustc").args(["--edition=2024", &format!("{root}/build.rs"), "-o"]).arg(&program));
    program
}

/// Runs the script in a folder with sources, as cargo would for a profile: the version, and the files that it depends on.
fn run(script: &Path, sources: &Path, profile: (&str, &str), commit: Option<&str>) -> (String, Vec<String>) {
    let mut command = Command::new(script);
    command.current_dir(sources).env("CARGO_MANIFEST_DIR", sources).env("CARGO_PKG_VERSION", "1.2.3");
    command.env("PROFILE", profile.0).env("DEBUG", profile.1).env_remove("TAQUILLA_COMMIT");
    command.envs(commit.map(|commit| ("TAQUILLA_COMMIT", commit)));
    let said = succeed(&mut command);
    let all =
        |begin: &str| said.lines().filter_map(|line| line.strip_prefix(begin)).map(str::to_owned).collect::<Vec<_>>();
    (all("cargo::rustc-env=TAQUILLA_VERSION=").concat(), all("cargo::rerun-if-changed="))
}

const RELEASE: (&str, &str) = ("release", "false");

#[test]
fn a_release_names_its_commit_also_without_git() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path());
    let sources = folder.path().join("sources");
    std::fs::create_dir_all(sources.join("packaging")).unwrap();
    for file in [".gitattributes", "packaging/commit"] {
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), sources.join(file)).unwrap();
    }
    assert_eq!(run(&script, &sources, RELEASE, None).0, "1.2.3", "sources that nobody knows anything about");

    git(&sources, &["init", "--quiet"]);
    git(&sources, &["add", "."]);
    git(&sources, &["commit", "--quiet", "--message", "A"]);
    let commit = git(&sources, &["log", "-1", "--abbrev=10", "--format=%h %cs"]);
    let (version, watched) = run(&script, &sources, RELEASE, None);
    assert_eq!(version, format!("1.2.3 ({commit})"));
    assert!(watched.iter().any(|path| path.ends_with("logs/HEAD")), "a new commit is noticed: {watched:?}");
    assert!(watched.iter().all(|path| path == "build.rs" || sources.join(path).exists()), "{watched:?}");
    for (profile, build) in [(("debug", "false"), "quick build"), (("debug", "true"), "debug build")] {
        let (version, watched) = run(&script, &sources, profile, None);
        assert_eq!(version, format!("1.2.3 ({build})"));
        assert!(
            !watched.iter().any(|path| path.contains("HEAD")),
            "it is not compiled anew after a commit: {watched:?}"
        );
    }

    // Without a log of HEAD, a branch is watched, packed or not.
    std::fs::remove_dir_all(sources.join(".git/logs")).unwrap();
    let (version, watched) = run(&script, &sources, RELEASE, None);
    assert!(version.contains(&commit) && watched.iter().any(|path| path.contains("refs/heads/")), "{watched:?}");
    git(&sources, &["pack-refs", "--all"]);
    let (version, watched) = run(&script, &sources, RELEASE, None);
    assert!(version.contains(&commit) && watched.iter().any(|path| path.ends_with("packed-refs")), "{watched:?}");

    // What `git archive` makes has no .git, and may lie inside somebody else's repository.
    let elsewhere = folder.path().join("elsewhere");
    let unpacked = elsewhere.join("taquilla");
    std::fs::create_dir_all(&unpacked).unwrap();
    git(&sources, &["archive", "--output=../archive.tar", "HEAD"]);
    succeed(Command::new("tar").arg("-xf").arg(folder.path().join("archive.tar")).arg("-C").arg(&unpacked));
    git(&elsewhere, &["init", "--quiet"]);
    git(&elsewhere, &["commit", "--quiet", "--allow-empty", "--message", "B"]);
    let short = git(&sources, &["log", "-1", "--format=%h %cs"]);
    assert_eq!(run(&script, &unpacked, RELEASE, None).0, format!("1.2.3 ({short})"));
    std::fs::remove_file(unpacked.join("packaging/commit")).unwrap();
    assert_eq!(run(&script, &unpacked, RELEASE, None).0, "1.2.3", "the commit of others is not ours");
    assert_eq!(
        run(&script, &unpacked, RELEASE, Some("abc 2026-01-01")).0,
        "1.2.3 (abc 2026-01-01)",
        "what a builder says"
    );
}

#[test]
fn every_command_says_its_version() {
    let said = succeed(taquilla("sqlite:/nowhere/none.db").arg("--version"));
    assert!(said.starts_with(&format!("taquilla {VERSION} (")), "{said}");
    assert!(succeed(taquilla("sqlite:/nowhere/none.db").args(["order", "--version"])).contains(VERSION));
}
