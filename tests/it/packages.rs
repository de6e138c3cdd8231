//! The packages in packaging/: made from the program of this build, installed into a root of their own, and run there.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::harness::{address_in, http_client, start, taquilla, terminate};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_taquilla");
/// The most that `systemd-analyze security` may find exposed, in tenths: below 20 it calls a service OK.
const EXPOSED_MAX: &str = "--threshold=20";

#[track_caller]
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// A program that only root may run so.
fn as_root(program: &str) -> Command {
    if rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("sudo");
    command.arg(program);
    command
}

/// Copies files into another root, at the same places.
fn bring<'a>(root: &Path, files: impl IntoIterator<Item = &'a str>) {
    for file in files {
        let place = root.join(file.trim_start_matches('/'));
        succeed(as_root("mkdir").arg("-p").arg(place.parent().unwrap()));
        succeed(as_root("cp").args(["--dereference", file]).arg(place));
    }
}

/// A package and a root that it is installed in.
struct Installed {
    folder: tempfile::TempDir,
    package: PathBuf,
}

impl Installed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut build = Command::new(format!("{ROOT}/packaging/debian/build"));
        // Compressing takes longer than everything else.
        build.arg(PROGRAM).arg(folder.path().join("out")).env("DPKG_DEB_COMPRESSOR_TYPE", "none");
        let package = PathBuf::from(succeed(&mut build).trim());
        let installed = Self { folder, package };
        for part in ["etc", "var/lib/dpkg/info", "var/lib/dpkg/updates"] {
            fs::create_dir_all(installed.root().join(part)).unwrap();
        }
        fs::write(installed.root().join("var/lib/dpkg/status"), "").unwrap();
        installed.install();
        installed
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn dpkg(&self, arguments: &[&str]) -> Command {
        let mut command = as_root("dpkg");
        // The root has no other packages and no programs: scripts of the package run outside of it.
        command.arg("--root").arg(self.root()).args(["--force-script-chrootless", "--force-depends"]).args(arguments);
        command
    }

    fn install(&self) -> String {
        succeed(&mut self.dpkg(&["--install", self.package.to_str().unwrap()]))
    }

    /// The number of the service's user.
    fn user(&self) -> u32 {
        let users = fs::read_to_string(self.root().join("etc/passwd")).unwrap();
        let user = users.lines().find(|line| line.starts_with("taquilla:")).unwrap();
        assert!(user.contains(":/var/lib/taquilla:") && user.ends_with("/nologin"), "{user}");
        user.split(':').nth(2).unwrap().parse().unwrap()
    }

    fn mode(&self, path: &str) -> u32 {
        fs::symlink_metadata(self.root().join(path)).unwrap_or_else(|_| panic!("{path} is missing")).mode() & 0o7777
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        // Files of root, which the temporary folder could not delete.
        let _ = as_root("rm").arg("-rf").arg(self.root()).status();
    }
}

#[test]
fn the_debian_package_installs_runs_and_goes() {
    let installed = Installed::new();
    let root = installed.root();
    let control = succeed(Command::new("dpkg-deb").arg("--field").arg(&installed.package));
    assert!(control.contains(concat!("Version: ", env!("CARGO_PKG_VERSION"), "\n")), "{control}");
    assert!(control.contains("Depends: libc6 (>= ") || control.contains(", libc6 (>= "), "{control}");
    assert_eq!(succeed(&mut installed.dpkg(&["--verify", "taquilla"])), "", "every file is as it was packed");
    for (path, mode) in [
        ("usr/bin/taquilla", 0o755),
        ("usr/sbin/taquilla-admin", 0o755),
        ("etc/default/taquilla", 0o600),
        ("usr/lib/systemd/system/taquilla.service", 0o644),
        ("usr/share/bash-completion/completions/taquilla", 0o644),
        ("usr/share/zsh/vendor-completions/_taquilla", 0o644),
        ("usr/share/fish/vendor_completions.d/taquilla.fish", 0o644),
        ("usr/share/man/man1/taquilla-order-create.1.gz", 0o644),
        ("usr/share/doc/taquilla/copyright", 0o644),
        ("usr/share/doc/taquilla/examples/nginx.conf", 0o644),
        ("usr/share/doc/taquilla/examples/Caddyfile", 0o644),
        ("usr/share/doc/taquilla/ops/prometheus/taquilla.rules.yml", 0o644),
        ("usr/share/doc/taquilla/ops/grafana/taquilla.json", 0o644),
        ("var/lib/taquilla", 0o700),
    ] {
        assert_eq!(installed.mode(path), mode, "{path}");
    }
    let documents = root.join("usr/share/doc/taquilla");
    for page in ["README.md", "CHANGELOG.md", "docs/operate.md", "docs/operate/https.md", "docs/operate/metrics.md"] {
        let text = fs::read_to_string(documents.join(page)).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            let target = documents.join(page).parent().unwrap().join(link);
            assert!(target.exists(), "{page} leads to {link}, which the package has not");
        }
    }
    let user = installed.user();
    assert_eq!(fs::symlink_metadata(root.join("var/lib/taquilla")).unwrap().uid(), user);

    // Inside the new root there is only what the package has, and what the service's script calls.
    let programs = ["/bin/sh", "/usr/bin/setpriv"];
    bring(&root, programs);
    let linked = succeed(Command::new("ldd").args(programs).arg(PROGRAM));
    bring(&root, linked.split_whitespace().filter(|word| word.starts_with("/lib")));
    let inside = |arguments: &[&str]| {
        let mut command = as_root("chroot");
        command.arg(&root).args(arguments).env_remove("TAQUILLA_DATABASE").env_remove("TAQUILLA_PRODUCER");
        command
    };
    let made = succeed(&mut inside(&["/usr/sbin/taquilla-admin", "producer", "create", "--name", "Venue", "--json"]));
    assert_eq!(serde_json::from_str::<Value>(&made).unwrap()["name"], "Venue");
    let database = root.join("var/lib/taquilla/taquilla.db");
    let made = fs::symlink_metadata(&database).unwrap();
    assert_eq!((made.uid(), made.mode() & 0o777), (user, 0o600), "as the service's user, for nobody else");
    let doctor = inside(&["/usr/sbin/taquilla-admin", "doctor", "--json"]).output().unwrap();
    let doctor: Value = serde_json::from_slice(&doctor.stdout).unwrap_or_else(|_| panic!("{doctor:?}"));
    assert_eq!(
        doctor["findings"].as_array().unwrap().iter().find(|one| one["about"] == "database").unwrap()["state"],
        "good"
    );

    let mut serve = inside(&["/usr/sbin/taquilla-admin", "serve", "--listen", "127.0.0.1:0"]);
    serve.env("TAQUILLA_LOG", "info");
    let (mut running, said, _) = start(serve, "listening");
    let ready = format!("http://{}/readyz", address_in(&said));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    assert_eq!(runtime.block_on(async { http_client().get(ready).send().await.unwrap().status() }), 200);
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());

    // The same package again is an upgrade: settings that were changed stay.
    let settings = root.join("etc/default/taquilla");
    let changed = "TAQUILLA_DATABASE='sqlite:/var/lib/taquilla/taquilla.db'\n# Ours.\n";
    let own = installed.folder.path().join("settings");
    fs::write(&own, changed).unwrap();
    succeed(as_root("cp").arg(&own).arg(&settings));
    installed.install();
    assert_eq!(succeed(as_root("cat").arg(&settings)), changed);
    assert_eq!(installed.user(), user);
    let said = succeed(&mut installed.dpkg(&["--purge", "taquilla"]));
    assert!(said.contains("the data stays in /var/lib/taquilla"), "{said}");
    assert!(database.exists() && !settings.exists() && !root.join("usr/bin/taquilla").exists());
}

#[test]
fn the_unit_is_accepted_and_exposes_little() {
    let installed = Installed::new();
    let analyze = |arguments: &[&str]| {
        let mut command = Command::new("systemd-analyze");
        command.args(arguments).arg("--root").arg(installed.root());
        command
    };
    // What the unit waits for belongs to the system.
    let units = installed.root().join("usr/lib/systemd/system");
    for target in ["sysinit", "basic", "network-online", "shutdown", "multi-user"] {
        let unit = format!("[Unit]\nDescription={target}\nDefaultDependencies=no\n");
        let file = installed.folder.path().join(format!("{target}.target"));
        fs::write(&file, unit).unwrap();
        succeed(as_root("cp").arg(&file).arg(&units));
    }
    let mut verify = analyze(&["verify", "--man=no"]);
    let output = verify.arg("taquilla.service").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !said.contains("taquilla.service:"), "{said}");
    let mut security = analyze(&["security", "--offline=true", "--no-pager", EXPOSED_MAX]);
    succeed(security.arg("taquilla.service"));
    // The checks would notice a mistake.
    let unit = fs::read_to_string(units.join("taquilla.service")).unwrap();
    let careless: String =
        unit.lines().filter(|line| !line.starts_with("SystemCall")).map(|line| format!("{line}\n")).collect();
    let broken = installed.folder.path().join("taquilla.service");
    fs::write(
        &broken,
        careless
            .replace("NoNewPrivileges=yes", "NoNewPrivilege=yes")
            .replace("ExecStart=/usr/bin/taquilla", "ExecStart=/usr/bin/taquila"),
    )
    .unwrap();
    succeed(as_root("cp").arg(&broken).arg(&units));
    let output = analyze(&["verify", "--man=no"]).arg("taquilla.service").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("taquila is not executable"), "{said}");
    let mut security = analyze(&["security", "--offline=true", "--no-pager", EXPOSED_MAX]);
    assert!(!security.arg("taquilla.service").output().unwrap().status.success());
}

/// There is no daemon that would build an image here. This makes its files with the command of the Dockerfile and runs them as
/// a container would: a root that cannot be written, another user, and a volume for the data.
#[test]
fn the_files_of_the_image_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    succeed(Command::new(format!("{ROOT}/packaging/docker/root")).arg(PROGRAM).arg(&image));
    let dockerfile = fs::read_to_string(format!("{ROOT}/packaging/docker/Dockerfile")).unwrap();
    assert!(dockerfile.contains("packaging/docker/root target/release/taquilla /image\n"), "this is what it runs");
    assert!(dockerfile.contains("\nUSER 65532:65532\n") && dockerfile.contains("\nVOLUME /data\n"), "and who runs it");
    assert!(dockerfile.contains("\nCOPY --from=program --chown=65532:65532 /empty /data\n"), "and whose the volume is");
    assert!(!image.join("data").exists(), "a folder that is there already would keep its owner");
    fs::create_dir(image.join("data")).unwrap();
    // The rest is as in `docker run --read-only --volume …:/data --user 65532`.
    let volume = folder.path().join("volume");
    fs::create_dir(&volume).unwrap();
    succeed(as_root("chown").arg("65532:65532").arg(&volume));
    let script = "set -e; mount --bind \"$1\" \"$1\"; mount --bind \"$2\" \"$1/data\"; mount -o remount,bind,ro \"$1\"; \
                  exec chroot --userspec=65532:65532 --groups= \"$1\" /usr/bin/taquilla serve --listen 127.0.0.1:0";
    let mut serve = as_root("unshare");
    serve.args(["--mount", "sh", "-c", script, "sh"]).arg(&image).arg(&volume);
    serve.env("TAQUILLA_DATABASE", "sqlite:/data/taquilla.db");
    let (mut running, said, _) = start(serve, "listening");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ready = format!("http://{}/readyz", address_in(&said));
    assert_eq!(runtime.block_on(async { http_client().get(ready).send().await.unwrap().status() }), 200);
    let data = fs::symlink_metadata(volume.join("taquilla.db")).unwrap();
    assert_eq!((data.uid(), data.mode() & 0o777), (65532, 0o600));
    let status = fs::read_to_string(format!("/proc/{}/status", running.0.id())).unwrap();
    assert!(status.contains("Uid:\t65532\t65532\t65532\t65532"), "{status}");
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    succeed(as_root("rm").arg("-rf").arg(&volume));
}

/// Every command with a page of its own, and every page with what a reader looks for.
#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("new/man1");
    let none = "sqlite:/nowhere/none.db";
    succeed(taquilla(none).arg("man-pages").arg(&pages));
    let found: BTreeSet<String> =
        fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut expected = BTreeSet::new();
    pages_of(&["taquilla"], &mut expected);
    assert_eq!(found, expected, "left: pages; right: commands");
    assert!(found.len() > 50, "{found:?}");
    let serve = fs::read_to_string(pages.join("taquilla-serve.1")).unwrap();
    for part in [
        ".TH taquilla-serve 1",
        ".SH NAME",
        ".SH SYNOPSIS",
        ".SH OPTIONS",
        "\\-\\-trust\\-proxy",
        "TAQUILLA_TRUST_PROXY",
    ] {
        assert!(serve.contains(part), "{part} in {serve}");
    }
    let refused = taquilla(none).args(["man-pages", "/dev/null/pages"]).output().unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot write to the folder /dev/null/pages"));
}

/// The pages that a command and those below it should have, by what its help lists.
fn pages_of(command: &[&str], pages: &mut BTreeSet<String>) {
    pages.insert(format!("{}.1", command.join("-")));
    let help = succeed(taquilla("sqlite:/nowhere/none.db").args(&command[1..]).arg("--help"));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    // A line that goes on has more room before it.
    let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|name| *name != "help") {
        pages_of(&[command, &[name]].concat(), pages);
    }
}
