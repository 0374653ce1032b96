//! Where finished text goes: a writer that is fed by bytes, so that memory does not grow with the output.

use std::io;

/// Bytes kept back before a write
const CHUNK: usize = 128 * 1024;

pub(super) struct Sink<'a> {
    out: &'a mut dyn io::Write,
    error: Option<io::Error>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(out: &'a mut dyn io::Write) -> Self {
        Sink { out, error: None }
    }

    /// Write the buffer out if it has become long
    #[inline]
    pub(super) fn drain(&mut self, text: &mut String) {
        if text.len() >= CHUNK {
            self.flush(text);
        }
    }

    /// Write the buffer out
    pub(super) fn flush(&mut self, text: &mut String) {
        if self.error.is_none()
            && let Err(error) = self.out.write_all(text.as_bytes())
        {
            self.error = Some(error);
        }
        text.clear();
    }

    /// The first error, if there was one
    pub(super) fn finish(mut self, text: &mut String) -> io::Result<()> {
        self.flush(text);
        self.error.map_or_else(|| self.out.flush(), Err)
    }
}
