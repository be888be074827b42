use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};

use super::Dice;

/// Dice that a seed determines: the key stream of `ChaCha20` (RFC 8439) in words of 64 bits, the
/// seed being the key, the nonce zero, the block counter from 0.
///
/// The same seed gives the same numbers in every release, whatever becomes of the crates behind
/// them: the tests hold them against vectors of the standard.
pub struct SeededDice(ChaCha20Rng);

impl SeededDice {
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
