//! The laws of the fuzz targets, held over their seeds and what lies near to them.

use std::fs;
use std::path::{Path, PathBuf};

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

/// How often each seed is spoiled.
const SPOILED: usize = 40;

#[test]
fn every_seed_keeps_its_law_and_so_does_what_lies_near() {
    for (target, law) in laws::ALL {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        for seed in seeds_of(target) {
            // Shown where the law stops.
            println!("{}", seed.display());
            let bytes = fs::read(&seed).unwrap();

            law(&bytes);
            for _ in 0..SPOILED {
                let spoiled = spoiled(&bytes, &mut dice);
                println!("spoiled: {:?}", String::from_utf8_lossy(&spoiled));
                law(&spoiled);
            }
        }
    }
}

#[test]
fn every_law_has_a_target_and_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let names = |list: &str| -> Vec<String> {
        let entries = fs::read_dir(folder.join(list)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };

    let mut laws: Vec<&str> = laws::ALL.iter().map(|(name, _)| *name).collect();
    laws.sort_unstable();

    assert_eq!(names("targets"), laws);
    assert_eq!(names("seeds"), laws);
    for law in laws {
        assert!(manifest.contains(&format!("path = \"targets/{law}.rs\"")), "{law} is not in the manifest");
        let target = fs::read_to_string(folder.join(format!("targets/{law}.rs"))).unwrap();
        assert!(target.contains(&format!("laws::{law}(")), "the target {law} holds another law");
        assert!(seeds_of(law).len() >= 3, "{law} has no seeds");
    }
}

fn seeds_of(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut seeds: Vec<PathBuf> =
        fs::read_dir(folder).expect("the seeds are there").map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    seeds
}

/// The bytes with one thing done to them: cut, one byte more, another or less, a part doubled.
fn spoiled(bytes: &[u8], dice: &mut impl Rng) -> Vec<u8> {
    let mut spoiled = bytes.to_vec();
    let at = dice.random_range(0..=bytes.len());
    let until = dice.random_range(at..=bytes.len());
    match dice.random_range(0..5) {
        0 => spoiled.truncate(at),
        1 => spoiled.insert(at, dice.random()),
        2 if at < until => spoiled[at] ^= 1 << dice.random_range(0..8),
        3 => drop(spoiled.splice(at..at, bytes[at..until].to_vec())),
        _ => drop(spoiled.drain(at..until)),
    }
    spoiled
}
