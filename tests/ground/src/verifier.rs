//! The verifier in Python that `docs/proof.md` shows, taken out of it and run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::cluster::scratch_folder;
use crate::random_game::Download;

/// The verifier, as it stands on its page.
pub fn program() -> String {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proof.md")).expect("there is a page");
    let (_, rest) = page.split_once("```python\n").expect("the page has a program in Python");
    rest.split_once("```").expect("the program ends").0.to_owned()
}

/// Runs the verifier on what was downloaded.
pub fn run(download: &Download) -> Output {
    let folder = scratch_folder("python");
    run_in(&folder, download)
}

/// Runs the verifier in a folder that many runs share.
pub fn run_in(folder: &Path, download: &Download) -> Output {
    let (game, events) = (folder.join("GAME.json"), folder.join("EVENTS.json"));
    fs::write(&game, &download.game).expect("the folder can be written");
    fs::write(&events, &download.events).expect("the folder can be written");
    let mut python = Command::new("python3");
    // As somebody has it whose terminal knows no Unicode.
    python.env("LC_ALL", "C").env("PYTHONUTF8", "0").env("PYTHONCOERCECLOCALE", "0");
    python.arg("-c").arg(program()).args([game, events]).output().expect("python3 runs")
}
