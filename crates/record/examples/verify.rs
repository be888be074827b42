//! `verify GAME.json EVENTS.json`: checks a downloaded game, and prints the code of each flaw.

use std::env;
use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use record::{Download, verify};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let files: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [game, events] = files.as_slice() else { return Err("it takes GAME.json and EVENTS.json".into()) };
    let download = Download::read(game, events)?;

    let findings = verify::check(&download.game, &download.events, None);

    let mut out = io::stdout().lock();
    for found in &findings.found {
        writeln!(out, "{found}")?;
    }
    let extent = if findings.complete { "all" } else { "the chain alone" };
    writeln!(out, "{} events, {extent} checked, {} flaws", findings.lines.len(), findings.found.len())?;
    Ok(if findings.found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
