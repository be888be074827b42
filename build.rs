//! Tells cargo that a new migration, or another build of the page to play on, is a change of the program.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=clients/web/dist");
}
