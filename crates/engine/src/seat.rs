/// One of the two places at the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seat {
    /// Who created the game.
    Host,
    /// Who joined it.
    Guest,
}

impl Seat {
    /// Both seats, the host first.
    pub const BOTH: [Self; 2] = [Self::Host, Self::Guest];

    /// The seat across the table.
    pub fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }
}

/// One thing for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BySeat<T> {
    /// What the host has.
    pub host: T,
    /// What the guest has.
    pub guest: T,
}

impl<T> BySeat<T> {
    /// Makes the thing for each seat, the host's first.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        Self { host: make(Seat::Host), guest: make(Seat::Guest) }
    }

    /// That of one seat.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::Host => &self.host,
            Seat::Guest => &self.guest,
        }
    }

    /// That of one seat, to change it.
    pub fn of_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::Host => &mut self.host,
            Seat::Guest => &mut self.guest,
        }
    }
}
