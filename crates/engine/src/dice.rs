use std::num::NonZeroU16;

/// Where the engine's randomness comes from: a source given from outside, never one of its own.
///
/// The same numbers give the same layouts and the same choices.
pub trait Dice {
    /// The next 64 random bits.
    fn next(&mut self) -> u64;

    /// A throw of a die with so many faces, from 0; every face comes up equally often.
    ///
    /// Lemire, *Fast Random Integer Generation in an Interval* (2019): the upper half of the
    /// product is the face, and the few products with a lower half that would favour some faces
    /// are thrown again.
    fn below(&mut self, faces: NonZeroU16) -> u16 {
        let faces = u64::from(faces.get());
        let unfair = faces.wrapping_neg() % faces;
        loop {
            let product = u128::from(self.next()) * u128::from(faces);
            let [b0, b1, b2, b3, b4, b5, b6, b7, face_low, face_high, ..] = product.to_le_bytes();
            if u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]) >= unfair {
                return u16::from_le_bytes([face_low, face_high]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for (number, face) in
            [(1, 0), (u64::MAX / 3, 0), (u64::MAX / 3 + 2, 1), (u64::MAX / 3 * 2 + 2, 2), (u64::MAX, 2)]
        {
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
}
