use chrono::TimeDelta;
use subtle::ConstantTimeEq;

use super::{Caller, Credential};
use crate::entropy::Token;
use crate::store::{Failure, Session, Snapshot};
use engine::Seat;
use record::Logged;
use record::proof;

/// An `Idempotency-Key`: 1 to 255 visible ASCII characters, compared as bytes.
///
/// On create and join, where no seat stands behind the caller yet, it is the caller's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// How many characters the shortest key has that may stand for a seat.
pub(crate) const SHORTEST_SECRET: usize = 32;

/// How many characters the longest key has.
pub(crate) const LONGEST_KEY: usize = 255;

impl Key {
    /// Reads what stands in the header; none where it is no key.
    pub fn parse(text: &str) -> Option<Self> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        (visible && (1..=LONGEST_KEY).contains(&text.len())).then(|| Self(text.to_owned()))
    }

    /// The bytes, as they go into a hash.
    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The token that it gives for a seat of a game.
    pub(super) fn token_of(&self, stored: &Snapshot, seat: Seat) -> Token {
        Token::derive(self.bytes(), stored.id, seat, stored.token_salt())
    }

    /// Whether it is long enough to stand for a seat.
    pub fn is_secret(&self) -> bool {
        self.0.len() >= SHORTEST_SECRET
    }
}

/// Shows nothing, so that no log line ever has a key.
impl std::fmt::Debug for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Key(…)")
    }
}

/// A request that may be repeated: the key that names it, and what a repeat must be equal in.
#[derive(Clone, Debug)]
pub(crate) struct Repeatable {
    /// What the client named it.
    pub key: Key,
    /// The path below the game, such as `/fire`.
    pub path: &'static str,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

/// Sixteen bytes that tell requests apart and nothing of what is in them.
pub(super) type Fingerprint = [u8; 16];

/// Under which name a seat's request is kept: HMAC-SHA-256(token, "naval-battle/request/1" ‖ key).
fn request(token: &[u8], key: &Key) -> Fingerprint {
    cut(proof::mac(token, &[b"naval-battle/request/1", key.bytes()]))
}

impl Repeatable {
    /// What a repeat must be equal in: HMAC-SHA-256(token, "naval-battle/print/1" ‖ path ‖ 0 ‖ body).
    pub(super) fn fingerprint(&self, token: &[u8]) -> Fingerprint {
        cut(proof::mac(token, &[b"naval-battle/print/1", self.path.as_bytes(), &[0], &self.body]))
    }

    /// Under which name a creation is kept: SHA-256("naval-battle/create/1" ‖ key).
    pub(super) fn creation(&self) -> proof::Hash {
        proof::hash(&[b"naval-battle/create/1", self.key.bytes()])
    }

    /// What a repeated creation must be equal in: HMAC-SHA-256(key, body).
    pub(super) fn creation_fingerprint(&self) -> Fingerprint {
        cut(proof::mac(self.key.bytes(), &[&self.body]))
    }
}

/// How long a reply with a token is repeated.
const REPEATED_FOR: TimeDelta = TimeDelta::hours(24);

/// Whether the last of these events is too long ago for its reply to be repeated with a token.
pub(super) fn has_passed(log: &[Logged], stored: &Snapshot) -> Result<bool, Failure> {
    let inconsistent = Failure::Inconsistent { table: "events", column: "body", game: stored.id };
    let last = log.last().and_then(|event| record::read(&event.body).ok()).ok_or(inconsistent)?;
    Ok(stored.now - last.at >= REPEATED_FOR)
}

/// Whether two fingerprints are equal, in constant time.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

impl Caller {
    /// Whether the caller's key named a request that is not kept with a move: the one that took the
    /// guest's seat, or one for a rematch.
    pub(super) async fn has_key_in_use(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        seat: Seat,
    ) -> Result<bool, Failure> {
        Ok(self.joined_by_key(stored, seat) || self.has_rematch_key(session, stored).await?)
    }

    /// Whether the caller's key named a request for a rematch.
    pub(super) async fn has_rematch_key(&self, session: &mut Session, stored: &Snapshot) -> Result<bool, Failure> {
        match self.request().filter(|_| stored.game.ending().is_some()) {
            Some(request) => Ok(session.find_rematch_request(stored.id, &request).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Whether the caller joined the game with this key, which is then the secret of their token.
    pub(super) fn joined_by_key(&self, stored: &Snapshot, seat: Seat) -> bool {
        match (&self.token, &self.key) {
            (Credential::Token(token), Some(key)) => {
                seat == Seat::Guest && key.is_secret() && key.token_of(stored, seat) == *token
            }
            (Credential::Nothing | Credential::Invalid | Credential::Token(_), _) => false,
        }
    }

    /// Under which name the caller's request is kept: known before anything is looked up.
    pub(super) fn request(&self) -> Option<Fingerprint> {
        match (&self.token, &self.key) {
            (Credential::Token(token), Some(key)) => Some(request(token.bytes(), key)),
            (Credential::Nothing | Credential::Invalid | Credential::Token(_), _) => None,
        }
    }
}

#[expect(clippy::expect_used, reason = "a hash is longer")]
fn cut(hash: proof::Hash) -> Fingerprint {
    *hash.first_chunk().expect("a hash has sixteen bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_some_length() {
        for key in ["a", "!~", &"x".repeat(255)] {
            assert!(Key::parse(key).is_some(), "{key}");
        }
        for key in ["", "a b", " a", "ä", "a\u{7f}", "a\t", &"x".repeat(256)] {
            assert!(Key::parse(key).is_none(), "{key}");
        }
        assert_eq!(format!("{:?}", Key::parse("secret")), "Some(Key(…))");
    }

    #[test]
    fn path_and_body_cannot_be_shifted_into_each_other() {
        let fingerprint = |path, body: &str| {
            Repeatable { key: Key::parse("k").unwrap(), path, body: body.into() }.fingerprint(&[1; 32])
        };

        assert_ne!(fingerprint("/fire", "x"), fingerprint("/firex", ""));
        assert_ne!(fingerprint("/fire", ""), fingerprint("/place", ""));
        assert_eq!(fingerprint("/fire", "x"), fingerprint("/fire", "x"));
    }
}
