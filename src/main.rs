//! The `taquilla` command; everything it does is in the library.

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = taquilla::cli::Cli::parse();
    let outcome = tokio::runtime::Runtime::new().map_err(Into::into).and_then(|runtime| {
        let outcome = runtime.block_on(taquilla::cli::run(cli));
        // A look-up of a receiver's name by the system's resolver may still run; the process does not wait for it.
        runtime.shutdown_background();
        outcome
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => taquilla::cli::failed(&error),
    }
}
