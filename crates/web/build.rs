//! Builds the page into the program anew when one of its files has changed.

fn main() {
    // A build script talks to cargo by standard output; nothing else is printed.
    #![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
    println!("cargo::rerun-if-changed=../../web/dist");
}
