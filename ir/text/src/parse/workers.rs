//! What is done with units of the module as soon as each has been read.

use terrace_ir::Ir;

/// Works on a unit and appends what becomes of it to a text; false if that can't be done without the rest of the file
pub type Worker<'t> = Box<dyn FnMut(&mut Ir, &mut String) -> bool + 't>;

/// Makes a worker for each thread
pub type Workers<'t> = dyn Fn() -> Worker<'t> + Sync + 't;

/// What is done with units of the module
pub(super) struct Taken<'a> {
    pub workers: &'a Workers<'a>,
    pub worker: Worker<'a>,
    pub text: String,
    /// Units around those that are taken, once one was
    pub level: Option<usize>,
}

impl<'a> Taken<'a> {
    pub(super) fn new(workers: &'a Workers<'a>, level: Option<usize>) -> Taken<'a> {
        Taken { workers, worker: workers(), text: String::new(), level }
    }

    /// What was written on another thread, of units on this level
    pub(super) fn append(&mut self, level: usize, text: &str) {
        self.level = Some(level);
        self.text.push_str(text);
    }

    /// Was what was taken directly inside of the module that the file is?
    pub(super) fn fits(&self, file_is_module: bool) -> bool {
        self.level.is_none_or(|level| level == usize::from(file_is_module))
    }
}
