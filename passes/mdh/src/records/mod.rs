//! The pass `mdh-apply-records`: computations get the schedules that searches found for them.
//!
//! It runs before anything else changes a computation, as searches see it. A schedule that it attaches is one that is given: the passes
//! behind it treat it as any other.
//!
//! - [`alone`]: a computation by itself, and its hash; `legal`: do the rules allow a schedule; `options`: options of the pass.

pub mod alone;
mod legal;
mod options;

use alone::{Alone, Functions};
use legal::Judge;
pub use options::INFO;
use std::sync::Arc;
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_builtin::marks::TARGET;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_ir::{Ir, OpId};
use terrace_pass::{Pass, PassCx};
use terrace_search_records::{Answer, Found, Here, Relaxed, Store, Target, Wanted, setting};

/// Records that are tried for one computation
const TRIED: usize = 8;

struct ApplyRecords {
    /// Without a store nothing is done
    opened: Option<Opened>,
}

/// A store, and what its records are wanted for
struct Opened {
    store: Arc<Store>,
    target: Target,
    relaxed: Relaxed,
    here: Here,
    /// Options for `mdh-schedule`, which judges schedules
    judge: Vec<(&'static str, String)>,
}

/// What became of a look-up
enum Outcome {
    /// A schedule, and the record that it is of
    Taken(Schedule, Box<Found>),
    /// None, and why
    None(String),
}

impl Pass for ApplyRecords {
    fn run(&self, cx: &mut PassCx<'_>, root: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        let Some(opened) = &self.opened else { return Ok(()) };
        let places = places(root);
        if places.is_empty() {
            return Ok(());
        }
        let judge = Judge::new(root.cx(), &opened.judge);
        let (mut taken, mut damaged) = (Vec::new(), Vec::new());
        let functions = Functions::of(root);
        for (path, op) in places {
            let Some(unit) = path.iter().try_fold(&*root, |unit, slot| unit.child(*slot)) else { continue };
            let Some(found) = opened.one(&functions, unit, op, &judge, &mut damaged) else { continue };
            let _ = cx.emit(Diagnostic::remark(None, opened.said(&found)).at(unit.span(op.id())));
            if let Outcome::Taken(schedule, _) = found {
                taken.push((path, op, schedule));
            }
        }
        drop(functions);
        for (path, op, schedule) in &taken {
            set(root, path, *op, schedule);
        }
        for (segment, lines) in damaged {
            let folder = opened.store.folder().display();
            let count = if lines == 1 { "1 damaged line".into() } else { format!("{lines} damaged lines") };
            let said = format!("{count} of `{segment}` in `{folder}` left out");
            let help = format!("`terrace-tune records check {folder}` names them");
            let _ = cx.emit(Diagnostic::warning(&terrace_search_records::codes::DAMAGED, said).help(help));
        }
        cx.count("records applied", taken.len() as u64);
        cx.set_changed(!taken.is_empty());
        Ok(())
    }
}

impl Opened {
    /// Look a computation up that has no schedule; `None` where there is nothing to say of it
    fn one(
        &self,
        functions: &Functions<'_>,
        unit: &Ir,
        op: Compute,
        judge: &Judge,
        damaged: &mut Vec<(String, u64)>,
    ) -> Option<Outcome> {
        if unit.discardable(op.id(), SCHEDULE).is_some() {
            return None;
        }
        // What is for another processor than the rest of the program (`func-multi-version`) is looked up for that.
        let own = unit.discardable(unit.root(), TARGET).and_then(|attr| attr.as_str(unit.cx()));
        let target = match own.map(Device::find) {
            Some(Ok(device)) => Target { device, ..self.target.clone() },
            Some(Err(_)) => return None,
            None => self.target.clone(),
        };
        let alone = Alone::of(functions, unit, op);
        let wanted = Wanted {
            program: alone.hash(),
            target: target.hash(),
            compiler: self.here.compiler.hash(),
            machine: setting::of_machine(&self.here.machine),
        };
        let answer = match self.store.look_up(&wanted, self.relaxed, TRIED) {
            Ok(answer) => answer,
            Err(why) => return Some(Outcome::None(format!("no record: {why}"))),
        };
        damaged.clone_from(&answer.damaged);
        Some(self.best(&alone, answer, judge))
    }

    /// The first record whose schedule the rules allow
    fn best(&self, alone: &Alone, answer: Answer, judge: &Judge) -> Outcome {
        let mut refused = answer.unreadable.clone();
        let none = why_none(&answer);
        for found in answer.found {
            match judge.schedule(alone, &found.record.schedule) {
                Ok(schedule) => return Outcome::Taken(schedule, Box::new(found)),
                Err(why) => refused.push(format!("record {} is refused: {why}", found.id.short())),
            }
        }
        Outcome::None(if refused.is_empty() {
            none
        } else {
            format!("no record is taken: {}", refused.join("; "))
        })
    }

    fn said(&self, outcome: &Outcome) -> String {
        let found = match outcome {
            Outcome::None(why) => return why.clone(),
            Outcome::Taken(_, found) => found,
        };
        let (id, record) = (found.id.short(), &found.record);
        let gain = record
            .gain()
            .map_or(String::new(), |gain| format!(", {gain:.2} × the schedule chosen without measuring"));
        let mut said = format!(
            "schedule of record {id}: {:.3} ms{gain}, on {}",
            record.seconds * 1e3,
            record.about.machine
        );
        if record.machine != setting::of_machine(&self.here.machine) {
            said.push_str("; this machine is another one");
        }
        if record.compiler != self.here.compiler.hash() {
            said.push_str(&format!("; by another compiler: {}", record.about.compiler));
        }
        said
    }
}

/// Why an answer has no record
fn why_none(answer: &Answer) -> String {
    let mut reasons = Vec::new();
    if answer.other_machine {
        reasons.push("of other machines (`any-machine` takes them)");
    }
    if answer.other_compiler {
        reasons.push("of other compilers (`any-compiler` takes them)");
    }
    if answer.other_target {
        reasons.push("for other targets or numbers of threads");
    }
    match reasons.is_empty() {
        true => "no record of this computation".into(),
        false => format!("no record is taken: there are some {}", reasons.join(", and some ")),
    }
}

/// All computations of a tree, with the slots that lead to their units
pub fn places(root: &Ir) -> Vec<(Vec<OpId>, Compute)> {
    let mut all = Vec::new();
    let mut pending = vec![(Vec::new(), root)];
    while let Some((path, unit)) = pending.pop() {
        let mut inner = Vec::new();
        for op in unit.walk() {
            if let Some(child) = unit.child(op) {
                inner.push(([path.as_slice(), &[op]].concat(), child));
            } else if let Some(op) = Compute::cast(unit, op) {
                all.push((path.clone(), op));
            }
        }
        // The first one is the next.
        pending.extend(inner.into_iter().rev());
    }
    all
}

fn set(root: &mut Ir, path: &[OpId], op: Compute, schedule: &Schedule) {
    let mut unit = root;
    for slot in path {
        match unit.child_mut(*slot) {
            Some(child) => unit = child,
            None => return,
        }
    }
    let attr = schedule::to_attr(unit.cx(), &schedule.steps);
    unit.set_attr(op.id(), SCHEDULE, Some(attr));
}
