//! Randomness from the operating system: the only place where ids, tokens, salts and coins
//! come from.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rand::TryRng as _;
use rand::rngs::SysRng;
use uuid::{Builder, Uuid};

use engine::{Seat, SeededDice};
use record::proof::{self, Hash, Salt, Seed};

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no randomness")]
pub struct NoEntropy(#[source] rand::rngs::SysError);

/// What opens a seat: 32 random bytes, shown once to the player and kept as a hash alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl Token {
    /// Draws a token that nobody can guess.
    ///
    /// # Errors
    ///
    /// [`NoEntropy`].
    pub fn draw() -> Result<Self, NoEntropy> {
        bytes().map(Self)
    }

    /// The token that a client's own secret gives for a seat: the same on every repeat.
    ///
    /// HMAC-SHA-256(secret, "naval-battle/token/1" ‖ game ‖ seat ‖ salt).
    pub fn derive(secret: &[u8], game: Uuid, seat: Seat, salt: &[u8]) -> Self {
        Self(proof::mac(secret, &[b"naval-battle/token/1", game.as_bytes(), &[number(seat)], salt]))
    }

    /// The token of the same seat in the rematch: whoever has this one finds it again.
    ///
    /// HMAC-SHA-256(this token, "naval-battle/rematch/1" ‖ game ‖ seat).
    pub fn for_rematch(&self, game: Uuid, seat: Seat) -> Self {
        Self(proof::mac(&self.0, &[b"naval-battle/rematch/1", game.as_bytes(), &[number(seat)]]))
    }

    /// Reads the one spelling of a token: 43 characters of base64url without padding.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The token as bytes, to be hashed or compared.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// 43 characters of base64url: for the player's eyes only.
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

fn number(seat: Seat) -> u8 {
    match seat {
        Seat::Host => 0,
        Seat::Guest => 1,
    }
}

/// Shows nothing, so that no log line ever tells a token.
impl std::fmt::Debug for Token {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Token(…)")
    }
}

/// Draws so many random bytes.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn bytes<const COUNT: usize>() -> Result<[u8; COUNT], NoEntropy> {
    let mut bytes = [0; COUNT];
    SysRng.try_fill_bytes(&mut bytes).map_err(NoEntropy)?;
    Ok(bytes)
}

/// Draws what blinds one seat's commitment.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn salt() -> Result<Salt, NoEntropy> {
    bytes().map(Salt::new)
}

/// Throws a coin for who shoots first (R22).
///
/// # Errors
///
/// [`NoEntropy`].
pub fn coin() -> Result<Seat, NoEntropy> {
    let [byte] = bytes()?;
    Ok(if byte.is_multiple_of(2) { Seat::Host } else { Seat::Guest })
}

/// Gives dice that nobody can foretell.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn dice() -> Result<SeededDice, NoEntropy> {
    bytes().map(SeededDice::from_seed)
}

/// Draws the seed of a bot.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn bot_seed() -> Result<Seed, NoEntropy> {
    bytes().map(Seed::new)
}

/// A game's id: a version 7 UUID of the moment at which the database creates it.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn game_id(at: DateTime<Utc>) -> Result<Uuid, NoEntropy> {
    Ok(Builder::from_unix_timestamp_millis(millis(at), &bytes()?).into_uuid())
}

/// The id of an ended game's rematch: a version 7 UUID of the moment at which it ended, and for
/// the rest of SHA-256("naval-battle/rematch/1" ‖ game ‖ head); of one in place of a rematch that was
/// aborted, of SHA-256("naval-battle/rematch/1" ‖ game ‖ head ‖ the aborted one).
#[expect(clippy::expect_used, reason = "a hash has 32 bytes")]
pub fn rematch_id(ended_at: DateTime<Utc>, game: Uuid, head: &Hash, aborted: Option<Uuid>) -> Uuid {
    let aborted = aborted.as_ref().map_or(&[][..], |aborted| aborted.as_bytes());
    let hash = proof::hash(&[b"naval-battle/rematch/1", game.as_bytes(), head, aborted]);
    let random = hash.first_chunk().expect("ten bytes of a hash");
    Builder::from_unix_timestamp_millis(millis(ended_at), random).into_uuid()
}

/// Milliseconds since 1970.
#[expect(clippy::expect_used, reason = "a database whose clock is wrong by decades must write no game")]
fn millis(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis()).expect("a moment after 1970")
}

/// A request's id: 16 hex digits, for telling log lines apart and nothing else.
#[expect(clippy::disallowed_methods, reason = "this is where randomness comes from")]
pub fn request_id() -> String {
    hex::encode(rand::random::<[u8; 8]>())
}

#[cfg(test)]
mod tests {
    use engine::Dice as _;

    use super::*;

    #[test]
    fn drawn_dice_differ() {
        let [one, other] = [(); 2].map(|()| dice().unwrap().next());

        assert_ne!(one, other);
    }
}
