//! Scratch memory for generated code: blocks that are used again instead of being faulted in anew
//!
//! Each thread keeps the blocks it frees, up to [`KEPT_BLOCKS`] and [`KEPT_BYTES`], and hands out the
//! one whose class fits. A class is the size rounded up to an eighth of its power of two, so at most
//! an eighth is wasted, together with the alignment. The oldest blocks go first; all go when the
//! thread ends. A block may be freed by another thread than its maker.
//!
//! Blocks of [`HUGE`] bytes and more start at a huge-page boundary with a request to the system to back
//! them with huge pages where it can.
//!
//! Content is undefined. Where memory does not suffice the process ends with a message, as generated
//! code has no way to go on.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;

/// Least alignment: a cache line, which is also the widest vector
const LINE: usize = 64;
/// Size of a huge page, from which on blocks are aligned to it
const HUGE: usize = 2 << 20;
/// Blocks one thread keeps
const KEPT_BLOCKS: usize = 32;
/// Bytes one thread keeps
const KEPT_BYTES: usize = 256 << 20;

/// The free blocks of a thread, oldest first
struct Kept {
    blocks: Vec<(*mut u8, Layout)>,
    bytes: usize,
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { blocks: Vec::new(), bytes: 0 }) };
}

/// Memory of at least `bytes` bytes at a multiple of `align` (a power of two) and of 64
///
/// Never null; content undefined. Nothing negative: it counts as 0.
// SAFETY: no other symbol of a program starts with `terrace_`.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_alloc(bytes: i64, align: i64) -> *mut u8 {
    let layout = class(bytes, align);
    // A thread that is ending has no list any more; then the system serves.
    let kept = KEPT.try_with(|kept| kept.try_borrow_mut().ok().and_then(|mut kept| kept.take(layout)));
    match kept {
        Ok(Some(block)) => block,
        _ => fresh(layout),
    }
}

/// Give back a block from [`terrace_alloc`]; null is ignored
///
/// # Safety
/// `block` came from `terrace_alloc` with the same `bytes` and `align`, and is not used any more.
// SAFETY: no other symbol of a program starts with `terrace_`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_free(block: *mut u8, bytes: i64, align: i64) {
    if block.is_null() {
        return;
    }
    let layout = class(bytes, align);
    let kept = KEPT.try_with(|kept| kept.try_borrow_mut().map(|mut kept| kept.put(block, layout)).is_ok());
    if kept != Ok(true) {
        // SAFETY: by this function's contract `block` was made by `fresh` with this very layout.
        unsafe { dealloc(block, layout) };
    }
}

impl Kept {
    /// The youngest block of this layout, whose memory is most likely still in a cache
    fn take(&mut self, layout: Layout) -> Option<*mut u8> {
        let at = self.blocks.iter().rposition(|(_, kept)| *kept == layout)?;
        self.bytes -= layout.size();
        Some(self.blocks.remove(at).0)
    }

    fn put(&mut self, block: *mut u8, layout: Layout) {
        self.blocks.push((block, layout));
        self.bytes += layout.size();
        while self.blocks.len() > KEPT_BLOCKS || self.bytes > KEPT_BYTES {
            let (oldest, layout) = self.blocks.remove(0);
            self.bytes -= layout.size();
            // SAFETY: blocks in the list came from `fresh` with the layout beside them, and taking
            // one out of the list makes this the last use.
            unsafe { dealloc(oldest, layout) };
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for (block, layout) in self.blocks.drain(..) {
            // SAFETY: as in `put`.
            unsafe { dealloc(block, layout) };
        }
    }
}

/// The size and alignment that stand for a request; equal requests have equal classes
fn class(bytes: i64, align: i64) -> Layout {
    let bytes = usize::try_from(bytes).unwrap_or(0).max(LINE);
    let step = (1usize << bytes.ilog2()) / 8;
    let size = bytes.checked_next_multiple_of(step.max(LINE)).unwrap_or(bytes);
    let least = if size >= HUGE { HUGE } else { LINE };
    let align = usize::try_from(align).unwrap_or(1).max(least);
    // A layout fails for an alignment that is no power of two, or a size that no machine has.
    match Layout::from_size_align(size, align) {
        Ok(layout) => layout,
        Err(_) => out_of_memory(bytes, align),
    }
}

fn fresh(layout: Layout) -> *mut u8 {
    // SAFETY: a class has at least 64 bytes.
    let block = unsafe { alloc(layout) };
    if block.is_null() {
        handle_alloc_error(layout);
    }
    #[cfg(target_os = "linux")]
    if layout.size() >= HUGE {
        // SAFETY: the range lies within the block just made and starts at a page boundary (the block
        // is aligned to HUGE). This is only advice; where it is refused nothing changes.
        unsafe { libc::madvise(block.cast(), layout.size() / HUGE * HUGE, libc::MADV_HUGEPAGE) };
    }
    block
}

fn out_of_memory(bytes: usize, align: usize) -> ! {
    eprintln!("terrace runtime: no memory of {bytes} bytes aligned to {align} can be had");
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_writable() {
        for bytes in [0, 1, 64, 100, 5000, 3 << 20] {
            for align in [1, 64, 4096] {
                let block = terrace_alloc(bytes, align);
                assert_eq!(block as usize % (align as usize).max(LINE), 0);
                // SAFETY: the block has `bytes` bytes and is given back as it was taken.
                unsafe {
                    block.write_bytes(7, bytes as usize);
                    terrace_free(block, bytes, align);
                }
            }
        }
    }

    #[test]
    fn a_freed_block_is_handed_out_again() {
        let block = terrace_alloc(10_000, 64);
        // SAFETY: each block is given back once, as it was taken.
        unsafe {
            terrace_free(block, 10_000, 64);
            let again = terrace_alloc(10_000, 64);
            let other = terrace_alloc(10_000, 64);
            assert_eq!(again, block);
            assert_ne!(other, block);
            terrace_free(again, 10_000, 64);
            terrace_free(other, 10_000, 64);
        }
    }

    #[test]
    fn lists_stay_within_their_limits() {
        let blocks: Vec<_> = (0..100).map(|_| terrace_alloc(8 << 20, 64)).collect();
        for block in blocks {
            // SAFETY: given back once, as it was taken.
            unsafe { terrace_free(block, 8 << 20, 64) };
        }
        KEPT.with_borrow(|kept| {
            assert!(kept.blocks.len() <= KEPT_BLOCKS && kept.bytes <= KEPT_BYTES);
            assert_eq!(kept.bytes, kept.blocks.iter().map(|(_, l)| l.size()).sum::<usize>());
        });
    }

    #[test]
    fn another_thread_may_free() {
        let block = terrace_alloc(4096, 64) as usize;
        let freed = std::thread::spawn(move || {
            // SAFETY: given back once, as it was taken.
            unsafe { terrace_free(block as *mut u8, 4096, 64) }
        });
        assert!(freed.join().is_ok());
    }

    #[test]
    fn a_class_wastes_an_eighth_at_most() {
        for bytes in [64, 65, 1000, 4097, 1_000_003, 1 << 30] {
            let size = class(bytes, 1).size() as i64;
            assert!(size >= bytes && size - bytes <= (bytes / 8).max(LINE as i64));
        }
    }
}
