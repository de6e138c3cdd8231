//! `taquilla completions`.

use clap::Args;
use clap_complete::Shell;

use super::output::say;

#[derive(Args)]
pub struct Completions {
    /// The shell that completes them
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut command: clap::Command) -> anyhow::Result<()> {
        let (name, mut script) = (command.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        say(String::from_utf8(script)?.trim_end())
    }
}
