//! The commands that print something and end.

use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;

use naval_battle::config::Serve;
use naval_battle::http;
use naval_battle::schema::VerifyBody;
use naval_battle::store::Store;
use naval_battle::text::Language;
use record::{Download, check_proofs, verify};

use crate::database_url;

/// Spreads the tables over the nodes of a distributed Postgres, and says which.
pub(crate) fn distribute(config: &Serve) -> Result<(), Box<dyn Error>> {
    let url = config.database_url().ok_or("DATABASE_URL is missing: it leads to the coordinator")?;
    let options = database_url::read(url)?;
    let spread = actix_web::rt::System::new().block_on(Store::distribute(options))?;
    let told = if spread.is_empty() { "all is spread already".to_owned() } else { spread.join(", ") };
    writeln!(io::stdout(), "spread over the nodes of the database: {told}")?;
    Ok(())
}

/// Prints the `OpenAPI` document.
pub(crate) fn print_document() -> Result<(), Box<dyn Error>> {
    writeln!(io::stdout(), "{}", http::document_text()?)?;
    Ok(())
}

/// Checks a downloaded game and says what it found, event by event.
///
/// With proofs it holds each of them against the log and the commitments.
pub(crate) fn verify(
    game: &Path,
    events: &Path,
    kept: Option<&str>,
    proofs: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    let download = Download::read(game, events)?;
    let proofs = proofs.map(Download::read_proofs).transpose()?;
    let mut findings = verify::check(&download.game, &download.events, kept);
    if let Some(proofs) = &proofs {
        findings.found.extend(check_proofs(&download.game, &download.events, proofs));
        findings.found.sort_by_key(|found| found.seq.unwrap_or(usize::MAX));
    }
    let body = VerifyBody::new(&findings, Language::English);
    let mut out = io::stdout().lock();
    // They come in the order of the log.
    let mut told = body.faults.iter().filter(|flaw| flaw.seq.is_some()).peekable();
    for (line, seq) in findings.lines.iter().zip(1..) {
        let flaws: Vec<_> = std::iter::from_fn(|| told.next_if(|flaw| flaw.seq == Some(seq))).collect();
        let verdict = if flaws.is_empty() { "ok" } else { "FALSE" };
        writeln!(out, "{seq:>4}  {line:<16}  {verdict}")?;
        for flaw in flaws {
            writeln!(out, "      {}", flaw.message)?;
        }
    }
    for flaw in body.faults.iter().filter(|flaw| flaw.seq.is_none()) {
        writeln!(out, "FALSE  {}", flaw.message)?;
    }
    let extent = if body.complete {
        format!("both layouts, both commitments and {} answers", body.answers)
    } else {
        "the chain alone, since the game is not opened".to_owned()
    };
    let extent = proofs.map_or_else(|| extent.clone(), |proofs| format!("{extent}, {} proofs", proofs.len()));
    writeln!(out, "checked {} events: {extent}", body.events)?;
    match (body.faults.len(), download.odd()) {
        (0, _) => Ok(()),
        (count, None) => Err(format!("{count} faults were found").into()),
        (count, Some(odd)) => Err(format!("{odd}; {count} faults were found").into()),
    }
}

/// Prints a downloaded game.
pub(crate) fn show(game: &Path, events: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    let unreadable = record::show(&Download::read(game, events)?, &mut text)?;
    write!(io::stdout(), "{text}")?;
    if unreadable == 0 { Ok(()) } else { Err(format!("{unreadable} events cannot be read").into()) }
}
