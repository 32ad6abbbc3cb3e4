//! Unpacks the networks that are embedded, so that a program that starts need not.

use miniz_oxide::inflate::decompress_to_vec_zlib;
use std::path::Path;
use std::{env, fs};

/// Bytes of a file's header, before what is compressed.
const HEADER: usize = 24;

fn main() {
    let folder = |name: &str| env::var(name).expect("cargo sets it");
    let weights = Path::new(&folder("CARGO_MANIFEST_DIR")).join("../../weights");
    let out = folder("OUT_DIR");
    for rule in ["reversed", "normal"] {
        let file = weights.join(rule).with_extension("bin");
        println!("cargo::rerun-if-changed={}", file.display());
        let bytes = fs::read(&file).expect("the weights are part of the repository");
        let plain = decompress_to_vec_zlib(&bytes[HEADER..]).expect("they are not damaged");
        fs::write(Path::new(&out).join(rule), plain).expect("the folder can be written to");
    }
}
