//! Who works at the command line.

use taquilla_domain::{audit::By, time_source::TimeSource};

/// The account of the machine that runs this command, now.
pub fn by() -> By {
    let named = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    let is_name = |name: &String| (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
    let account = named.filter(is_name).unwrap_or_else(|| format!("uid {}", rustix::process::getuid().as_raw()));
    By::command_line(&account, TimeSource::System.now())
}
