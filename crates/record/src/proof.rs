//! What proves that nobody moved a ship: commitments to the layouts, and the chain over the log.
//!
//! The byte forms are version 1 (the event `created` says `"rules": 1`). They never change for
//! games that were begun with them, or those games could no longer be verified.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::tree::{Tree, commitment_to};
use engine::{Layout, Options, Seat, SeededDice};

/// The version of the rules and of the byte forms that this release writes.
pub const RULES: u8 = 1;

/// Thirty-two bytes of SHA-256.
pub type Hash = [u8; 32];

/// Secrets of 32 random bytes, each of a type of its own.
macro_rules! secrets {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The one with these bytes.
            pub fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes, for the one row that keeps them.
            pub fn bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// 64 lower-case hex digits, as it is shown to whoever may see it.
            pub fn hex(&self) -> String {
                hex::encode(self.0)
            }
        }

        /// Shows nothing, so that no log line ever tells it.
        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )+};
}

secrets! {
    /// The secret that blinds one seat's commitment: 32 random bytes.
    Salt

    /// Where a bot's choices come from: 32 random bytes, secret until the game is opened, since the
    /// bot's layout comes from them too.
    Seed
}

/// What the salt of a cell is made from, before the cell.
pub(crate) const CELL_SALT: &[u8] = b"naval-battle/cell/1";

/// The head of a log that has no event yet.
pub const NO_HEAD: Hash = [0; 32];

/// The head after an event: SHA-256 over the head before it and the bytes of its body.
pub fn head(before: &Hash, body: &str) -> Hash {
    Sha256::new().chain_update(before).chain_update(body).finalize().into()
}

/// The commitment to a layout: SHA-256 over the game, its options, the seat and the root.
pub fn commitment(game: Uuid, options: &Options, seat: Seat, layout: &Layout, salt: &Salt) -> Hash {
    commitment_to(game, options, seat, root(options.grid.side(), layout, salt))
}

/// The root of the Merkle tree over all cells, from which each answer is proven ([`Proof`](crate::Proof)).
pub fn root(side: u8, layout: &Layout, salt: &Salt) -> Hash {
    Tree::new(side, layout, salt).root()
}

/// SHA-256 over the parts, one after the other.
pub fn hash(parts: &[&[u8]]) -> Hash {
    parts.iter().fold(Sha256::new(), Sha256::chain_update).finalize().into()
}

/// HMAC-SHA-256 over the parts, one after the other (RFC 2104).
pub fn mac(key: &[u8], parts: &[&[u8]]) -> Hash {
    parts.iter().fold(keyed(key), Hmac::chain_update).finalize().into_bytes().into()
}

#[expect(clippy::expect_used, reason = "HMAC takes a key of any length (RFC 2104)")]
pub(crate) fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("a key may have any length")
}

/// The salt of a bot's layout: HMAC-SHA-256(the bot's seed, "naval-battle/bot-salt/1"), so that the
/// commitment holds the seed as well.
pub fn bot_salt(seed: &Seed) -> Salt {
    Salt::new(mac(seed.bytes(), &[b"naval-battle/bot-salt/1"]))
}

/// The dice of the choice that a bot makes when its game's last event is this one: the seed is
/// HMAC-SHA-256(the bot's seed, "naval-battle/bot/1" ‖ u32 seq), so each choice is the same
/// whenever it is made, and on whichever server.
pub fn bot_dice(seed: &Seed, last: u32) -> SeededDice {
    SeededDice::from_seed(mac(seed.bytes(), &[b"naval-battle/bot/1", &last.to_be_bytes()]))
}
