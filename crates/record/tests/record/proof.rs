//! Proofs are the published bytes, which anybody can work out again.

use engine::{Options, Seat};
use record::proof::{Salt, commitment, mac, root};
use testing::notation::placement;
use uuid::Uuid;

#[test]
fn rfc_4231_the_mac_is_hmac_sha_256() {
    let long = mac(&[0xaa; 131], &[b"Test Using Larger Than Block-Size Key - Hash Key First"]);
    let short = mac(b"Jefe", &[b"what do ya want ", b"for nothing?"]);

    assert_eq!(hex::encode(long), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    assert_eq!(hex::encode(short), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

#[test]
fn the_commitment_has_the_published_bytes() {
    let options = Options::default();
    let layout = placement("A1>5 A3>4 A5>3 A7>3 A9v2", "J10").check(&options).unwrap();
    let salt = Salt::new(std::array::from_fn(|byte| u8::try_from(byte).unwrap()));
    let game = Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();

    let root = root(10, &layout, &salt);
    let commitment = commitment(game, &options, Seat::Host, &layout, &salt);

    assert_eq!(hex::encode(root), "8df334231772be430a74df31848ca5bbba003cf7786eed5540609a9bb3b66128");
    assert_eq!(hex::encode(commitment), "a87a62084c7d72263c862e1f238646c119a70f05c6f2aab1015da4cf24387be4");
}
