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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn written(bytes: &[u8]) -> String {
        bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        })
    }

    fn stream(mut dice: SeededDice, words: usize) -> String {
        (0..words).map(|_| written(&dice.next().to_le_bytes())).collect()
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
}
