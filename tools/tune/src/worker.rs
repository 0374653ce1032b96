//! The process that measures: it reads trials, writes answers, and stays warm from one to the next.
//!
//! It holds the workers of back ends too. It may be damaged by what it runs, so it ends after a program that crashed or was
//! wrong, and after [`MOST`] trials, since code of programs stays in its workers. Whoever started it starts the next one.

mod attempt;
mod watch;

use crate::args::Serving;
use crate::errors::environment;
use attempt::Attempts;
use std::io::BufReader;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use terrace_diag::Diagnostic;
use terrace_native_client::{Turn, orphan};
use terrace_opt::Tool;
use terrace_search_trials::{
    About, Answer, Greeting, Input, LONGEST_TRIAL, Said, Served, Status, Trial, VERSION, Wrong, lines,
};
use watch::Watch;

/// Trials that one process answers
const MOST: u32 = 1000;

/// Answer the lines of standard input until it ends, or this process is to end
pub(crate) fn serve(tool: Tool, serving: &Serving, about: Option<About>) -> Result<(), Diagnostic> {
    let watch = Watch::start().map_err(|error| environment(format!("no answers can be written: {error}")))?;
    let process = std::process::id();
    let turn = serving.turn.as_deref().map(|file| turn(file, &watch)).transpose()?;
    watch.say(&Said::Greeting(Greeting { greeting: VERSION, process, about }));
    let mut attempts = Attempts::new(tool, serving.results.clone(), turn);
    let input = input();
    let mut trials = 0;
    while let Ok(line) = input.recv() {
        let answer = match line {
            Ok(Input::Line(line) | Input::Half(line)) => match Trial::read(&line) {
                Ok(trial) => attempts.answer(&trial, &watch),
                Err((id, wrong)) => no_trial(id, &wrong),
            },
            Ok(Input::Wrong(wrong)) => no_trial(None, &wrong),
            Err(error) => return Err(environment(format!("standard input cannot be read: {error}"))),
        };
        trials += 1;
        let damaged = matches!(answer.status, Status::Wrong | Status::Crashed);
        let ends = damaged || trials == MOST;
        watch.end(Answer { worker: Some(Served { process, trials, ends }), ..answer });
        if ends {
            break;
        }
    }
    Ok(())
}

/// The turn on this machine; a name without a folder is one for all searches of the user
fn turn(file: &Path, watch: &Watch) -> Result<Turn, Diagnostic> {
    let file = std::env::temp_dir().join(file);
    let watch = watch.clone();
    Turn::new(&file, move |waits| watch.waits(waits))
        .map_err(|error| environment(format!("`{}` cannot be locked: {error}", file.display())))
}

/// The answer to a line that is no trial
pub(crate) fn no_trial(id: Option<String>, wrong: &Wrong) -> Answer {
    Answer::failed(id, Status::Garbage, wrong.to_string())
}

/// Lines as they come. Where this process was started by another one, the end of its input is the end of that
fn input() -> std::sync::mpsc::Receiver<std::io::Result<Input>> {
    let (send, receive) = sync_channel(1);
    std::thread::spawn(move || {
        for line in lines(BufReader::new(std::io::stdin()), LONGEST_TRIAL) {
            if send.send(line).is_err() {
                return;
            }
        }
        orphan::end_group_if_asked();
    });
    receive
}
