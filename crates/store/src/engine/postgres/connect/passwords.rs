//! The password of a connection: from the address, from PGPASSWORD, or from a password file as libpq reads it.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::{ffi::OsStringExt, fs::PermissionsExt},
    path::PathBuf,
};

use super::{parameters::variable, place::Place};

/// Where passwords are looked for.
pub struct Passwords {
    given: Option<Password>,
    file: Option<PathBuf>,
}

/// A password and where it is from, so that an error can say which one was wrong.
#[derive(Clone)]
pub struct Password {
    pub secret: Vec<u8>,
    pub from: String,
}

/// What the search for a password found.
pub enum PasswordSearch {
    Password(Password),
    /// None, and why a password file was of no use, if there is one.
    Nothing(Option<String>),
}

impl Passwords {
    /// The one in the address goes first, then `PGPASSWORD`. The file is read for each connection.
    pub fn new(in_address: Option<&[u8]>, file: Option<PathBuf>) -> Self {
        let in_address = in_address.filter(|secret| !secret.is_empty());
        let given = match in_address {
            Some(secret) => Some(Password { secret: secret.to_vec(), from: "the address".into() }),
            None => {
                variable("PGPASSWORD").map(|secret| Password { secret: secret.into_vec(), from: "PGPASSWORD".into() })
            }
        };
        Self { given, file: file.or_else(|| Some(std::env::home_dir()?.join(".pgpass"))) }
    }

    /// Looks for the password of each server.
    pub fn find(&self, places: &[Place]) -> Vec<PasswordSearch> {
        if let Some(given) = &self.given {
            return places.iter().map(|_| PasswordSearch::Password(given.clone())).collect();
        }
        let Some(path) = &self.file else { return places.iter().map(|_| PasswordSearch::Nothing(None)).collect() };
        let name = path.display();
        let lines = fs::metadata(path).and_then(|file| check(&file)).and_then(|()| fs::read(path));
        let find = |place: &Place| match &lines {
            Ok(lines) => match in_lines(lines, place) {
                Some(secret) => {
                    PasswordSearch::Password(Password { secret, from: format!("the password file {name}") })
                }
                None => PasswordSearch::Nothing(Some(format!("the password file {name} has no line for it"))),
            },
            Err(cause) => PasswordSearch::Nothing(Some(format!("the password file {name} is not used: {cause}"))),
        };
        places.iter().map(find).collect()
    }
}

/// libpq reads a password file only if nobody else can.
fn check(file: &Metadata) -> io::Result<()> {
    if !file.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    if file.permissions().mode() & 0o077 != 0 {
        return Err(io::Error::other("others have access to it; run chmod 600 on it"));
    }
    Ok(())
}

/// The password of the first line that fits. A line is `HOST:PORT:DATABASE:USER:PASSWORD`.
fn in_lines(lines: &[u8], place: &Place) -> Option<Vec<u8>> {
    let host = place.in_password_file();
    let port = place.port.to_string();
    let wanted = [&host, &port, &place.database, &place.user];
    lines.split(|byte| *byte == b'\n').find_map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"#") {
            return None;
        }
        let mut rest = line;
        for wanted in wanted {
            let (raw, value, after) = field(rest);
            if raw != b"*" && value != wanted.as_bytes() {
                return None;
            }
            rest = after?;
        }
        let (_, secret, _) = field(rest);
        Some(secret).filter(|secret| !secret.is_empty())
    })
}

/// The first field of a line, as it is written and as it is meant, and what follows its colon. A backslash takes the byte
/// after it as it is.
fn field(line: &[u8]) -> (&[u8], Vec<u8>, Option<&[u8]>) {
    let mut value = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match (byte, line.get(at + 1)) {
            (b':', _) => return (&line[..at], value, Some(&line[at + 1..])),
            (b'\\', Some(next)) => {
                value.push(*next);
                at += 2;
            }
            _ => {
                value.push(*byte);
                at += 1;
            }
        }
    }
    (line, value, None)
}
