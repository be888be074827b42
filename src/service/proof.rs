use super::replay::inconsistent;
use super::{Declined, Error, Visit};
use record::{FalseProof, Proof};

impl Visit {
    /// Proves the answers that an event gave, to anybody and at any time.
    ///
    /// The proof tells of the event's cells alone, which the log tells of too, and costs the same whatever lies elsewhere.
    ///
    /// # Errors
    ///
    /// [`Declined::NothingToProve`] for no event, or one that answers nothing; [`Failure`](crate::store::Failure) when
    /// the database does not answer, or its rows contradict each other.
    pub(crate) async fn prove(mut self, seq: Option<u32>) -> Result<Proof, Error> {
        let before = seq.and_then(|seq| seq.checked_sub(1)).ok_or(Declined::NothingToProve)?;
        let events = self.session.list_events(self.stored.id, before, 1).await?;
        let Some(logged) = events.into_iter().next() else {
            self.is_there().await?;
            return Err(Declined::NothingToProve.into());
        };
        let wrong = |table, column| inconsistent(&self.stored, table, column);
        let recorded = record::read(&logged.body).map_err(|_| wrong("events", "body"))?;
        if Some(recorded.seq) != seq || recorded.seq != logged.seq {
            return Err(wrong("events", "seq").into());
        }
        let (owner, answers) = recorded.happened.answers().ok_or(Declined::NothingToProve)?;
        let options = *self.stored.game.options();
        let kept = self.session.find_layouts(self.stored.id, &options).await?;
        let kept = kept.of(owner).ok_or_else(|| wrong("layouts", "seat"))?;
        let commitment = self.stored.commitments.of(owner).ok_or_else(|| wrong("games", "commitment"))?;
        let cells = answers.into_iter().map(|(cell, _)| cell);
        let proof = Proof::new(recorded.seq, owner, options.grid.side(), &kept.layout, &kept.salt, cells)
            .ok_or_else(|| wrong("events", "body"))?;
        // What is given out holds, or is not given out.
        match proof.check(self.stored.id, &options, &commitment, recorded.seq, &recorded.happened) {
            Ok(()) => Ok(proof),
            Err(FalseProof::OtherContent(_)) => Err(wrong("events", "body").into()),
            Err(
                FalseProof::NothingToProve
                | FalseProof::OtherSeat
                | FalseProof::OtherCells
                | FalseProof::Astray(_)
                | FalseProof::OtherRoot,
            ) => Err(wrong("layouts", "cells").into()),
        }
    }
}
