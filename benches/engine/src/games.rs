use engine::SeededDice;
use engine::{
    Action, Command, Coordinate, Dice, Due, Event, FirstShot, Game, Given, MOST_GIVEN, Options, Outcome, Phase, Seat,
    join, random_placement,
};

/// A game in which both have placed, and in which order each will fire at the other's cells.
#[derive(Clone)]
pub(crate) struct Pairing {
    /// The events so far: joined, placed, placed.
    opening: [Event; 3],
    /// The host is on turn.
    pub game: Game,
    host: Vec<Coordinate>,
    guest: Vec<Coordinate>,
}

/// A moment in a game, and what comes next.
#[derive(Clone)]
pub(crate) struct Position {
    pub game: Game,
    pub seat: Seat,
    pub action: Action,
    /// The cells that the seat fires at or gives.
    pub cells: Vec<Coordinate>,
    pub event: Event,
}

impl Position {
    /// What the only shot found; none of a volley or of a gift.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match &self.event {
            Event::Fired { shots, .. } if shots.len() == 1 => shots.first().map(|shot| shot.outcome),
            Event::Fired { .. }
            | Event::Joined { .. }
            | Event::Placed { .. }
            | Event::Revealed { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::Expired
            | Event::Extended { .. } => None,
        }
    }
}

impl Pairing {
    /// Random layouts, and both orders random, all of them from a number.
    pub(crate) fn draw(options: &Options, number: u64) -> Self {
        let options = Options { first: FirstShot::Host, ..*options };
        let mut dice = SeededDice::from_number(number);
        let mut game = Game::new(options, Seat::Guest);
        let joined = join(&game, None, Seat::Host).expect("the seat is free");
        game.apply(&joined).expect("it follows");
        let [host, guest] = Seat::BOTH.map(|seat| {
            let placement = random_placement(&options, &mut dice);
            game.play(seat, Command::Place(&placement)).expect("a random layout is legal")
        });
        let mut order = || {
            let mut cells: Vec<_> = options.grid.cells().iter().collect();
            cells.sort_by_cached_key(|_| dice.next());
            cells
        };
        Self { opening: [joined, host, guest], game, host: order(), guest: order() }
    }

    /// Plays the game from its first shot to its end. Each seat fires at the next cells of its
    /// order, and gives the first cells that it can give; `act` has the game go on.
    pub(crate) fn play(&self, mut act: impl FnMut(&mut Game, Seat, Command<'_>)) -> Game {
        let mut game = self.game;
        let (mut host, mut guest) = (&self.host[..], &self.guest[..]);
        loop {
            let Phase::Battle(battle) = game.phase() else { return game };
            let seat = battle.turn;
            let given: Given;
            let command = match battle.due {
                Due::Reveal(count) => {
                    let own = battle.boards.of(seat).revealable();
                    given = own.iter().take(usize::from(count.get()).min(MOST_GIVEN)).collect();
                    Command::Reveal(&given)
                }
                Due::Fire(count) => {
                    let order = match seat {
                        Seat::Host => &mut host,
                        Seat::Guest => &mut guest,
                    };
                    let (cells, rest) = order.split_at(count.get().into());
                    *order = rest;
                    Command::Fire(cells)
                }
            };
            act(&mut game, seat, command);
        }
    }

    /// Every moment of the battle.
    pub(crate) fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::new();
        self.play(|game, seat, command| {
            let (action, cells) = match command {
                Command::Reveal(cells) => (Action::Reveal, cells.to_vec()),
                Command::Fire(cells) => (Action::Fire, cells.to_vec()),
                Command::Place(_) | Command::Resign => return,
            };
            let before = *game;
            let event = game.play(seat, command).expect("it is legal");
            positions.push(Position { game: before, seat, action, cells, event });
        });
        positions
    }

    /// The whole log but its creation.
    pub(crate) fn log(&self) -> Vec<Event> {
        let mut log = self.opening.to_vec();
        self.play(|game, seat, command| log.push(game.play(seat, command).expect("it is legal")));
        log
    }
}

/// What the seat on turn asks for.
pub(crate) fn command(action: Action, cells: &[Coordinate]) -> Command<'_> {
    match action {
        Action::Reveal => Command::Reveal(cells),
        Action::Fire | Action::Join | Action::Place => Command::Fire(cells),
    }
}

/// So many moments of random games, spread over many of them.
pub(crate) fn positions(options: &Options, count: usize, is_one: impl Fn(&Position) -> bool) -> Vec<Position> {
    let mut found = Vec::new();
    for number in 0.. {
        let game = Pairing::draw(options, number).positions();
        let fitting: Vec<_> = game.into_iter().filter(&is_one).collect();
        // One of each game, each time at another part of it.
        let place = fitting.len() * usize::try_from(number % 16).unwrap_or_default() / 16;
        found.extend(fitting.into_iter().nth(place));
        if found.len() == count {
            break;
        }
    }
    found
}
