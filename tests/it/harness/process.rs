//! The real binary, in its own process.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use super::PATIENCE;

/// The `taquilla` command with this database.
pub fn taquilla(address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquilla"));
    command.env("TAQUILLA_DATABASE", address).env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command.env_remove("TAQUILLA_PRODUCER");
    command
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `serve` or `demo` and waits until it prints its address. All that it prints where it said so is given at its end:
/// of `serve` that is the log.
pub fn start(mut command: Command, says: &str) -> (Running, String, std::thread::JoinHandle<String>) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    let says = says.to_owned();
    let both = [
        Box::new(child.stdout.take().unwrap()) as Box<dyn std::io::Read + Send>,
        Box::new(child.stderr.take().unwrap()),
    ];
    let readers = both.into_iter().enumerate().map(|(number, stream)| {
        let (tell, says) = (tell.clone(), says.clone());
        std::thread::spawn(move || {
            let mut text = String::new();
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                text += &line;
                text.push('\n');
                if line.contains(&says) {
                    let _ = tell.send((number, text.clone()));
                }
            }
            text
        })
    });
    let mut readers: Vec<_> = readers.collect();
    let (number, text) = told.recv_timeout(PATIENCE).expect("it did not start");
    (Running(child), text, readers.swap_remove(number))
}

/// The first address of this machine in a text.
pub fn address_in(text: &str) -> String {
    let at = text.find("127.0.0.1:").unwrap();
    text[at..].chars().take_while(|letter| letter.is_ascii_digit() || ".:".contains(*letter)).collect()
}

/// The peak memory of a process.
pub fn peak_memory_kib(process: u32) -> u64 {
    peak_memory_so_far_kib(process).unwrap()
}

/// The peak memory of a process that may have ended.
pub fn peak_memory_so_far_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The command for a server on this database without rate limits.
pub fn serve(address: &str) -> Command {
    let mut command = taquilla(address);
    command.args(["serve", "--listen", "127.0.0.1:0", "--shop-rate-limit", "off", "--door-rate-limit", "off"]);
    command
}

/// Tells a process to stop.
pub fn terminate(child: &Child) {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
}
