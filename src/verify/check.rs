use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use super::printable;
use crate::schema::{
    AwaitedBody, BoardBody, FlawBody, FlawCode, GameBody, PlayerBody, ResultBody, Seal, SealsBody, Time, VerifyBody,
};
use crate::service::GameStatus;
use crate::text::{Language, Message};
use engine::{
    BySeat, Event, FirstShot, Game, GameView, Impossible, Layout, Level, Options, Placement, Seat, Ship, Status, Viewer,
};
use record::proof::{self, Hash, Salt};
use record::{Happened, Recorded};

/// What a check found.
#[derive(Debug)]
pub struct Findings {
    /// The findings as they are served.
    pub body: VerifyBody,
    /// A line for each event: its type and who acted.
    pub lines: Vec<String>,
}

/// Checks a game and its whole log; `kept` is a head that somebody kept from an earlier moment.
///
/// The chain is checked always. Once the game is opened so are both commitments, the legality of
/// both layouts, every answer, whose turn it was each time, every derived field, and the game as
/// it is shown. What is wrong is told in a language.
pub fn check(game: &GameBody, events: &[Value], kept: Option<&str>, language: Language) -> Findings {
    let mut audit = Audit::new(game);
    for (event, place) in events.iter().zip(1..) {
        audit.check_event(place, event);
    }
    audit.check_game(events);
    if kept.is_some_and(|kept| !events.iter().any(|event| event.get("head").is_some_and(|head| head == kept))) {
        audit.tell(None, FlawCode::WrongKeptHead, Message::FlawKeptHead);
    }
    audit.findings(events.len(), language)
}

/// The statuses of a game that has a result.
const ENDED: [Status; 2] = [Status::Finished, Status::Aborted];

/// A check on its way through a log.
struct Audit<'a> {
    game: &'a GameBody,
    options: Options,
    /// The layouts and salts, where the game is opened.
    opened: Option<BySeat<Opened>>,
    head: Hash,
    /// The game so far; none where the layouts are not known or the log went wrong.
    fold: Option<Game>,
    due_at: Option<DateTime<Utc>>,
    bots: BySeat<Option<Level>>,
    names: BySeat<Option<String>>,
    commitments: BySeat<Option<Hash>>,
    answers: usize,
    lines: Vec<String>,
    /// What is wrong, and with which event.
    flaws: Vec<(Option<usize>, FlawCode, Message)>,
}

/// A layout that was shown, with its salt.
#[derive(Clone, Copy)]
struct Opened {
    /// None where the layout shown breaks the rules.
    layout: Option<Layout>,
    salt: Salt,
}

impl<'a> Audit<'a> {
    fn new(game: &'a GameBody) -> Self {
        let options = Options::from(&game.options);
        let opened = opened(&game.boards.host, &options).zip(opened(&game.boards.guest, &options));
        let finished = Status::from(game.status) == Status::Finished;
        Self {
            game,
            options,
            opened: opened.filter(|_| finished).map(|(host, guest)| BySeat { host, guest }),
            head: proof::NO_HEAD,
            fold: None,
            due_at: None,
            bots: BySeat::default(),
            names: BySeat::default(),
            commitments: BySeat::default(),
            answers: 0,
            lines: Vec::new(),
            flaws: Vec::new(),
        }
    }

    fn tell(&mut self, seq: Option<usize>, code: FlawCode, message: Message) {
        self.flaws.push((seq, code, message));
    }

    fn check_event(&mut self, place: usize, event: &Value) {
        let word = |field: &str| printable(event.get(field).and_then(Value::as_str).unwrap_or(""));
        self.lines.push(format!("{} {}", word("type"), word("seat")).trim_end().to_owned());
        let Some(object) = event.as_object() else {
            return self.tell(Some(place), FlawCode::Unreadable, Message::FlawNoObject);
        };
        let Some(body) = body_of(object) else {
            return self.tell(Some(place), FlawCode::Unreadable, Message::FlawNotCanonical);
        };
        self.check_head(place, object, &body);
        let Ok(recorded) = record::read(&body) else {
            self.fold = None;
            return self.tell(Some(place), FlawCode::Unreadable, Message::FlawUnreadable);
        };
        if usize::try_from(recorded.seq) != Ok(place) {
            self.tell(Some(place), FlawCode::WrongSeq, Message::FlawSeq { seq: recorded.seq, place });
        }
        self.follow(place, &recorded);
        if let Some(game) = self.fold {
            self.check_derived(place, object, &body, &recorded, &game);
        }
    }

    /// After a wrong head the chain goes on from it, so that each lie is told once.
    fn check_head(&mut self, place: usize, object: &Map<String, Value>, body: &str) {
        let expected = proof::head(&self.head, body);
        let claimed = object.get("head").and_then(Value::as_str).unwrap_or_default();
        self.head = expected;
        if claimed != hex::encode(expected) {
            let mut head = Hash::default();
            if hex::decode_to_slice(claimed, &mut head).is_ok() {
                self.head = head;
            }
            self.tell(Some(place), FlawCode::WrongHead, Message::FlawHead);
        }
    }

    /// Goes on to the game after an event.
    fn follow(&mut self, place: usize, recorded: &Recorded) {
        if let Happened::Created { game, seat, options, name, rematch_of: _ } = &recorded.happened {
            if place != 1 {
                return self.stop(place, FlawCode::ImpossibleEvent, Message::FlawCreatedTwice);
            }
            if *game != self.game.id || *options != self.options || self.game.created_at != Time(recorded.at) {
                return self.stop(place, FlawCode::WrongGame, Message::FlawOtherGame);
            }
            self.names.of_mut(*seat).clone_from(name);
            self.fold = self.opened.map(|_| Game::new(*options, seat.other()));
            return;
        }
        if place == 1 {
            return self.stop(place, FlawCode::WrongGame, Message::FlawBeginning);
        }
        self.check_time(place, recorded);
        match &recorded.happened {
            Happened::Joined { seat, first, name, bot } => {
                self.names.of_mut(*seat).clone_from(name);
                *self.bots.of_mut(*seat) = *bot;
                self.check_first(place, *first);
            }
            Happened::Placed { seat, commitment } => self.check_placed(place, *seat, *commitment),
            Happened::Fired { shots, .. } if self.fold.is_some() => self.answers += shots.len(),
            Happened::Fired { .. }
            | Happened::Created { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired => {}
        }
        let layouts = self.opened.map_or_else(BySeat::default, |opened| BySeat::from_fn(|seat| opened.of(seat).layout));
        let event: Option<Event> = recorded.happened.event(&layouts);
        if let (Some(game), Some(event)) = (&mut self.fold, event)
            && let Err(impossible) = game.apply(&event)
        {
            let (code, message) = flaw_of(impossible);
            self.stop(place, code, message);
        }
    }

    /// From here on the log leads nowhere; the chain is still checked.
    fn stop(&mut self, place: usize, code: FlawCode, message: Message) {
        self.fold = None;
        self.tell(Some(place), code, message);
    }

    /// Who shoots first is thrown for only where the options leave it to chance (R22).
    fn check_first(&mut self, place: usize, first: Seat) {
        let chosen = match self.options.first {
            FirstShot::Host => Some(Seat::Host),
            FirstShot::Guest => Some(Seat::Guest),
            FirstShot::Random => None,
        };
        if self.fold.is_some() && chosen.is_some_and(|chosen| chosen != first) {
            self.tell(Some(place), FlawCode::WrongTurn, Message::FlawFirst);
        }
    }

    /// An action counts when it came before its deadline; a time-out comes after it (R25).
    fn check_time(&mut self, place: usize, recorded: &Recorded) {
        let Some(due_at) = self.due_at.filter(|_| self.fold.is_some()) else { return };
        let by_the_clock = matches!(recorded.happened, Happened::TimedOut { .. } | Happened::Expired);
        if by_the_clock != (recorded.at >= due_at) {
            let message = Message::FlawTime { at: record::time(recorded.at), due: record::time(due_at) };
            self.tell(Some(place), FlawCode::WrongTime, message);
        }
    }

    fn check_placed(&mut self, place: usize, seat: Seat, commitment: Hash) {
        *self.commitments.of_mut(seat) = Some(commitment);
        let Some(opened) = self.opened.map(|opened| *opened.of(seat)) else { return };
        let Some(layout) = opened.layout else {
            let message = Message::FlawLayout { seat: seat.word().to_owned() };
            return self.stop(place, FlawCode::IllegalLayout, message);
        };
        match proof::commitment(self.game.id, &self.options, seat, &layout, &opened.salt) {
            Ok(expected) if expected == commitment => {}
            Ok(_) | Err(_) => {
                let message = Message::FlawCommitment { seat: seat.word().to_owned() };
                self.tell(Some(place), FlawCode::WrongCommitment, message);
            }
        }
    }

    fn check_derived(
        &mut self,
        place: usize,
        object: &Map<String, Value>,
        body: &str,
        recorded: &Recorded,
        game: &Game,
    ) {
        self.due_at = self.due_after(recorded, game, object);
        let standing = GameStatus::of(game, self.due_at);
        let status = object.get("status") == Some(&game.status().word().into());
        let awaiting = object.get("awaiting") == json(&AwaitedBody::list(&standing)).as_ref();
        let written = record::write(recorded.seq, recorded.at, &recorded.happened.entry(), game.ending());
        let fields =
            [(status, "status"), (awaiting, "awaiting"), (written.is_ok_and(|written| written == body), "result")];
        for (_, field) in fields.into_iter().filter(|(right, _)| !right) {
            self.tell(Some(place), FlawCode::WrongDerived, Message::FlawDerived { field: field.to_owned() });
        }
    }

    /// Until when what is awaited is awaited. When a game expires is the server's to say.
    fn due_after(&self, recorded: &Recorded, game: &Game, object: &Map<String, Value>) -> Option<DateTime<Utc>> {
        match (game.status(), &recorded.happened) {
            (Status::Finished | Status::Aborted, _) => None,
            (Status::Waiting, _) => {
                let until = object.get("awaiting")?.get(0)?.get("until")?.as_str()?;
                until.parse().ok()
            }
            (Status::Placing, Happened::Placed { .. }) => self.due_at,
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
        let mut wrong: Vec<&str> = Vec::new();
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
        let says = Some(Status::from(shown.status)).filter(|status| ENDED.contains(status));
        expect(of_last("status") == json(&shown.status).as_ref() && says == ended, "status");
        expect(of_last("awaiting") == json(&shown.awaiting).as_ref(), "awaiting");
        expect(of_last("result").cloned() == json(&shown.result).filter(|result| !result.is_null()), "result");
        for (seat, player) in [(Seat::Host, &shown.players.host), (Seat::Guest, &shown.players.guest)] {
            let commitment = player.as_ref().and_then(|player| player.commitment.clone());
            expect(commitment == self.commitments.of(seat).map(hex::encode), "commitment");
        }
        if let (Some(game), Some(opened)) = (&self.fold, &self.opened) {
            let view = GameView::new(game, Viewer::Spectator);
            let board = |seat| BoardBody::new(view.boards.of(seat), Some(&opened.of(seat).salt));
            expect(shown.boards.host == board(Seat::Host) && shown.boards.guest == board(Seat::Guest), "boards");
            expect(shown.first == game.first().map(Into::into), "first");
            expect(shown.result == game.ending().map(ResultBody::from), "result");
            expect(shown.revealable.is_none(), "revealable");
            let setup = &shown.setup;
            let lengths = json(&setup.ships) == json(&self.options.fleet.ships());
            expect(lengths && setup.mines == self.options.mine_count(), "setup");
            let player = |seat, player: &Option<PlayerBody>| {
                player.as_ref().is_some_and(|player| {
                    player.placed
                        && player.name.as_ref().map(|name| &name.0) == self.names.of(seat).as_ref()
                        && player.bot == self.bots.of(seat).map(Into::into)
                        && player.bot_seed.is_some() == player.bot.is_some()
                        && player.ships_afloat == *view.ships_afloat.of(seat)
                })
            };
            expect(player(Seat::Host, &shown.players.host) && player(Seat::Guest, &shown.players.guest), "players");
        }
        if Status::from(shown.status) == Status::Finished && self.opened.is_none() {
            wrong.push("boards");
        }
        for field in wrong {
            self.tell(None, FlawCode::WrongView, Message::FlawView { field: field.to_owned() });
        }
    }

    fn findings(self, events: usize, language: Language) -> Findings {
        let complete = self.opened.is_some();
        let seal = |seat| self.commitments.of(seat).map(|_| if complete { Seal::Opened } else { Seal::Sealed });
        let commitments = SealsBody { host: seal(Seat::Host), guest: seal(Seat::Guest) };
        let ok = self.flaws.is_empty();
        let in_language = |(seq, code, message)| FlawBody { seq, code, message: language.say(&message) };
        let faults = self.flaws.into_iter().map(in_language).collect();
        let body = VerifyBody { ok, complete, events, answers: self.answers, commitments, faults };
        Findings { body, lines: self.lines }
    }
}

/// The bytes that were hashed: the event without its derived fields, in canonical JSON (RFC 8785).
fn body_of(event: &Map<String, Value>) -> Option<String> {
    let mut hashed = event.clone();
    for derived in ["status", "awaiting", "head"] {
        hashed.remove(derived);
    }
    serde_json_canonicalizer::to_string(&hashed).ok()
}

/// The layout and salt that a board shows; none where it has no salt.
fn opened(board: &BoardBody, options: &Options) -> Option<Opened> {
    let mut salt = [0; 32];
    hex::decode_to_slice(board.salt.as_deref()?, &mut salt).ok()?;
    let ship = |ship: &crate::schema::SeenShip| Ship::new(ship.start.0, ship.length, ship.direction.into());
    let mines = board.mines.iter().map(|cell| cell.0).collect();
    let placement = board.ships.iter().map(ship).collect::<Option<_>>().map(|ships| Placement { ships, mines });
    let layout = placement.and_then(|placement| placement.check(options).ok());
    Some(Opened { layout, salt: Salt::new(salt) })
}

fn flaw_of(impossible: Impossible) -> (FlawCode, Message) {
    match impossible {
        Impossible::WrongPhase => (FlawCode::ImpossibleEvent, Message::FlawPhase),
        Impossible::WrongSeat => (FlawCode::WrongTurn, Message::FlawSeat),
        Impossible::WrongCount => (FlawCode::WrongCount, Message::FlawCount),
        Impossible::WrongCell => (FlawCode::WrongCell, Message::FlawCell),
        Impossible::WrongAnswer => (FlawCode::WrongAnswer, Message::FlawAnswer),
    }
}

fn json(value: &impl Serialize) -> Option<Value> {
    serde_json::to_value(value).ok()
}
