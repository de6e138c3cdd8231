//! The `taquilla` command; everything it does is in the library.

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = taquilla::cli::Cli::parse();
    let outcome = tokio::runtime::Runtime::new()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(taquilla::cli::run(cli)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("taquilla: {error:#}");
            ExitCode::FAILURE
        }
    }
}
