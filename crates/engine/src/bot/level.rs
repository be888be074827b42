/// How well a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Fires at random and follows up every second hit.
    Easy,
    /// Hunts in a pattern and follows up every hit.
    Medium,
    /// Weighs what can still lie where.
    Hard,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];
}
