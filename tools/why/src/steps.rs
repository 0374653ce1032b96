//! The passes of a pipeline, each alone, and what they make of a module.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use terrace_diag::{Diags, Severity};
use terrace_ir::Ir;
use terrace_ir::verify::verify;
use terrace_pass::{Counted, Instrument, Pipeline, RewriteLimit, Step};

/// One pass, nested as in its pipeline; or several that are looked at as one
pub struct Pass {
    /// The pipeline that runs it alone
    pub alone: Pipeline,
    /// Names of the passes, at least one
    pub names: Vec<&'static str>,
}

impl Pass {
    /// Several passes in a row as one
    pub fn together(passes: &[Pass]) -> Option<Pass> {
        let first = passes.first()?;
        let steps = passes.iter().flat_map(|pass| pass.alone.steps.iter().cloned()).collect();
        let alone = Pipeline { anchor: first.alone.anchor.clone(), steps };
        Some(Pass { alone, names: passes.iter().flat_map(|pass| pass.names.iter().copied()).collect() })
    }

    /// Are these several passes, none of which is known to be the one?
    pub fn is_range(&self) -> bool {
        self.names.len() > 1
    }
}

/// All passes of a pipeline in order
pub fn passes(pipeline: &Pipeline) -> Vec<Pass> {
    let named = |alone: Pipeline| Pass { names: vec![leaf(&alone)], alone };
    pipeline.one_by_one().into_iter().map(named).collect()
}

fn leaf(pipeline: &Pipeline) -> &'static str {
    match pipeline.steps.first() {
        Some(Step::Pass(instance)) => instance.info.name,
        Some(Step::Nest(inner)) => leaf(inner),
        None => "",
    }
}

/// How a pass fails
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Code of the first error
    pub code: &'static str,
    /// Its message
    pub message: String,
    /// Where it panicked in the sources, if it did
    pub panic: Option<String>,
}

impl Failure {
    /// Is it the same failure, in a program whose names, numbers and types may be others?
    pub fn is_like(&self, other: &Failure) -> bool {
        self.code == other.code
            && self.panic == other.panic
            && (self.panic.is_some() || shape(&self.message) == shape(&other.message))
    }
}

/// A message without what differs in a smaller program: numbers, names of symbols and values, parameters of types
fn shape(message: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    let mut shape = String::new();
    let mut rest = message.chars().peekable();
    let mut inside = 0;
    while let Some(c) = rest.next() {
        match c {
            '<' => inside += 1,
            '>' if inside > 0 => inside -= 1,
            _ if inside > 0 => {}
            '@' | '%' | '^' => {
                shape.push(c);
                while rest.next_if(|c| is_name(*c)).is_some() {}
            }
            '0'..='9' => {
                shape.push('0');
                while rest.next_if(char::is_ascii_digit).is_some() {}
            }
            _ => shape.push(c),
        }
    }
    shape
}

/// What a pass makes of a module
pub struct Ran {
    /// The module afterwards
    pub module: Box<Ir>,
    /// Applications in each unit
    pub counted: Vec<Counted>,
    /// Why it failed, if so
    pub failure: Option<Failure>,
}

impl Ran {
    /// Applications in all units
    pub fn total(&self) -> u64 {
        self.counted.iter().map(|one| one.count).sum()
    }
}

/// Run a pass on a copy of a module, up to so many applications
pub fn run(module: &Ir, pass: &Pass, limit: Option<u64>) -> Ran {
    let mut after = module.clone_unit();
    let limit = limit.map(RewriteLimit::Total);
    let instrument = Instrument { limit, count: true, ..Instrument::quiet(|_| String::new()) };
    let ran = caught(|| terrace_pass::run(&mut after, &pass.alone, &instrument));
    let (report, result) = match ran {
        Ok(ran) => ran,
        Err(message) => {
            let failure = panicked(format!("the run of `{}` panicked: {message}", pass.names.join("`, `")));
            return Ran { module: after, counted: Vec::new(), failure: Some(failure) };
        }
    };
    let failure = match result {
        Err(_) => first(&report.diags),
        Ok(()) => match caught(|| verify(&after, 1)) {
            Ok(diags) => first(&diags),
            Err(message) => Some(panicked(format!("the verifier panicked: {message}"))),
        },
    };
    Ran { module: after, counted: report.counted, failure }
}

fn first(diags: &Diags) -> Option<Failure> {
    let error = diags.iter().find(|one| one.severity == Severity::Error)?;
    let code = error.code.map_or("", |code| code.id);
    let panic = if code == terrace_pass::codes::PANIC.id { PLACE.take() } else { None };
    Some(Failure { code, message: error.message.clone(), panic })
}

fn panicked(message: String) -> Failure {
    Failure { code: terrace_pass::codes::PANIC.id, message, panic: PLACE.take() }
}

thread_local! {
    /// Is a panic of this thread caught, and explained later?
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic of this thread was that was caught
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Let panics of passes be silent, since they are reported at the end; all others are shown as before
pub fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if CAUGHT.get() {
                PLACE.set(panic.location().map(ToString::to_string));
            } else {
                before(panic);
            }
        }));
    });
}

/// Do work that may panic; the error is the message of the panic
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    PLACE.set(None);
    let result = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    result.map_err(|panic| text_of(&*panic))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(message: &str, panic: Option<&str>) -> Failure {
        Failure { code: "E0214", message: message.into(), panic: panic.map(String::from) }
    }

    #[test]
    fn failures_are_told_apart_by_what_they_say() {
        let wide = failure("'arith.addi' op takes `i64`, not `memref<4x8xf32>`, in @main", None);
        let small = failure("'arith.addi' op takes `i32`, not `memref<1xf32>`, in @f", None);
        assert!(wide.is_like(&small));
        assert!(!wide.is_like(&failure("'arith.muli' op takes `i32`, not `memref<1x1xf32>`, in @f", None)));
        assert!(!wide.is_like(&Failure { code: "E0215", ..small.clone() }));
        let here = failure("index 7 of 3", Some("a.rs:1:2"));
        assert!(here.is_like(&failure("no entry", Some("a.rs:1:2"))));
        assert!(!here.is_like(&failure("index 7 of 3", Some("b.rs:1:2"))));
    }
}
