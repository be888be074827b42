//! Games as scripts: a line is what somebody does with what comes of it, or what is then so.
//!
//! ```text
//! 10x10, classic, mines, salvo, shoot again, host first
//! host places A1>5 A3>4 A5>3 A7>3 E7>2 with H3
//! guest places …                          (or: both place …)
//! host fires A1 H3 = hit mine, owes 1     (a sinking names the ship: sunk:E7>2)
//! host fires K1 = outside_grid K1         (a refusal is its code and what goes beside it)
//! host fires at water                     (as many as are due, all misses)
//! host reveals C7
//! guest resigns
//! time runs out = guest                   (who was late)
//! due: guest fires 4
//! result: host by fleet_sunk
//! host sees guest ships: E7>2 sunk        (or mines, shots, revealed, known_empty)
//! host can give: A1 B1
//! guest has 4 afloat
//! ```

use engine::{
    Action, BoardView, Command, Event, FirstShot, Fleet, Game, GameView, Grid, Options, Refusal, Seat, Viewer, decide,
    join, time_out,
};

use testing::notation::{cells, outcome_written, placement, refusal_written, ship_written, written};

/// A game as far as it was played.
pub(crate) struct Play {
    pub(crate) game: Game,
}

/// Sets up the game of the first line and plays the others.
pub(crate) fn play(script: &str) -> Play {
    let (first_line, rest) = script.trim().split_once('\n').unwrap_or((script.trim(), ""));
    let options = options(first_line);
    let mut game = Game::new(options, Seat::Guest);
    let joined = join(&game, None, Seat::Host).expect("the seat is free");
    game.apply(&joined).expect("it can follow");
    let mut play = Play { game };
    play.play(rest);
    play
}

impl Play {
    /// Plays on.
    pub(crate) fn play(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((what, expected)) = line.split_once(':').filter(|_| is_a_statement(line)) {
                assert_eq!(self.state(what), expected.trim(), "{line}");
            } else if let Some((seat, count)) = line.strip_suffix(" afloat").and_then(|line| line.split_once(" has ")) {
                let view = GameView::new(&self.game, Viewer::Spectator);
                assert_eq!(view.ships_afloat.of(Seat::from_word(seat).expect("a seat")).to_string(), count, "{line}");
            } else {
                let (action, expected) = line.split_once(" = ").map_or((line, None), |(a, e)| (a, Some(e)));
                let answer = self.act(action);
                assert_eq!(answer, expected.unwrap_or("done").trim(), "{line}");
            }
        }
    }

    /// What comes of an action.
    fn act(&mut self, action: &str) -> String {
        if action == "time runs out" {
            let event = time_out(&self.game);
            return self.follows(event);
        }
        let (who, what) = action.split_once(' ').expect("who does what");
        if who == "both" {
            let placing = what.strip_prefix("place ").expect("both can only place");
            let answers = Seat::BOTH.map(|seat| self.act(&format!("{} places {placing}", seat.word())));
            return answers.into_iter().find(|answer| answer != "done").unwrap_or_else(|| "done".to_owned());
        }
        let seat = Seat::from_word(who).expect("a seat");
        let (verb, what) = what.split_once(' ').unwrap_or((what, ""));
        let event = match (verb, what) {
            ("places", layout) => {
                let (ships, mines) = layout.split_once(" with ").unwrap_or((layout, ""));
                decide(&self.game, seat, Command::Place(&placement(ships, mines)))
            }
            ("fires", "at water") => return self.fires_at_water(seat),
            ("fires", shots) => decide(&self.game, seat, Command::Fire(&cells(shots))),
            ("reveals", given) => decide(&self.game, seat, Command::Reveal(&cells(given))),
            ("resigns", "") => decide(&self.game, seat, Command::Resign),
            _ => panic!("{verb:?} is nothing that a seat does"),
        };
        self.follows(event)
    }

    /// Fires as many as are due at cells that hold nothing, the last of the grid first.
    fn fires_at_water(&mut self, seat: Seat) -> String {
        let target = self.game.board(seat.other()).expect("both have placed");
        let water = self.game.options().grid.cells() - target.ships() - target.mines() - target.shots();
        let due = self.game.awaiting().next().expect("somebody is to act").count;
        let mut shots: Vec<_> = water.iter().collect();
        shots.reverse();
        shots.truncate(due.into());
        let event = decide(&self.game, seat, Command::Fire(&shots));
        let answer = self.follows(event);
        assert_eq!(answer, vec!["miss"; due.into()].join(" "), "it was water");
        "done".to_owned()
    }

    /// What is accepted happens; what is refused changes nothing.
    fn follows(&mut self, event: Result<Event, Refusal>) -> String {
        let event = match event {
            Ok(event) => event,
            Err(refusal) => return refusal_written(&refusal),
        };
        self.game.apply(&event).expect("what is decided can follow");
        match event {
            Event::Fired { shots, owed, .. } => {
                let outcomes: Vec<_> = shots.iter().map(|shot| outcome_written(shot.outcome)).collect();
                let owes = owed.map_or(String::new(), |owed| format!(", owes {owed}"));
                format!("{}{owes}", outcomes.join(" "))
            }
            Event::TimedOut { seat } => seat.map_or("both", Seat::word).to_owned(),
            Event::Joined { .. }
            | Event::Placed { .. }
            | Event::Revealed { .. }
            | Event::Resigned { .. }
            | Event::Expired => "done".to_owned(),
        }
    }

    /// What is so.
    fn state(&self, what: &str) -> String {
        match what.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["due"] => self.due(),
            ["result"] => self.game.ending().map_or("none".to_owned(), |ending| {
                format!("{} by {}", ending.winner().map_or("nobody", Seat::word), ending.reason())
            }),
            [eyes, "can", "give"] => {
                let given = GameView::new(&self.game, one_of_the_eyes(eyes)).revealable;
                given.map_or("nothing".to_owned(), |cells| written(cells.iter()))
            }
            ["everybody", "sees", rest @ ..] => {
                let seen =
                    ["host", "guest", "spectator"].map(|eyes| self.state(&format!("{eyes} sees {}", rest.join(" "))));
                assert!(seen.iter().all(|one| *one == seen[0]), "all see the same of {rest:?}: {seen:?}");
                seen[0].clone()
            }
            [eyes, "sees", seat, list] => {
                let view = GameView::new(&self.game, one_of_the_eyes(eyes));
                seen(view.boards.of(Seat::from_word(seat).expect("a seat")), list)
            }
            _ => panic!("{what:?} is nothing that can be so"),
        }
    }

    /// Who is to do what.
    fn due(&self) -> String {
        let owes = |awaited: engine::Awaiting| {
            let (seat, count) = (awaited.seat.word(), awaited.count);
            match awaited.action {
                Action::Join => format!("{seat} joins"),
                Action::Place => format!("{seat} places"),
                Action::Fire => format!("{seat} fires {count}"),
                Action::Reveal => format!("{seat} reveals {count}"),
            }
        };
        let due: Vec<_> = self.game.awaiting().map(owes).collect();
        if due.is_empty() { "nothing".to_owned() } else { due.join(", ") }
    }
}

/// Whether the line says what is so rather than what somebody does.
fn is_a_statement(line: &str) -> bool {
    line.starts_with("due:") || line.starts_with("result:") || line.contains(" can give:") || line.contains(" sees ")
}

/// The options of a first line.
fn options(line: &str) -> Options {
    let mut options = Options { mines: false, ..Options::default() };
    for word in line.split(", ").map(str::trim) {
        match word {
            "mines" => options.mines = true,
            "salvo" => options.salvo = true,
            "shoot again" => options.shoot_again = true,
            "host first" => options.first = FirstShot::Host,
            "guest first" => options.first = FirstShot::Guest,
            _ => match (word.split_once('x'), Fleet::from_word(word)) {
                (Some((side, _)), None) => {
                    options.grid = side.parse().ok().and_then(Grid::with_side).expect("a grid");
                }
                (None, Some(fleet)) => options.fleet = fleet,
                _ => panic!("{word:?} is no option"),
            },
        }
    }
    options
}

fn one_of_the_eyes(word: &str) -> Viewer {
    Seat::from_word(word).map_or_else(
        || {
            assert_eq!(word, "spectator");
            Viewer::Spectator
        },
        Viewer::Seat,
    )
}

/// One list of a board.
fn seen(board: &BoardView, list: &str) -> String {
    match list {
        "ships" => board
            .ships
            .iter()
            .map(|(ship, sunk)| format!("{}{}", ship_written(*ship), if *sunk { " sunk" } else { "" }))
            .collect::<Vec<_>>()
            .join(", "),
        "shots" => {
            board.shots.iter().map(|(cell, mark)| format!("{cell} {}", mark.word())).collect::<Vec<_>>().join(", ")
        }
        "mines" => written(board.mines.iter()),
        "revealed" => written(board.revealed.iter()),
        "known_empty" => written(board.known_empty.iter()),
        _ => panic!("a board has no {list:?}"),
    }
}
