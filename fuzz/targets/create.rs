#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| naval_battle_fuzz::laws::create(bytes));
