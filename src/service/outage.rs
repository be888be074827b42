//! Time in which nobody could act, and what it makes of deadlines (R30).

use chrono::{DateTime, TimeDelta, Utc};

use super::Games;
use crate::deadlines::GAP;
use crate::store::{Failure, Gap, ONLY_PART, Session, Snapshot, Spread};
use engine::{Event, Status};

/// As many events at the end of a log as can have one deadline, but for those of one moment: a layout that is not the
/// second leaves the deadline as it is.
const OF_ONE_DEADLINE: u16 = 3;

impl Games {
    /// Lists the gaps that may have taken time from games whose deadlines have passed, all in one part of the database.
    pub(super) async fn gaps_in<'a>(
        &self,
        session: &mut Session,
        overdue: impl IntoIterator<Item = &'a Snapshot>,
    ) -> Result<Vec<Gap>, Failure> {
        let Some((since, game)) = overdue.into_iter().map(|late| (set_at_the_earliest(late), late.id)).min() else {
            return Ok(Vec::new());
        };
        let node = session.node_of(game).await?;
        let part = match self.store.spread() {
            Spread::One => ONLY_PART,
            Spread::Nodes => self.heart.part_of(node).ok_or(Failure::Unavailable("its node is not known yet"))?,
        };
        session.list_gaps(part, since, self.heart.reached(part)).await
    }

    /// What is to be written of a game whose deadline has passed: its end, or that the deadline moves on; nothing where
    /// none has.
    pub(super) async fn event_due(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        gaps: &[Gap],
    ) -> Result<Option<Event>, Failure> {
        let Some(until) = stored.due_at else { return Ok(None) };
        let earliest = set_at_the_earliest(stored);
        let mut lost = seconds_lost(earliest, until, gaps)?;
        if lost > 0 {
            lost = seconds_lost(set_at(session, stored, until).await?, until, gaps)?;
        }
        let event = if lost > 0 { engine::extend(&stored.game, lost) } else { engine::time_out(&stored.game) };
        Ok(event.ok())
    }
}

/// How many seconds of the time that a deadline gave nobody could use, rounded up, those included by which it moves on.
///
/// The deadline was set while the database could be reached, so of a gap that then was over but for a beat nothing
/// counts.
fn seconds_lost(since: DateTime<Utc>, until: DateTime<Utc>, gaps: &[Gap]) -> Result<u32, Failure> {
    let mut moved = until;
    let mut free_from = since;
    for gap in gaps {
        let (from, to) = (gap.from.max(free_from), gap.to);
        if from >= moved {
            break;
        }
        if (to - from).to_std().is_ok_and(|lost| lost > GAP) {
            moved = moved.checked_add_signed(to - from).ok_or(ENDLESS)?;
            free_from = to;
        }
    }
    let lost = moved - until;
    let seconds = lost.num_seconds() + i64::from(lost > TimeDelta::seconds(lost.num_seconds()));
    u32::try_from(seconds).map_err(|_| ENDLESS)
}

const ENDLESS: Failure = Failure::Program("an outage without end");

/// A moment that is not after the one at which a game's deadline was set.
fn set_at_the_earliest(stored: &Snapshot) -> DateTime<Utc> {
    let clock = stored.game.options().turn_seconds.map(|seconds| TimeDelta::seconds(seconds.into()));
    match stored.game.status() {
        Status::Placing | Status::Battle => {
            stored.due_at.zip(clock).map_or(stored.created_at, |(until, clock)| until - clock)
        }
        Status::Waiting | Status::Finished | Status::Aborted => stored.created_at,
    }
}

/// When a game's deadline was set: with the first of the events after which it stood.
async fn set_at(session: &mut Session, stored: &Snapshot, until: DateTime<Utc>) -> Result<DateTime<Utc>, Failure> {
    let before = stored.version.saturating_sub(u32::from(OF_ONE_DEADLINE));
    let events = session.list_events(stored.id, before, OF_ONE_DEADLINE).await?;
    let first = events.iter().rev().take_while(|event| event.standing.until == Some(until)).last();
    let recorded = first.and_then(|event| record::read(&event.body).ok());
    let inconsistent = Failure::Inconsistent { table: "events", column: "body", game: stored.id };
    recorded.map(|recorded| recorded.at).ok_or(inconsistent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(milliseconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(milliseconds)
    }

    fn gap(from: i64, to: i64) -> Gap {
        Gap { from: at(from), to: at(to) }
    }

    #[test]
    fn r30_a_deadline_moves_on_by_what_was_lost_of_its_time() {
        let lost = |gaps: &[Gap]| seconds_lost(at(0), at(15_000), gaps).unwrap();

        assert_eq!(lost(&[]), 0);
        assert_eq!(lost(&[gap(5_000, 23_000)]), 18, "also by what lay behind it");
        assert_eq!(lost(&[gap(-9_000, 2_000)]), 2, "not by what was lost before it was set");
        assert_eq!(lost(&[gap(15_000, 80_000)]), 0, "nothing of its time was lost");
        assert_eq!(lost(&[gap(14_999, 16_000)]), 2, "rounded up");
        assert_eq!(lost(&[gap(-9_000, 500)]), 0, "it was set before the first beat");
        assert_eq!(lost(&[gap(1_000, 5_000), gap(16_000, 20_000)]), 8, "its time went on into the second");
        assert_eq!(lost(&[gap(1_000, 5_000), gap(19_000, 20_000)]), 4, "its time was over before the second");
        assert_eq!(lost(&[gap(1_000, 5_000), gap(2_000, 6_000)]), 5, "nothing counts twice");
    }

    proptest! {
        /// A clock that is looked at each tenth of a second, and stands still in each gap, runs out when the deadline
        /// says, to the second.
        #[test]
        fn r30_whoever_is_to_act_has_the_whole_time(
            clock in 10_i64..60,
            before in 0_i64..200,
            pauses_and_lengths in prop::collection::vec((1_i64..200, 10_i64..200), 0..6),
        ) {
            let mut last = -before;
            let mut gaps = Vec::new();
            for (pause, length) in pauses_and_lengths {
                gaps.push(gap((last + pause) * 100, (last + pause + length) * 100));
                last += pause + length;
            }
            let is_a_moment = |gap: &Gap| gap.from < at(0) && gap.to <= at(900);
            let all = gaps.clone();
            gaps.retain(|gap| !is_a_moment(gap));
            let stands_still = |tick: i64| gaps.iter().any(|gap| gap.from <= at(tick * 100) && at(tick * 100) < gap.to);
            let mut left = clock * 10;
            let mut tick = 0;
            while left > 0 {
                left -= i64::from(!stands_still(tick));
                tick += 1;
            }

            let lost = i64::from(seconds_lost(at(0), at(clock * 1_000), &all).unwrap());

            let more = tick - clock * 10;
            prop_assert_eq!(lost, (more + 9) / 10);
        }
    }
}
