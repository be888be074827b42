//! Checks a game against its log, trusting nobody, the server that it was played on included.
//!
//! It takes what `GET` of the game and of its whole log gave, and nothing else. What is wrong is told
//! in no language.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::proof::{self, Hash, Salt};
use crate::{
    AwaitedBody, BoardBody, FalseProof, GameBody, GameStatus, Happened, Hex, Name, PlayerBody, RecordedEvent,
    RecordedResult, SetupBody, ShownShip, Time, printable, read,
};
use engine::{
    Action, BySeat, Event, FirstShot, Game, GameView, Impossible, Layout, Level, Options, Placement, Seat, Status,
    Viewer,
};

/// What a check found.
#[derive(Debug)]
pub struct Findings {
    /// Whether the game is opened, so that everything could be checked; else the chain alone was.
    pub complete: bool,
    /// How many answers to shots were checked against the layouts.
    pub answers: usize,
    /// What became of each seat's commitment; none before it has placed.
    pub commitments: BySeat<Option<Seal>>,
    /// What is wrong, in the order of the log.
    pub found: Vec<Found>,
    /// A line for each event: its type and who acted.
    pub lines: Vec<String>,
}

/// A flaw, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The place of the event that it is about, from 1; none where it is about the game as a whole.
    pub seq: Option<usize>,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What can be wrong with a log, or with the game that it is said to be of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// An event is no object.
    NoObject,
    /// An event has no canonical form.
    NotCanonical,
    /// An event is none in the form of this version.
    Unreadable,
    /// An event is readable, but has more than this version writes, or has it in another way.
    OtherForm,
    /// An event's `seq` is not its place.
    Seq {
        /// What it is.
        seq: u32,
        /// What it should be.
        place: usize,
    },
    /// An event's head does not follow.
    Head,
    /// The log has not the head that was kept.
    KeptHead,
    /// A game is created again.
    CreatedTwice,
    /// The log is that of another game.
    OtherGame,
    /// A log does not begin with the creation.
    Beginning,
    /// It is not who the options say that shoots first.
    First,
    /// An event came too late, or a time-out too early.
    Time {
        /// When it came.
        at: DateTime<Utc>,
        /// When it was due.
        due: DateTime<Utc>,
    },
    /// A layout breaks the rules.
    Layout(Seat),
    /// Layout and salt are not those committed to.
    Commitment(Seat),
    /// A field of an event does not follow from the log.
    Derived(&'static str),
    /// A field of the game is not what the log says.
    View(&'static str),
    /// An event cannot follow by the rules.
    Impossible(Impossible),
    /// What is kept in a column is not what the log says, or cannot be read.
    Row {
        /// The table that the column is of.
        table: &'static str,
        /// Which column.
        column: &'static str,
    },
    /// A table lacks a row.
    RowMissing(&'static str),
    /// A table has a row too many.
    RowSurplus(&'static str),
    /// A proof does not prove what the event with its `seq` answered.
    Proof(FalseProof),
}

/// The stable word for what is wrong with a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlawCode {
    /// The event is not in the form of this version.
    Unreadable,
    /// The event's `seq` is not its place in the log.
    WrongSeq,
    /// The event's `head` is not the hash over what came before and the event.
    WrongHead,
    /// The event is about another game, or the log does not begin with the game's creation.
    WrongGame,
    /// The layout breaks the rules.
    IllegalLayout,
    /// The layout and salt shown are not those committed to.
    WrongCommitment,
    /// The event cannot happen at this point of the game.
    ImpossibleEvent,
    /// Somebody acted who was not to act.
    WrongTurn,
    /// Too many or too few shots or cells.
    WrongCount,
    /// A cell could not be fired at or given away.
    WrongCell,
    /// An answer to a shot, or what is owed, is not what the layouts say.
    WrongAnswer,
    /// The event came when its time had passed, or before it had.
    WrongTime,
    /// `status`, `awaiting` or `result` is not what follows from the log.
    WrongDerived,
    /// The game shown is not the game of this log.
    WrongView,
    /// The log has not the head that was kept.
    WrongKeptHead,
    /// What the server keeps of the game beside its log is not what the log says, or cannot be read.
    WrongRecord,
    /// A proof does not prove what an event of the log answered.
    WrongProof,
}

/// What became of a commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seal {
    /// Layout and salt are shown.
    Opened,
    /// They are not.
    Sealed,
}

engine::words! {
    FlawCode {
        Unreadable = "unreadable", WrongSeq = "wrong_seq", WrongHead = "wrong_head", WrongGame = "wrong_game",
        IllegalLayout = "illegal_layout", WrongCommitment = "wrong_commitment", ImpossibleEvent = "impossible_event",
        WrongTurn = "wrong_turn", WrongCount = "wrong_count", WrongCell = "wrong_cell", WrongAnswer = "wrong_answer",
        WrongTime = "wrong_time", WrongDerived = "wrong_derived", WrongView = "wrong_view",
        WrongKeptHead = "wrong_kept_head", WrongRecord = "wrong_record",
        WrongProof = "wrong_proof",
    }
    Seal { Opened = "opened", Sealed = "sealed" }
}

impl Flaw {
    /// The stable word for it.
    pub fn code(&self) -> FlawCode {
        match self {
            Self::NoObject | Self::NotCanonical | Self::Unreadable | Self::OtherForm => FlawCode::Unreadable,
            Self::Seq { .. } => FlawCode::WrongSeq,
            Self::Head => FlawCode::WrongHead,
            Self::KeptHead => FlawCode::WrongKeptHead,
            Self::CreatedTwice | Self::Impossible(Impossible::WrongPhase) => FlawCode::ImpossibleEvent,
            Self::OtherGame | Self::Beginning => FlawCode::WrongGame,
            Self::First | Self::Impossible(Impossible::WrongSeat) => FlawCode::WrongTurn,
            Self::Time { .. } => FlawCode::WrongTime,
            Self::Layout(_) => FlawCode::IllegalLayout,
            Self::Commitment(_) => FlawCode::WrongCommitment,
            Self::Derived(_) => FlawCode::WrongDerived,
            Self::View(_) => FlawCode::WrongView,
            Self::Impossible(Impossible::WrongCount) => FlawCode::WrongCount,
            Self::Impossible(Impossible::WrongCell) => FlawCode::WrongCell,
            Self::Impossible(Impossible::WrongAnswer) => FlawCode::WrongAnswer,
            Self::Row { .. } | Self::RowMissing(_) | Self::RowSurplus(_) => FlawCode::WrongRecord,
            Self::Proof(_) => FlawCode::WrongProof,
        }
    }
}

/// As the program of the examples prints it.
impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seq {
            Some(seq) => write!(out, "event {seq}: {}", self.flaw.code().word()),
            None => write!(out, "game: {}", self.flaw.code().word()),
        }
    }
}

/// Checks a game and its whole log; `kept` is a head that somebody kept from an earlier moment.
///
/// The chain and the form of each event are checked always. Once the game is opened so are both
/// commitments, the legality of both layouts, every answer, whose turn it was each time, every derived
/// field, and the game as it is shown.
pub fn check(game: &GameBody, events: &[Value], kept: Option<&str>) -> Findings {
    let mut check = Check::new(game);
    check.check_all(events);
    if kept.is_some_and(|kept| !events.iter().any(|event| event.get("head").is_some_and(|head| head == kept))) {
        check.find(None, Flaw::KeptHead);
    }
    check.findings()
}

/// Checks a game as [`check`] does for whoever keeps it, and so has the layouts of a game that is not
/// opened: all is then checked of any game. With it comes the game that the log makes of the layouts,
/// as far as it leads.
pub fn check_kept(game: &GameBody, events: &[Value], layouts: BySeat<Option<Opened>>) -> (Findings, Option<Game>) {
    let mut check = Check::new(game);
    check.layouts.get_or_insert(layouts);
    check.check_all(events);
    let fold = check.fold;
    (check.findings(), fold)
}

/// The statuses of a game that has a result.
const ENDED: [Status; 2] = [Status::Finished, Status::Aborted];

/// A check on its way through a log.
struct Check<'a> {
    game: &'a GameBody,
    options: Options,
    /// The layouts and salts, where the game is opened.
    opened: Option<BySeat<Opened>>,
    /// What the log is folded over; none where nobody knows it.
    layouts: Option<BySeat<Option<Opened>>>,
    head: Hash,
    /// The game so far; none where the layouts are not known or the log went wrong.
    fold: Option<Game>,
    due_at: Option<DateTime<Utc>>,
    /// Which seats are taken.
    taken: BySeat<bool>,
    bots: BySeat<Option<Level>>,
    names: BySeat<Option<Name>>,
    rematch_of: Option<Uuid>,
    commitments: BySeat<Option<Hash>>,
    answers: usize,
    lines: Vec<String>,
    found: Vec<Found>,
}

/// A layout that was shown or kept, with its salt.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    /// None where the layout breaks the rules.
    pub layout: Option<Layout>,
    /// What blinds the commitment to it.
    pub salt: Salt,
}

impl<'a> Check<'a> {
    fn new(game: &'a GameBody) -> Self {
        let options = Options::from(&game.options);
        let opened = opened(&game.boards.host, &options).zip(opened(&game.boards.guest, &options));
        let finished = game.status.0 == Status::Finished;
        let opened = opened.filter(|_| finished).map(|(host, guest)| BySeat { host, guest });
        Self {
            game,
            options,
            opened,
            layouts: opened.map(|opened| BySeat::from_fn(|seat| Some(*opened.of(seat)))),
            head: proof::NO_HEAD,
            fold: None,
            due_at: None,
            taken: BySeat::default(),
            bots: BySeat::default(),
            names: BySeat::default(),
            rematch_of: None,
            commitments: BySeat::default(),
            answers: 0,
            lines: Vec::new(),
            found: Vec::new(),
        }
    }

    fn find(&mut self, seq: Option<usize>, flaw: Flaw) {
        self.found.push(Found { seq, flaw });
    }

    fn check_all(&mut self, events: &[Value]) {
        for (event, place) in events.iter().zip(1..) {
            self.check_event(place, event);
        }
        self.check_game(events);
    }

    fn check_event(&mut self, place: usize, event: &Value) {
        let word = |field: &str| printable(event.get(field).and_then(Value::as_str).unwrap_or(""));
        self.lines.push(format!("{} {}", word("type"), word("seat")).trim_end().to_owned());
        let Some(object) = event.as_object() else {
            return self.find(Some(place), Flaw::NoObject);
        };
        let Some(body) = body_of(object) else {
            return self.find(Some(place), Flaw::NotCanonical);
        };
        self.check_head(place, object, &body);
        let Ok(recorded) = read(&body) else {
            return self.stop(place, Flaw::Unreadable);
        };
        if recorded.write() != body {
            self.find(Some(place), Flaw::OtherForm);
        }
        if usize::try_from(recorded.seq) != Ok(place) {
            self.find(Some(place), Flaw::Seq { seq: recorded.seq, place });
        }
        self.follow(place, &recorded);
        if let Some(game) = self.fold {
            self.check_derived(place, object, &recorded, &game);
        }
    }

    /// After a wrong head the chain goes on from it, so that each lie is told once.
    fn check_head(&mut self, place: usize, object: &Map<String, Value>, body: &str) {
        let expected = proof::head(&self.head, body);
        let claimed = object.get("head").and_then(Value::as_str).unwrap_or_default();
        self.head = expected;
        if claimed != hex::encode(expected) {
            self.head = Hex::parse(claimed).map_or(expected, |claimed| claimed.0);
            self.find(Some(place), Flaw::Head);
        }
    }

    /// Goes on to the game after an event.
    fn follow(&mut self, place: usize, recorded: &RecordedEvent<'_>) {
        if let Happened::Created { seat, game, rules: _, options, name, rematch_of } = &recorded.happened {
            if place != 1 {
                return self.stop(place, Flaw::CreatedTwice);
            }
            if *game != self.game.id || *options != self.options || self.game.created_at != Time(recorded.at) {
                return self.stop(place, Flaw::OtherGame);
            }
            *self.names.of_mut(*seat) = name.as_deref().map(|name| Name(name.to_owned()));
            *self.taken.of_mut(*seat) = true;
            self.rematch_of = *rematch_of;
            self.fold = self.layouts.map(|_| Game::new(*options, seat.other()));
            return;
        }
        if place == 1 {
            return self.stop(place, Flaw::Beginning);
        }
        self.check_time(place, recorded);
        match &recorded.happened {
            Happened::Joined { seat, first, name, bot } => {
                *self.names.of_mut(*seat) = name.as_deref().map(|name| Name(name.to_owned()));
                *self.bots.of_mut(*seat) = *bot;
                *self.taken.of_mut(*seat) = true;
                self.check_first(place, *first);
            }
            Happened::Placed { seat, commitment } => self.check_placed(place, *seat, *commitment),
            Happened::Fired { shots, .. } if self.fold.is_some() => self.answers += shots.len(),
            Happened::Fired { .. }
            | Happened::Created { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired
            | Happened::Extended { .. } => {}
        }
        let known = self.layouts.unwrap_or_default();
        let layouts = BySeat::from_fn(|seat| known.of(seat).and_then(|known| known.layout));
        let event: Option<Event> = recorded.happened.event(&layouts);
        if let (Some(game), Some(event)) = (&mut self.fold, event)
            && let Err(impossible) = game.apply(&event)
        {
            self.stop(place, Flaw::Impossible(impossible));
        }
    }

    /// From here on the log leads nowhere; the chain is still checked.
    fn stop(&mut self, place: usize, flaw: Flaw) {
        self.fold = None;
        self.find(Some(place), flaw);
    }

    /// Who shoots first is thrown for only where the options leave it to chance (R22).
    fn check_first(&mut self, place: usize, first: Seat) {
        let chosen = match self.options.first {
            FirstShot::Host => Some(Seat::Host),
            FirstShot::Guest => Some(Seat::Guest),
            FirstShot::Random => None,
        };
        if self.fold.is_some() && chosen.is_some_and(|chosen| chosen != first) {
            self.find(Some(place), Flaw::First);
        }
    }

    /// An action counts when it came before its deadline; what a clock brings comes after it (R25, R30).
    fn check_time(&mut self, place: usize, recorded: &RecordedEvent<'_>) {
        if self.fold.is_none() {
            return;
        }
        let Some(due_at) = self.due_at else {
            if matches!(recorded.happened, Happened::Extended { .. }) {
                self.stop(place, Flaw::Impossible(Impossible::WrongPhase));
            }
            return;
        };
        let by_the_clock = match recorded.happened {
            Happened::TimedOut { .. } | Happened::Expired | Happened::Extended { .. } => true,
            Happened::Created { .. }
            | Happened::Joined { .. }
            | Happened::Placed { .. }
            | Happened::Fired { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. } => false,
        };
        if by_the_clock != (recorded.at >= due_at) {
            self.find(Some(place), Flaw::Time { at: recorded.at, due: due_at });
        }
    }

    fn check_placed(&mut self, place: usize, seat: Seat, commitment: Hash) {
        *self.commitments.of_mut(seat) = Some(commitment);
        let Some(layouts) = self.layouts else { return };
        // Whoever keeps none says so.
        let Some(known) = *layouts.of(seat) else { return self.fold = None };
        let Some(layout) = known.layout else { return self.stop(place, Flaw::Layout(seat)) };
        if proof::commitment(self.game.id, &self.options, seat, &layout, &known.salt) != commitment {
            self.find(Some(place), Flaw::Commitment(seat));
        }
    }

    fn check_derived(&mut self, place: usize, object: &Map<String, Value>, recorded: &RecordedEvent<'_>, game: &Game) {
        self.due_at = self.due_after(recorded, game, object);
        let standing = GameStatus::of(game, self.due_at);
        let status = object.get("status") == Some(&game.status().word().into());
        let awaiting = object.get("awaiting") == json(&self.awaiting(&standing)).as_ref();
        let fields = [(status, "status"), (awaiting, "awaiting"), (recorded.result == game.ending(), "result")];
        for (_, field) in fields.into_iter().filter(|(right, _)| !right) {
            self.find(Some(place), Flaw::Derived(field));
        }
    }

    /// What is awaited, as the release tells it that tells the game: before a game said of which one it is the
    /// rematch, nobody placed before the joining, and that alone was awaited till then.
    fn awaiting(&self, standing: &GameStatus) -> Vec<AwaitedBody> {
        let mut awaiting = AwaitedBody::list(standing);
        if self.game.rematch_of.is_none() && standing.status == Status::Waiting {
            awaiting.retain(|awaited| awaited.action.0 == Action::Join);
        }
        awaiting
    }

    /// Until when what is awaited is awaited. When a game expires is the server's to say.
    fn due_after(
        &self,
        recorded: &RecordedEvent<'_>,
        game: &Game,
        object: &Map<String, Value>,
    ) -> Option<DateTime<Utc>> {
        match (game.status(), &recorded.happened) {
            (Status::Finished | Status::Aborted, _) => None,
            (_, Happened::Extended { seconds }) => {
                self.due_at?.checked_add_signed(TimeDelta::seconds(i64::from(*seconds)))
            }
            (Status::Waiting | Status::Placing, Happened::Placed { .. }) => self.due_at,
            (Status::Waiting, _) => {
                // The joining is awaited last.
                let until = object.get("awaiting")?.as_array()?.last()?.get("until")?.as_str()?;
                until.parse().ok()
            }
            (Status::Placing | Status::Battle, _) => {
                recorded.at.checked_add_signed(TimeDelta::seconds(i64::from(self.options.turn_seconds?)))
            }
        }
    }

    /// The game as it is shown, against what the log makes of it.
    fn check_game(&mut self, events: &[Value]) {
        let shown = self.game;
        let last = events.last();
        let of_last = |field: &str| last.and_then(|event| event.get(field));
        let mut wrong: Vec<&'static str> = Vec::new();
        let mut expect = |right: bool, field| {
            if !right {
                wrong.push(field);
            }
        };
        expect(usize::try_from(shown.version) == Ok(events.len()), "version");
        expect(of_last("head") == Some(&shown.head.as_str().into()), "head");
        // The result was hashed: whatever is said of the status beside it, it tells whether all was to be opened.
        let is_won = |result: &Value| result.get("winner").is_some_and(Value::is_string);
        let ended = of_last("result").map(|result| if is_won(result) { Status::Finished } else { Status::Aborted });
        let says = Some(shown.status.0).filter(|status| ENDED.contains(status));
        expect(of_last("status") == json(&shown.status).as_ref() && says == ended, "status");
        expect(of_last("awaiting") == json(&shown.awaiting).as_ref(), "awaiting");
        expect(shown.rematch_of.is_none_or(|of| of == self.rematch_of), "rematch_of");
        expect(of_last("result").cloned() == json(&shown.result).filter(|result| !result.is_null()), "result");
        for (seat, player) in [(Seat::Host, &shown.players.host), (Seat::Guest, &shown.players.guest)] {
            let commitment = player.as_ref().and_then(|player| player.commitment.clone());
            expect(commitment == self.commitments.of(seat).map(hex::encode), "commitment");
        }
        if let Some(game) = &self.fold {
            let view = GameView::new(game, Viewer::Spectator);
            let salt = |seat| self.opened.as_ref().map(|opened| &opened.of(seat).salt);
            let board = |seat| BoardBody::new(view.boards.of(seat), salt(seat));
            expect(shown.boards.host == board(Seat::Host) && shown.boards.guest == board(Seat::Guest), "boards");
            expect(shown.first == game.first().map(Into::into), "first");
            expect(shown.result == game.ending().map(RecordedResult::from), "result");
            expect(shown.revealable.is_none(), "revealable");
            expect(shown.setup == SetupBody::of(&self.options), "setup");
            let player = |seat, player: &Option<PlayerBody>| {
                player.as_ref().map_or(!*self.taken.of(seat), |player| {
                    *self.taken.of(seat)
                        && player.placed == game.board(seat).is_some()
                        && player.name == *self.names.of(seat)
                        && player.bot == self.bots.of(seat).map(Into::into)
                        && player.bot_seed.is_some() == (player.bot.is_some() && self.opened.is_some())
                        && player.ships_afloat == *view.ships_afloat.of(seat)
                })
            };
            expect(player(Seat::Host, &shown.players.host) && player(Seat::Guest, &shown.players.guest), "players");
        }
        if shown.status.0 == Status::Finished && self.opened.is_none() {
            wrong.push("boards");
        }
        for field in wrong {
            self.find(None, Flaw::View(field));
        }
    }

    fn findings(self) -> Findings {
        let complete = self.opened.is_some();
        let seal = |seat| self.commitments.of(seat).map(|_| if complete { Seal::Opened } else { Seal::Sealed });
        let commitments = BySeat::from_fn(seal);
        let answers = if complete { self.answers } else { 0 };
        Findings { complete, answers, commitments, found: self.found, lines: self.lines }
    }
}

/// The bytes that were hashed: the event without its derived fields, in canonical JSON (RFC 8785).
pub(crate) fn body_of(event: &Map<String, Value>) -> Option<String> {
    let mut hashed = event.clone();
    for derived in ["status", "awaiting", "head"] {
        hashed.remove(derived);
    }
    serde_json_canonicalizer::to_string(&hashed).ok()
}

/// The layout and salt that a board shows; none where it has no salt.
fn opened(board: &BoardBody, options: &Options) -> Option<Opened> {
    let Hex(salt) = Hex::parse(board.salt.as_deref()?)?;
    let mines = board.mines.iter().map(|cell| cell.0).collect();
    let ships: Option<_> = board.ships.iter().map(ShownShip::ship).collect();
    let layout = ships.and_then(|ships| Placement { ships, mines }.check(options).ok());
    Some(Opened { layout, salt: Salt::new(salt) })
}

fn json(value: &impl Serialize) -> Option<Value> {
    serde_json::to_value(value).ok()
}
