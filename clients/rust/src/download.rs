/// A game and its whole log as anybody gets them, byte for byte: what the command `naval-battle verify` takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Download {
    /// The game.
    pub game: String,
    /// Its log; one of more than 500 events in pages, one after the other.
    pub events: String,
}

#[cfg(feature = "verify")]
pub use verify::{Finding, Findings};

#[cfg(feature = "verify")]
mod verify {
    use record::GameBody;
    use record::verify::{FlawCode, Found, check};
    use serde::Deserialize;
    use serde_json::{Deserializer, Value};

    use super::Download;

    /// What a check of a game without its server found.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Findings {
        /// Whether the game is opened, so that all was checked; else the chain alone was.
        pub complete: bool,
        /// How many events were checked.
        pub events: usize,
        /// How many answers to shots were checked against the layouts.
        pub answers: usize,
        /// What is wrong, in the order of the log.
        pub found: Vec<Finding>,
    }

    /// One thing that is wrong.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Finding {
        /// The event that it is about, from 1; none where it is about the game as a whole.
        pub seq: Option<usize>,
        /// The stable word for it, as the server's own check has it.
        pub code: String,
    }

    /// A page of a log.
    #[derive(Deserialize)]
    struct Page {
        events: Vec<Value>,
    }

    impl Download {
        /// Checks the game against its log, trusting nobody, the server included: the chain, and once somebody has
        /// won both layouts, their commitments, every answer, turn and deadline, and all that the game shows.
        ///
        /// `noted` are heads that were kept from earlier moments.
        ///
        /// # Errors
        ///
        /// Where the texts are not those of a game and its log.
        pub fn verify(&self, noted: &[&str]) -> Result<Findings, serde_json::Error> {
            let game: GameBody = serde_json::from_str(&self.game)?;
            let mut events = Vec::new();
            for page in Deserializer::from_str(&self.events).into_iter::<Page>() {
                events.extend(page?.events);
            }
            let checked = check(&game, &events, None);
            let mut found: Vec<Finding> = checked.found.iter().map(Finding::new).collect();
            let is_there = |head: &str| events.iter().any(|event| event.get("head").is_some_and(|found| found == head));
            let lost = noted.iter().filter(|head| !is_there(head));
            found.extend(lost.map(|_| Finding { seq: None, code: FlawCode::WrongKeptHead.word().to_owned() }));
            Ok(Findings { complete: checked.complete, events: events.len(), answers: checked.answers, found })
        }
    }

    impl Findings {
        /// Whether nothing is wrong.
        pub fn ok(&self) -> bool {
            self.found.is_empty()
        }
    }

    impl Finding {
        fn new(found: &Found) -> Self {
            Self { seq: found.seq, code: found.flaw.code().word().to_owned() }
        }
    }
}
