//! Memory in large pages, where the system has them.
//!
//! The tables of a network and of a search are read at random addresses. With
//! pages of 4 KiB nearly every read misses the TLB; with pages of 2 MiB hardly
//! any does.

#![allow(unsafe_code, reason = "advice to the system on memory; the block says why it is sound")]

/// The size of a large page.
#[cfg(any(target_os = "linux", test))]
const PAGE: usize = 2 << 20;

/// Asks the system to back the capacity of `memory` with large pages. Where it does not, reading is
/// only slower.
#[cfg(target_os = "linux")]
pub fn prefer_large_pages<T>(memory: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    let bytes = memory.capacity() * size_of::<T>();
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if bytes < skipped.saturating_add(PAGE) {
        return;
    }
    // SAFETY: the range lies within the vector's own allocation, and the advice changes neither
    // its contents nor who may touch it.
    let _ = unsafe {
        madvise(start.add(skipped).cast(), (bytes - skipped) / PAGE * PAGE, Advice::LinuxHugepage)
    };
}

/// Other systems have no such advice.
#[cfg(not(target_os = "linux"))]
pub fn prefer_large_pages<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_size_is_as_good_as_before() {
        for words in [0, 1, PAGE / 8, PAGE / 4, 3 * PAGE / 8 + 7] {
            let mut memory: Vec<u64> = Vec::with_capacity(words);
            prefer_large_pages(&mut memory);
            memory.extend(0..words as u64);
            assert!(memory.iter().copied().eq(0..words as u64));
        }
    }
}
