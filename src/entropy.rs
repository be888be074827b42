//! Randomness from the operating system: the only place where ids, tokens, salts and coins
//! come from.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rand::rngs::{ChaCha20Rng, SysRng};
use rand::{Rng as _, SeedableRng as _, TryRng as _};
use uuid::{Builder, Uuid};

use crate::engine::{Dice, Seat};
use crate::proof::{self, Hash, Salt};

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no randomness")]
pub struct NoEntropy(#[source] rand::rngs::SysError);

/// What opens a seat: 32 random bytes, shown once to the player and kept as a hash alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl Token {
    /// A new token.
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

    /// The bytes.
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

/// Random bytes.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn bytes<const COUNT: usize>() -> Result<[u8; COUNT], NoEntropy> {
    let mut bytes = [0; COUNT];
    SysRng.try_fill_bytes(&mut bytes).map_err(NoEntropy)?;
    Ok(bytes)
}

/// What blinds one seat's commitment.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn salt() -> Result<Salt, NoEntropy> {
    bytes().map(Salt::new)
}

/// A thrown coin (R22).
///
/// # Errors
///
/// [`NoEntropy`].
pub fn coin() -> Result<Seat, NoEntropy> {
    let [byte] = bytes()?;
    Ok(if byte.is_multiple_of(2) { Seat::Host } else { Seat::Guest })
}

/// Dice that a seed determines: the key stream of `ChaCha20` (RFC 8439) in words of 64 bits, the
/// seed being the key, the nonce zero, the block counter from 0.
///
/// The same seed gives the same numbers in every release, whatever becomes of the crates behind
/// them: the tests hold them against vectors of the standard.
pub struct SeededDice(ChaCha20Rng);

impl SeededDice {
    /// Dice that nobody can foretell.
    ///
    /// # Errors
    ///
    /// [`NoEntropy`].
    pub fn draw() -> Result<Self, NoEntropy> {
        bytes().map(Self::from_seed)
    }

    /// The dice of a seed. Who guesses the seed knows the numbers.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(ChaCha20Rng::from_seed(seed))
    }

    /// The dice of a number, for tests and puzzles: the seed is its eight bytes, the lowest first,
    /// then zeros.
    pub fn from_number(number: u64) -> Self {
        let mut seed = [0; 32];
        for (byte, of_number) in seed.iter_mut().zip(number.to_le_bytes()) {
            *byte = of_number;
        }
        Self::from_seed(seed)
    }
}

impl Dice for SeededDice {
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// A game's id: a version 7 UUID of the moment at which the database creates it.
///
/// # Errors
///
/// [`NoEntropy`].
pub fn game_id(at: DateTime<Utc>) -> Result<Uuid, NoEntropy> {
    let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    Ok(Builder::from_unix_timestamp_millis(millis, &bytes()?).into_uuid())
}

/// The id of an ended game's rematch: a version 7 UUID of the moment at which it ended, and for
/// the rest of SHA-256("naval-battle/rematch/1" ‖ game ‖ head).
pub fn rematch_id(ended_at: DateTime<Utc>, game: Uuid, head: &Hash) -> Uuid {
    let millis = u64::try_from(ended_at.timestamp_millis()).unwrap_or_default();
    let hash = proof::hash(&[b"naval-battle/rematch/1", game.as_bytes(), head]);
    let (random, _) = hash.split_first_chunk().unwrap_or((&[0; 10], &[]));
    Builder::from_unix_timestamp_millis(millis, random).into_uuid()
}

/// A request's id: 16 hex digits, for telling log lines apart and nothing else.
#[expect(clippy::disallowed_methods, reason = "this is where randomness comes from")]
pub fn request_id() -> String {
    hex::encode(rand::random::<[u8; 8]>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(mut dice: SeededDice, words: usize) -> String {
        (0..words).map(|_| hex::encode(dice.next().to_le_bytes())).collect()
    }

    #[test]
    fn seeded_dice_are_the_key_stream_of_the_standard() {
        // RFC 8439, appendix A.1, test vectors 1 and 2: key and nonce zero, blocks 0 and 1.
        let first = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7\
                     da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586";
        let second = "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed\
                      29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
        // Vector 3: the last byte of the key is one, block 1; so the words of block 0 are skipped.
        let third = "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a";
        let mut last_is_one = [0; 32];
        last_is_one[31] = 1;

        assert_eq!(stream(SeededDice::from_seed([0; 32]), 16), format!("{first}{second}"));
        assert_eq!(stream(SeededDice::from_number(0), 8), first);
        assert_eq!(&stream(SeededDice::from_seed(last_is_one), 12)[128..], third);
    }

    #[test]
    fn a_number_is_the_lowest_bytes_of_the_seed() {
        let mut seed = [0; 32];
        seed[..7].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f]);

        assert_eq!(stream(SeededDice::from_number((1 << 53) - 1), 16), stream(SeededDice::from_seed(seed), 16));
        assert_ne!(stream(SeededDice::from_number(1), 1), stream(SeededDice::from_number(2), 1));
    }

    #[test]
    fn drawn_dice_differ() {
        let [one, other] = [(); 2].map(|()| SeededDice::draw().unwrap());

        assert_ne!(stream(one, 2), stream(other, 2));
    }
}
