use super::{Caller, Declined, Error, Games, ShownGame};
use crate::deadlines;
use crate::store::{Failure, Rows};
use engine::bot::{self, SeatView};
use engine::{Board, BySeat, Event, Game, Layout, Level, Seat, Status, Viewer};
use record::proof::{self, Hash, Seed};
use record::verify::{self, Findings, Flaw, Found, Opened};
use record::{GameBody, Happened, RecordedEvent};

/// All that is kept of a game, to be checked by whoever keeps it.
pub(crate) struct Audit {
    rows: Rows,
}

/// A flaw in a column.
const fn column(table: &'static str, column: &'static str) -> Flaw {
    Flaw::Row { table, column }
}

impl Games {
    /// Reads all that is kept of the caller's game, trusting none of it.
    ///
    /// # Errors
    ///
    /// As for [`Games::enter`].
    pub(crate) async fn audit(&self, caller: &Caller) -> Result<Audit, Error> {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let reading = async {
            let _place = self.under_way.places.take(caller.origin).await?;
            Ok::<_, Error>(self.store.load_rows(id).await?)
        };
        let read = tokio::time::timeout(deadlines::ANSWER, reading).await;
        let (_, found) = read.map_err(|_| Failure::Unavailable("no answer in time"))??;
        let rows = found.ok_or(Declined::NoSuchGame)?;
        caller.seat_in(&rows.game)?;
        Ok(Audit { rows })
    }
}

impl Audit {
    /// Checks the game as whoever downloads it does, with what is kept beside the log as well.
    pub(crate) fn findings(&self) -> Findings {
        let Self { rows } = self;
        let served = rows.log.iter().map(|row| record::served(&row.body, row.standing.as_ref(), &row.head));
        let events: Vec<_> = served.collect();
        let bodies: Vec<_> = rows.log.iter().map(|row| record::read(&row.body).ok()).collect();
        let kept = BySeat::from_fn(|seat| rows.layout(seat));
        let mut seen = ShownGame::through(rows.game.clone(), None, Viewer::Spectator);
        seen.show_kept(&kept);
        let commitments = commitments(&bodies);
        let known = BySeat::from_fn(|seat| self.known(seat, commitments.of(seat).map(|(_, hash)| hash)));
        let (mut findings, fold) = verify::check_kept(&GameBody::from(&seen), &events, known);

        let mut found = std::mem::take(&mut findings.found);
        found.extend(self.of_the_log());
        for more in self.of_the_layouts(&commitments) {
            // A commitment that does not hold may be told already.
            if !found.contains(&more) {
                found.push(more);
            }
        }
        found.extend(self.of_the_game(&bodies, fold.as_ref()).into_iter().map(|flaw| Found { seq: None, flaw }));
        // In the order of the log, and then what is about the game as a whole.
        found.sort_by_key(|found| found.seq.unwrap_or(usize::MAX));
        Findings { found, ..findings }
    }

    /// A seat's layout: of that in its own row and that in the game's state the one committed to.
    fn known(&self, seat: Seat, committed: Option<Hash>) -> Option<Opened> {
        let Rows { game, .. } = &self.rows;
        let kept = self.rows.layout(seat)?;
        let in_state = game.game.board(seat).map(Board::layout);
        let is_true = |layout: &Layout| {
            Some(proof::commitment(game.id, game.game.options(), seat, layout, &kept.salt)) == committed
        };
        let layout = in_state.filter(|layout| !is_true(&kept.layout) && is_true(layout)).unwrap_or(kept.layout);
        Some(Opened { layout: Some(layout), salt: kept.salt })
    }

    /// The columns of the log of which nothing is served, or nothing that can be read.
    fn of_the_log(&self) -> Vec<Found> {
        let mut found = Vec::new();
        let mut company = 0;
        for (row, place) in self.rows.log.iter().zip(1..) {
            let mut find = |name| found.push(Found { seq: Some(place), flaw: column("events", name) });
            if row.seq.and_then(|seq| usize::try_from(seq).ok()) != Some(place) {
                find("seq");
            }
            match row.standing.as_ref() {
                None => find("status"),
                // Nothing is awaited, and so no time is served.
                Some(standing) if standing.awaiting.is_empty() && standing.until.is_some() => find("due_at"),
                Some(_) => {}
            }
            // The first event of a request tells how many there are; the others tell 0.
            let span = row.span.and_then(|span| usize::try_from(span).ok());
            match (company, span) {
                (0, Some(span)) if span > 0 => company = span - 1,
                (1.., Some(0)) => company -= 1,
                (_, _) => find("span"),
            }
        }
        if company > 0 {
            found.push(Found { seq: Some(self.rows.log.len()), flaw: column("events", "span") });
        }
        found
    }

    /// The rows of the layouts, against the commitments and, of a bot, what it did with its seed.
    fn of_the_layouts(&self, commitments: &BySeat<Option<(usize, Hash)>>) -> Vec<Found> {
        let Rows { game, layouts, .. } = &self.rows;
        let mut found = Vec::new();
        for seat in Seat::BOTH {
            let place = commitments.of(seat).map(|(place, _)| place);
            let mut find = |flaw| found.push(Found { seq: place, flaw });
            match (layouts.of(seat), commitments.of(seat)) {
                (None, None) => {}
                (None, Some(_)) => find(Flaw::RowMissing("layouts")),
                (Some(_), None) => find(Flaw::RowSurplus("layouts")),
                (Some(row), Some((_, committed))) => {
                    match row.stored {
                        Err(name) => find(column("layouts", name)),
                        Ok(kept) => {
                            let options = game.game.options();
                            if proof::commitment(game.id, options, seat, &kept.layout, &kept.salt) != *committed {
                                find(Flaw::Commitment(seat));
                            }
                        }
                    }
                    if row.has_odd_seed || !self.has_right_seed(seat) {
                        find(column("layouts", "bot_seed"));
                    }
                }
            }
        }
        if self.rows.has_more_layouts {
            found.push(Found { seq: None, flaw: Flaw::RowSurplus("layouts") });
        }
        found
    }

    /// Whether the seed beside a layout is that of the bot who plays, and of nobody else.
    ///
    /// The salt of a bot comes from its seed, and so the commitment holds both. The salts of 0.2.0 do not: of
    /// its games the layout is chosen again.
    fn has_right_seed(&self, seat: Seat) -> bool {
        let Rows { game, .. } = &self.rows;
        let Some(kept) = self.rows.layout(seat) else { return true };
        match (kept.seed, game.bot.filter(|_| seat == Seat::Guest)) {
            (None, None) => true,
            (Some(seed), Some(level)) => {
                proof::bot_salt(&seed) == kept.salt || laid_by(level, &seed, &game.game) == Some(kept.layout)
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// The columns of the game that are not served, or that cannot be read, and the rows that go with it.
    fn of_the_game(&self, bodies: &[Option<RecordedEvent<'_>>], fold: Option<&Game>) -> Vec<Flaw> {
        let Rows { game, unreadable, .. } = &self.rows;
        let mut found: Vec<Flaw> = unreadable.iter().map(|name| column("games", name)).collect();
        let mut expect = |right: bool, flaw: Flaw| {
            if !right && !found.contains(&flaw) {
                found.push(flaw);
            }
        };
        if let Some(fold) = fold {
            expect(*fold == game.game, column("games", "state"));
        }
        let due_at = self.rows.log.last().and_then(|last| last.standing.as_ref()).and_then(|standing| standing.until);
        expect(game.due_at == due_at, column("games", "due_at"));
        let created = bodies.first().and_then(Option::as_ref).map(|created| &created.happened);
        if let Some(Happened::Created { rules, rematch_of, .. }) = created {
            expect(self.rows.rules == i16::from(*rules), column("games", "rules"));
            expect(game.rematch_of == *rematch_of, column("games", "rematch_of"));
        }
        let joined = bodies
            .iter()
            .flatten()
            .find_map(|event| if let Happened::Joined { bot, .. } = event.happened { Some(bot) } else { None });
        expect(game.bot == joined.flatten(), column("games", "bot"));
        let is_over = matches!(game.game.status(), Status::Finished | Status::Aborted);
        let may_have_next = is_over && !self.rows.has_foreign_next;
        expect(game.next.is_none() || may_have_next, column("games", "next_game_id"));
        let is_offered = self.rows.listed && game.game.status() == Status::Waiting;
        match self.rows.offered_at {
            None => expect(!is_offered, Flaw::RowMissing("lobby")),
            Some(at) if is_offered => expect(at == game.created_at, column("lobby", "created_at")),
            Some(_) => expect(false, Flaw::RowSurplus("lobby")),
        }
        found
    }
}

/// The event after which a bot of 0.2.0 placed: it joined with the second.
const JOINED: u32 = 2;

/// What a bot with this seed lays in a game, as the second to place and as its third event.
fn laid_by(level: Level, seed: &Seed, game: &Game) -> Option<Layout> {
    let mut joined = Game::new(*game.options(), Seat::Guest);
    let event = engine::join(&joined, None, Seat::Host).ok()?;
    joined.apply(&event).ok()?;
    let choice = bot::choose(level, &SeatView::of(&joined, Seat::Guest)?, &mut proof::bot_dice(seed, JOINED));
    match joined.play(Seat::Guest, choice.command()) {
        Ok(Event::Placed { layout, .. }) => Some(layout),
        Ok(_) | Err(_) => None,
    }
}

/// What each seat committed to first, and with which event.
fn commitments(bodies: &[Option<RecordedEvent<'_>>]) -> BySeat<Option<(usize, Hash)>> {
    let mut found: BySeat<Option<(usize, Hash)>> = BySeat::default();
    for (event, place) in bodies.iter().zip(1..) {
        if let Some(RecordedEvent { happened: Happened::Placed { seat, commitment }, .. }) = event {
            found.of_mut(*seat).get_or_insert((place, *commitment));
        }
    }
    found
}
