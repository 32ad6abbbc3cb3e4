//! Files in the gzip format (RFC 1952).

use miniz_oxide::deflate::compress_to_vec;

/// How hard to compress: each file is compressed once.
const LEVEL: u8 = 9;

/// Magic number, deflate, no flags, no time, slowest method, unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];

/// The polynomial of the checksum, its bits reversed.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// A compressed file, which stays for as long as the program.
pub(super) struct Packed(&'static [u8]);

impl Packed {
    /// Compresses the bytes of a file.
    pub(super) fn new(bytes: &[u8]) -> Packed {
        let mut packed = HEAD.to_vec();
        packed.extend(compress_to_vec(bytes, LEVEL));
        packed.extend(checksum(bytes).to_le_bytes());
        packed.extend((bytes.len() as u32).to_le_bytes());
        Packed(packed.leak())
    }

    /// The compressed bytes.
    pub(super) fn bytes(&self) -> &'static [u8] {
        self.0
    }
}

/// The CRC-32 of the format.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |value: u32| if value & 1 == 1 { (value >> 1) ^ POLYNOMIAL } else { value >> 1 };
    let add = |sum: u32, &byte: &u8| (0..8).fold(sum ^ u32::from(byte), |value, _| step(value));
    !bytes.iter().fold(!0, add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(checksum(b""), 0);
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let bytes = b"fewer discs win ".repeat(100);
        let packed = Packed::new(&bytes).bytes();
        assert!(packed.len() < bytes.len() / 10);
        let (head, rest) = packed.split_at(HEAD.len());
        let (body, foot) = rest.split_at(rest.len() - 8);
        assert_eq!(head, HEAD);
        assert_eq!(decompress_to_vec(body).unwrap(), bytes);
        assert_eq!(foot[..4], checksum(&bytes).to_le_bytes());
        assert_eq!(foot[4..], 1_600_u32.to_le_bytes());
    }
}
