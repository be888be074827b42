//! Tells cargo that a new migration is a change of the program.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
