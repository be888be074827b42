/// Which ships each side has, the same on every grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fleet {
    /// 5, 4, 3, 3, 2.
    #[default]
    Classic,
    /// 4, 3, 3, 2, 2, 2, 1, 1, 1, 1.
    Russian,
}

impl Fleet {
    /// Both fleets that a host can choose.
    pub const ALL: [Self; 2] = [Self::Classic, Self::Russian];

    /// The longest ship of any fleet, in cells.
    pub const LONGEST_SHIP: u8 = 5;

    /// The lengths of the ships in cells, longest first.
    pub fn ships(self) -> &'static [u8] {
        match self {
            Self::Classic => &[5, 4, 3, 3, 2],
            Self::Russian => &[4, 3, 3, 2, 2, 2, 1, 1, 1, 1],
        }
    }

    /// How many ships of this length the fleet has.
    pub fn ships_of(self, length: u8) -> usize {
        self.ships().iter().filter(|ship| **ship == length).count()
    }
}
