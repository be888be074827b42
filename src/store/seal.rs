//! What players hide, sealed with a key that the database does not have: positions, layouts, salts
//! and the seeds of bots. Whoever reads a log of Postgres, a dump or a backup learns nothing of them.
//!
//! AES-256-GCM with a random nonce and a key of the game's own, HMAC-SHA-256(key,
//! "naval-battle/seal/1" ‖ game); the column and the seat are authenticated with it. What is sealed is
//! the mark, the first bytes of the key's name, the nonce, the sealed bytes and their tag.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac::{HMAC_SHA256, Key, sign};
use ring::rand::{SecureRandom as _, SystemRandom};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Failure, StartError};
use engine::Seat;

/// What begins all that is sealed; no form of a game or a layout has this number.
const MARK: u8 = 0xfe;

/// So many bytes of its name tell with which key something is sealed.
const NAME: usize = 4;

/// A salt or a seed that is not sealed has so many bytes.
const PLAIN: usize = 32;

/// The keys that a server has. None seals nothing.
#[derive(Default)]
pub struct Seals {
    /// Seals what is written.
    current: Option<SealKey>,
    /// Open what was sealed earlier.
    old: Vec<SealKey>,
}

/// Why keys are not taken. None of them is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SealError {
    /// It is not written as a key.
    #[error("{0} is no key: it has 64 hex digits, as `openssl rand -hex 32` prints them")]
    NoKey(&'static str),
    /// Two keys are one, or look the same from outside.
    #[error("NAVAL_BATTLE_SEAL_KEY and NAVAL_BATTLE_SEAL_KEYS_OLD have a key twice")]
    Twice,
}

/// A secret of a game, as it lies in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Secret {
    /// `games.state`
    State,
    /// `layouts.cells` of a seat
    Cells(Seat),
    /// `layouts.salt` of a seat
    Salt(Seat),
    /// `layouts.bot_seed`
    Seed,
}

struct SealKey {
    key: Key,
    /// HMAC-SHA-256(key, "naval-battle/seal-name/1"): tells nothing of the key.
    name: Vec<u8>,
}

impl Seals {
    /// Reads keys as they are configured.
    ///
    /// # Errors
    ///
    /// [`SealError`], told to whoever starts the server.
    pub fn read<'a>(current: Option<&str>, old: impl IntoIterator<Item = &'a str>) -> Result<Self, SealError> {
        let read = |name| move |text: &str| SealKey::read(text.trim()).ok_or(SealError::NoKey(name));
        let current = current.map(read("NAVAL_BATTLE_SEAL_KEY")).transpose()?;
        let old: Vec<_> = old.into_iter().map(read("A key of NAVAL_BATTLE_SEAL_KEYS_OLD")).collect::<Result<_, _>>()?;
        let seals = Self { current, old };
        let mut names: Vec<_> = seals.keys().map(SealKey::short).collect();
        names.sort_unstable();
        if names.is_sorted_by(|one, other| one < other) { Ok(seals) } else { Err(SealError::Twice) }
    }

    /// Whether what is written is sealed.
    pub(super) fn are_used(&self) -> bool {
        self.current.is_some()
    }

    /// Notes in the database which key is used, unless it is there.
    pub(super) async fn enter(&self, connection: &mut PgConnection) -> Result<(), StartError> {
        let failed = |error: sqlx::Error| StartError::Migration(super::start::reason(&error));
        if let Some(current) = &self.current {
            let noted = sqlx::query!("select key from seals where key = $1", current.name)
                .fetch_optional(&mut *connection)
                .await
                .map_err(failed)?;
            if noted.is_none() {
                sqlx::query!(
                    "insert into seals (key, since) values ($1, statement_timestamp()) on conflict (key) do nothing",
                    current.name
                )
                .execute(&mut *connection)
                .await
                .map_err(failed)?;
            }
        }
        let names =
            sqlx::query_scalar!("select key from seals order by since").fetch_all(connection).await.map_err(failed)?;
        match names.iter().find(|name| self.keys().all(|key| key.name != **name)) {
            Some(name) => Err(StartError::Sealed { name: hex::encode(name.get(..NAME).unwrap_or(name)) }),
            None => Ok(()),
        }
    }

    /// What is written in place of a secret.
    pub(super) fn seal(&self, game: Uuid, secret: Secret, plain: &[u8]) -> Result<Vec<u8>, Failure> {
        let Some(key) = &self.current else { return Ok(plain.to_vec()) };
        let mut nonce = [0; NONCE_LEN];
        let no_entropy = |_| Failure::Unavailable("the operating system gave no randomness");
        SystemRandom::new().fill(&mut nonce).map_err(no_entropy)?;
        let mut sealed = plain.to_vec();
        key.of(game)?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(secret.label()), &mut sealed)
            .map_err(|_| Failure::Program("a secret cannot be sealed"))?;
        Ok([&[MARK][..], key.short(), &nonce, &sealed].concat())
    }

    /// The secret behind what was written; a release before this one, or a server without a key, has
    /// written it as it is.
    pub(super) fn open(&self, game: Uuid, secret: Secret, written: Vec<u8>) -> Result<Vec<u8>, Failure> {
        if !secret.is_sealed(&written) {
            return Ok(written);
        }
        let (table, column) = secret.place();
        let inconsistent = || Failure::Inconsistent { table, column, game };
        let parts = written.split_at_checked(1 + NAME).and_then(|(head, rest)| {
            let (nonce, sealed) = rest.split_first_chunk()?;
            Some((head.get(1..)?, *nonce, sealed.to_vec()))
        });
        let (name, nonce, mut sealed) = parts.ok_or_else(inconsistent)?;
        let key = self.keys().find(|key| key.short() == name).ok_or(Failure::Sealed { table, column, game })?;
        let opened = key
            .of(game)?
            .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(secret.label()), &mut sealed)
            .map(|plain| plain.len())
            .map_err(|_| inconsistent())?;
        sealed.truncate(opened);
        Ok(sealed)
    }

    fn keys(&self) -> impl Iterator<Item = &SealKey> {
        self.current.iter().chain(&self.old)
    }
}

impl Secret {
    fn is_sealed(self, written: &[u8]) -> bool {
        match self {
            Self::State | Self::Cells(_) => written.first() == Some(&MARK),
            Self::Salt(_) | Self::Seed => written.len() != PLAIN,
        }
    }

    /// What binds a sealed secret to its column and seat.
    fn label(self) -> &'static [u8] {
        match self {
            Self::State => b"games.state",
            Self::Cells(Seat::Host) => b"layouts.cells/host",
            Self::Cells(Seat::Guest) => b"layouts.cells/guest",
            Self::Salt(Seat::Host) => b"layouts.salt/host",
            Self::Salt(Seat::Guest) => b"layouts.salt/guest",
            Self::Seed => b"layouts.bot_seed",
        }
    }

    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::State => ("games", "state"),
            Self::Cells(_) => ("layouts", "cells"),
            Self::Salt(_) => ("layouts", "salt"),
            Self::Seed => ("layouts", "bot_seed"),
        }
    }
}

impl SealKey {
    fn read(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = hex::decode(text).ok()?.try_into().ok()?;
        let key = Key::new(HMAC_SHA256, &bytes);
        let name = sign(&key, b"naval-battle/seal-name/1").as_ref().to_vec();
        Some(Self { key, name })
    }

    /// The first bytes of its name.
    fn short(&self) -> &[u8] {
        self.name.get(..NAME).unwrap_or_default()
    }

    /// The key of one game: no two games share nonces.
    fn of(&self, game: Uuid) -> Result<LessSafeKey, Failure> {
        let key = sign(&self.key, &[b"naval-battle/seal/1".as_slice(), game.as_bytes().as_slice()].concat());
        let key = UnboundKey::new(&AES_256_GCM, key.as_ref());
        key.map(LessSafeKey::new).map_err(|_| Failure::Program("a key of a game has another length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 2] = [
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    ];
    const GAME: Uuid = Uuid::from_u128(7);

    fn seals(current: Option<&str>, old: &[&str]) -> Seals {
        Seals::read(current, old.iter().copied()).unwrap()
    }

    #[test]
    fn what_is_sealed_opens_with_its_key_game_column_and_seat_alone() {
        let sealing = seals(Some(KEYS[0]), &[]);
        let plain = [1, 2, 3, 4];

        let sealed = sealing.seal(GAME, Secret::Cells(Seat::Host), &plain).unwrap();

        assert_eq!(sealed.len(), plain.len() + 33);
        assert!(sealed != sealing.seal(GAME, Secret::Cells(Seat::Host), &plain).unwrap());
        let rotated = seals(Some(KEYS[1]), &[KEYS[0]]);
        for reader in [&sealing, &rotated, &seals(None, &[KEYS[0]])] {
            assert_eq!(reader.open(GAME, Secret::Cells(Seat::Host), sealed.clone()).unwrap(), plain);
        }
        for (game, secret) in
            [(Uuid::nil(), Secret::Cells(Seat::Host)), (GAME, Secret::Cells(Seat::Guest)), (GAME, Secret::State)]
        {
            assert!(matches!(sealing.open(game, secret, sealed.clone()), Err(Failure::Inconsistent { .. })));
        }
        for at in 5..sealed.len() {
            let mut spoiled = sealed.clone();
            spoiled[at] ^= 1;
            assert!(sealing.open(GAME, Secret::Cells(Seat::Host), spoiled).is_err(), "{at}");
            assert!(sealing.open(GAME, Secret::Cells(Seat::Host), sealed[..at].to_vec()).is_err(), "{at}");
        }
        for stranger in [seals(None, &[]), seals(Some(KEYS[1]), &[])] {
            let opened = stranger.open(GAME, Secret::Cells(Seat::Host), sealed.clone());
            assert!(matches!(opened, Err(Failure::Sealed { .. })));
        }
    }

    #[test]
    fn what_an_earlier_release_wrote_is_read_as_it_is_even_where_a_salt_looks_sealed() {
        let sealing = seals(Some(KEYS[0]), &[]);

        for (secret, plain) in [(Secret::State, vec![1, 9]), (Secret::Salt(Seat::Host), vec![MARK; 32])] {
            assert_eq!(sealing.open(GAME, secret, plain.clone()).unwrap(), plain);
            assert_eq!(seals(None, &[]).seal(GAME, secret, &plain).unwrap(), plain);
        }
    }

    #[test]
    fn what_is_no_key_is_refused_without_being_repeated() {
        for wrong in ["", "xyzzy", &KEYS[0][1..], &format!("{}0", KEYS[0]), &KEYS[0].replace('0', "g")] {
            let refused = Seals::read(Some(wrong), []).err().unwrap();
            assert_eq!(refused, SealError::NoKey("NAVAL_BATTLE_SEAL_KEY"));
            assert!(wrong.is_empty() || !refused.to_string().contains(wrong));
            assert!(Seals::read(None, [wrong]).is_err());
        }
        assert_eq!(Seals::read(Some(KEYS[0]), [KEYS[0]]).err(), Some(SealError::Twice));
    }
}
