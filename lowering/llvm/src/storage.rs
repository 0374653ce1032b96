//! Memory of arguments: between pages that no program may touch, with marks on what is left over of its own pages.
//!
//! A candidate of a search may be wrong, and its process stays for the next one. What it writes far outside its arguments ends
//! the process at once; what it writes close to them shows in the marks.
#![allow(unsafe_code)]

use terrace_diag::Diagnostic;
use terrace_native_client::codes;

/// Alignment of buffers: a cache line, which is also the widest vector
const LINE: usize = 64;
/// Size of a huge page; larger buffers start at one, as those of the runtime do
const HUGE: usize = 2 << 20;
/// Bytes on either side that no program may touch
const GUARD: usize = 1 << 20;
/// What stands where nothing is to be written
const MARK: u8 = 0xA5;
/// Small buffers start in different lines of their pages: arrays that begin alike share sets of the cache
const LINES: usize = 61;

/// The bytes of a buffer
pub(crate) struct Storage {
    region: *mut u8,
    mapped: usize,
    /// Pages that may be touched: first byte, and how many bytes
    open: *mut u8,
    opened: usize,
    /// Bytes in front of the buffer
    head: usize,
    len: usize,
}

impl Storage {
    /// With these bytes; the number tells it from others of the same call
    pub(crate) fn new(bytes: &[u8], number: usize) -> Result<Storage, Diagnostic> {
        let len = bytes.len();
        // SAFETY: asks for a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let (align, head) = if len >= HUGE { (HUGE, 0) } else { (page, number % LINES * LINE) };
        let opened = (head + len).max(1).next_multiple_of(page);
        let mapped = opened + align + 2 * GUARD;
        let none = std::ptr::null_mut();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory, of no file.
        let region = unsafe { libc::mmap(none, mapped, libc::PROT_NONE, flags, -1, 0) };
        if region == libc::MAP_FAILED {
            return Err(too_little(len));
        }
        let region = region.cast::<u8>();
        let skip = (region as usize + GUARD).next_multiple_of(align) - region as usize;
        // SAFETY: `mapped` has room for `opened` bytes behind the guard and the alignment.
        let open = unsafe { region.add(skip) };
        let storage = Storage { region, mapped, open, opened, head, len };
        // SAFETY: whole pages of the region above.
        if unsafe { libc::mprotect(open.cast(), opened, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
            return Err(too_little(len));
        }
        #[cfg(target_os = "linux")]
        if align == HUGE {
            // SAFETY: advice about the same pages.
            unsafe { libc::madvise(open.cast(), opened, libc::MADV_HUGEPAGE) };
        }
        // SAFETY: all of it lies within the pages that are open now.
        unsafe {
            std::ptr::write_bytes(open, MARK, head);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), open.add(head), len);
            std::ptr::write_bytes(open.add(head + len), MARK, opened - head - len);
        }
        Ok(storage)
    }

    /// Where the buffer begins
    pub(crate) fn address(&self) -> usize {
        self.open as usize + self.head
    }

    /// The bytes of the buffer
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.all()[self.head..self.head + self.len].to_vec()
    }

    /// Was nothing written around it?
    pub(crate) fn is_whole(&self) -> bool {
        let (front, rest) = self.all().split_at(self.head);
        front.iter().chain(&rest[self.len..]).all(|byte| *byte == MARK)
    }

    fn all(&self) -> &[u8] {
        // SAFETY: these pages are this storage's own, and have been written by `new`.
        unsafe { std::slice::from_raw_parts(self.open, self.opened) }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        // SAFETY: the region is this storage's own, and nothing uses it any more.
        unsafe { libc::munmap(self.region.cast(), self.mapped) };
    }
}

fn too_little(len: usize) -> Diagnostic {
    Diagnostic::error(&codes::ENTRY, format!("there is no memory for an argument of {len} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_close_by_shows() {
        for (len, number) in [(0, 0), (1, 1), (100, 2), (4096, 0), (HUGE + 3, 5)] {
            let bytes: Vec<u8> = (0..len).map(|n| n as u8).collect();
            let storage = Storage::new(&bytes, number).expect("there is memory");
            assert_eq!(storage.address() % LINE, 0);
            assert!(storage.bytes() == bytes && storage.is_whole(), "{len}");
            let last = storage.head + len;
            for at in [storage.head.checked_sub(1), Some(last).filter(|last| *last < storage.opened)] {
                let Some(at) = at else { continue };
                // SAFETY: within the pages that are open.
                unsafe { *storage.open.add(at) = 0 };
                assert!(!storage.is_whole(), "{len}: {at}");
                // SAFETY: as above.
                unsafe { *storage.open.add(at) = MARK };
            }
            assert!(storage.is_whole(), "{len}");
        }
    }
}
