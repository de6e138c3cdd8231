//! Finds out which version this is.

use std::{env, fs, path::Path, process::Command};

fn main() {
    // Without a line of this kind any change of any file would run this again.
    println!("cargo::rerun-if-changed=build.rs");
    let (version, build) = (env::var("CARGO_PKG_VERSION").unwrap_or_default(), build());
    println!("cargo::rustc-env=TAQUILLA_BUILD={}", build.as_deref().unwrap_or("unknown"));
    let version = build.map_or_else(|| version.clone(), |build| format!("{version} ({build})"));
    println!("cargo::rustc-env=TAQUILLA_VERSION={version}");
}

/// `c2d2e39d1a 2026-11-16`. Only the build that `make release` makes names its commit: any other would be compiled
/// anew after each commit, although nothing else has changed.
fn build() -> Option<String> {
    let variable = |name| env::var(name).unwrap_or_default();
    match (variable("PROFILE").as_str(), variable("DEBUG").as_str()) {
        ("release", _) => commit(),
        (_, "false") => Some("quick build".into()),
        _ => Some("debug build".into()),
    }
}

/// The commit and its day: what the builder says, what `git archive` has written, or what git knows. Sources without any of
/// them are built all the same.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-env-changed=TAQUILLA_COMMIT");
    println!("cargo::rerun-if-changed=packaging/commit");
    let said = env::var("TAQUILLA_COMMIT").ok().filter(|said| !said.is_empty());
    let written = || {
        let text = fs::read_to_string("packaging/commit").ok()?;
        let text = text.trim();
        (!text.is_empty() && !text.starts_with('$')).then(|| text.to_owned())
    };
    said.or_else(written).or_else(of_git)
}

fn of_git() -> Option<String> {
    // The sources may have been unpacked inside somebody else's repository.
    let top = fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
    if fs::canonicalize(env::var_os("CARGO_MANIFEST_DIR")?).ok()? != top {
        return None;
    }
    // The log of HEAD grows whenever HEAD leads to another commit. Where none is kept, HEAD and its branch change.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    } else {
        let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
        for name in ["HEAD".to_owned(), "packed-refs".to_owned()].into_iter().chain(branch) {
            // A file that is not there would count as changed every time.
            let path = git(&["rev-parse", "--git-path", &name]).filter(|path| Path::new(path).exists());
            path.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
        }
    }
    git(&["log", "-1", "--abbrev=10", "--format=%h %cs"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
