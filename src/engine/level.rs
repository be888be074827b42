/// How well a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Fires about at random.
    Easy,
    /// Follows up its hits.
    Medium,
    /// Weighs everything that it sees.
    Hard,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];
}
