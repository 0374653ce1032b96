//! Progress of long work: a moving line on a terminal, plain lines elsewhere

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// One long step
///
/// On a terminal a spinner shows what is going on; elsewhere nothing is drawn, and only the first
/// and the last line are printed.
pub struct Step {
    bar: ProgressBar,
    start: Instant,
    title: String,
}

impl Step {
    /// Begin, saying what is done
    pub fn start(title: &str) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {prefix}: {wide_msg}");
            let style = style.expect("the template is a constant and was tried");
            let bar = ProgressBar::new_spinner().with_style(style).with_prefix(title.to_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        } else {
            say!("{title} …");
            ProgressBar::hidden()
        };
        Step { bar, start: Instant::now(), title: title.to_owned() }
    }

    /// What is going on inside of it now
    pub fn now(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Print a line above the moving one
    pub fn line(&self, line: &str) {
        self.bar.suspend(|| say!("{line}"));
    }

    /// End, saying how it went and how long it took
    pub fn end<T, E>(self, outcome: &Result<T, E>) {
        self.bar.finish_and_clear();
        let verb = if outcome.is_ok() { "done" } else { "failed" };
        say!("{} {verb} in {:.1} s", self.title, self.start.elapsed().as_secs_f64());
    }
}
