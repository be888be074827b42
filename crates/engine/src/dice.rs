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
