//! What is asked for on the command line.

use std::fmt;
use std::time::Duration;

/// How long is played, and how much at a time.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) minutes: u32,
    /// Fires in a second.
    pub(crate) rate: u32,
    /// Streams that are open.
    pub(crate) streams: usize,
    /// Games under way.
    pub(crate) games: usize,
    /// How long a game is kept that nobody played.
    pub(crate) keep_aborted: Duration,
    /// How long a game is kept that somebody won.
    pub(crate) keep_finished: Duration,
}

impl Plan {
    /// Reads the words after `--`.
    pub(crate) fn read() -> Self {
        let words: Vec<String> = std::env::args().collect();
        let said = |name: &str| {
            let place = words.iter().position(|word| word == name)?;
            let number = words.get(place + 1).unwrap_or_else(|| panic!("{name} needs a number"));
            Some(number.parse::<u32>().unwrap_or_else(|_| panic!("{name} is a whole number, not {number}")))
        };
        let count = |number: u32| usize::try_from(number).expect("a count");
        let rate = said("--rate").unwrap_or(3_600).max(1);
        let kept = |name: &str, usual| {
            let said = std::env::var(name).ok();
            Duration::from_secs(
                said.map_or(usual, |said| said.parse().unwrap_or_else(|_| panic!("{name} is in seconds"))),
            )
        };
        Self {
            minutes: said("--minutes").unwrap_or(30).max(1),
            rate,
            streams: count(said("--streams").unwrap_or(2_000)),
            games: count(said("--games").unwrap_or((rate / 2).max(100))),
            keep_aborted: kept("NAVAL_BATTLE_KEEP_ABORTED", 60),
            keep_finished: kept("NAVAL_BATTLE_KEEP_FINISHED", 300),
        }
    }

    /// What the server is told beside what this program was told.
    pub(crate) fn environment(&self) -> [(&'static str, &'static str); 4] {
        let seconds = |time: Duration| &*time.as_secs().to_string().leak();
        [
            ("NAVAL_BATTLE_LIMITS", "off"),
            ("RUST_LOG", "warn"),
            ("NAVAL_BATTLE_KEEP_ABORTED", seconds(self.keep_aborted)),
            ("NAVAL_BATTLE_KEEP_FINISHED", seconds(self.keep_finished)),
        ]
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { minutes, rate, streams, games, keep_aborted, keep_finished } = self;
        write!(
            out,
            "{minutes} minutes, {rate} fires/s in {games} games, {streams} streams; aborted games are kept {} s, won \
             ones {} s",
            keep_aborted.as_secs(),
            keep_finished.as_secs()
        )
    }
}
