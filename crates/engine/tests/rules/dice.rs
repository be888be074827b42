//! Dice: each face as often as any other, and numbers that are the same everywhere.

use std::num::NonZeroU16;

use engine::{Dice, SeededDice};

/// Numbers in a fixed order.
struct Fixed(Vec<u64>);

impl Dice for Fixed {
    fn next(&mut self) -> u64 {
        self.0.remove(0)
    }
}

fn faces(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

#[test]
fn each_face_has_its_part_of_the_numbers() {
    for (number, face) in [(1, 0), (u64::MAX / 3, 0), (u64::MAX / 3 + 2, 1), (u64::MAX / 3 * 2 + 2, 2), (u64::MAX, 2)] {
        assert_eq!(Fixed(vec![number]).below(faces(3)), face, "{number}");
    }
    assert_eq!(Fixed(vec![u64::MAX]).below(faces(420)), 419);
}

#[test]
fn a_number_that_would_favour_a_face_is_thrown_again() {
    // 2⁶⁴ is one more than a multiple of 3, so one number of all is too many.
    assert_eq!(Fixed(vec![0, u64::MAX]).below(faces(3)), 2);
    // A die whose faces divide 2⁶⁴ takes every number.
    assert_eq!(Fixed(vec![0]).below(faces(4)), 0);
}

/// So many numbers in hexadecimal, the lowest byte of each first.
fn stream(mut dice: SeededDice, numbers: usize) -> String {
    (0..numbers).map(|_| format!("{:016x}", dice.next().swap_bytes())).collect::<Vec<_>>().concat()
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
