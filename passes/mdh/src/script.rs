//! The pass `mdh-script`: a computation takes over what a script, or a text of steps, says as its schedule.
//!
//! Only the attribute `mdh.schedule` is written; the pass that applies it checks it. A mistake stands at its place in
//! the script.

use std::ops::Range;
use terrace_diag::{Diagnostic, Reported, Span};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, OpenSchedule, SCHEDULE};
use terrace_dialect_mdh::view::View;
use terrace_frontend_tvm::{Computation, codes};
use terrace_ir::Ir;
use terrace_pass::{OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-script",
    aliases: &[],
    summary: "Give a computation the schedule that a script in the manner of `tvm.te` says, or steps do",
    docs: "Reads `split`, `reorder`, `bind`, `cache_read`, `compute_at`, `rfactor`, `tensorize` and the like as \
           (de/re)-composition steps, or such steps themselves (`1: (8,^) (^ ; ^) (THR.x,^)`), and writes them beside the \
           computation as `mdh.schedule`, in place of what was there.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[
        OptionSpec {
            name: "script",
            kind: OptionKind::Text,
            default: "",
            docs: "the script's file, or the script itself if there is a call in it; `;` ends lines as well",
        },
        OptionSpec {
            name: "compute",
            kind: OptionKind::Text,
            default: "",
            docs: "which computation; the only one of the function if nothing is said",
        },
    ],
    stats: &["schedules read"],
    make: |options| {
        let script = options.text(&INFO, "script");
        // A shell's quotes inside of a pipeline's: without them it would be a text that is not read.
        let quoted = script.strip_prefix('\'').and_then(|script| script.strip_suffix('\''));
        let script = quoted.map(String::from).unwrap_or(script);
        let (name, text) = match script.contains('(') {
            _ if script.is_empty() => return Err("`script` is a file or a text; nothing is said".into()),
            true => ("<script>".to_owned(), script),
            false => {
                let text = std::fs::read_to_string(&script)
                    .map_err(|error| format!("script `{script}`: {error}"))?;
                (script, text)
            }
        };
        let compute = options.text(&INFO, "compute").to_owned();
        Ok(Box::new(MdhScript { name, text, compute }))
    },
};

struct MdhScript {
    name: String,
    text: String,
    compute: String,
}

impl Pass for MdhScript {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let named = |op: &&Compute| {
            let name = op.name(unit).and_then(|attr| attr.as_str(unit.cx())).unwrap_or("compute");
            self.compute.is_empty() || name == self.compute
        };
        let found: Vec<Compute> = computes.iter().filter(named).copied().collect();
        let op = match found.as_slice() {
            // Functions without the computation stay as they are.
            [] => {
                cx.set_changed(false);
                return Ok(());
            }
            [op] => *op,
            [first, ..] => {
                let message = "T-NAME: a script is of one computation; say which: mdh-script{compute=NAME}";
                return cx.fail(unit, first.id(), &codes::SCRIPT, message);
            }
        };
        let computation = match Computation::of(unit, op) {
            Ok(computation) => computation,
            Err(why) => return cx.fail(unit, op.id(), &codes::SCRIPT, why),
        };
        let source = unit.cx().sources().add(&self.name, self.text.clone());
        let span = |at: &Range<usize>| Span::new(source, at.start as u32, at.end as u32);
        // Steps begin with a label, which no statement of a script does.
        let steps = self.text.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '?');
        let read = if steps {
            let groups = View::read(unit, op).map(|view| view.groups_of_reads()).unwrap_or_default();
            let draft = computation.steps(&self.text, &groups);
            draft.map(|draft| (draft, Vec::new())).map_err(|error| (error.at.clone(), error.to_string()))
        } else {
            let reading = terrace_frontend_tvm::read(&self.text, &computation);
            reading
                .map(|it| (OpenSchedule::from(&it.schedule), it.notes))
                .map_err(|error| (error.at.clone(), error.to_string()))
        };
        let (draft, notes) = match read {
            Ok(read) => read,
            Err((at, message)) => {
                return Err(cx.emit(Diagnostic::error(&codes::SCRIPT, message).at(span(&at))));
            }
        };
        for note in &notes {
            let _ = cx.emit(Diagnostic::remark(None, note.text.clone()).at(span(&note.at)));
        }
        let attr = schedule::to_attr(unit.cx(), &draft.steps);
        unit.set_attr(op.id(), SCHEDULE, Some(attr));
        cx.count("schedules read", 1);
        Ok(())
    }
}
