//! The visible effects of one call.

use crate::call::Call;
use std::fmt;
use terrace_interp::text::value_text;
use terrace_interp::{Interpreter, MemRef, Memory, Options, RtValue, Trap, codes};
use terrace_ir::Ir;

/// Where something is seen
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The n-th result
    Result(usize),
    /// The buffer that is the n-th argument
    Argument(usize),
    /// A public global
    Global(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Result(n) => write!(f, "result {n}"),
            Place::Argument(n) => write!(f, "argument {n}"),
            Place::Global(name) => write!(f, "@{name}"),
        }
    }
}

/// What a buffer holds
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// Sizes of the dimensions
    pub sizes: Vec<i64>,
    /// Elements row by row; `None` where nothing was written
    pub elements: Vec<Option<RtValue>>,
}

/// What is seen somewhere
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A value
    Value(RtValue),
    /// A buffer
    Buffer(Contents),
    /// A buffer that was freed, or whose elements are not seen one by one
    Hidden,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Value(value) => f.write_str(&value_text(value)),
            Seen::Buffer(contents) => {
                let one = |one: &Option<RtValue>| one.as_ref().map_or("-".into(), value_text);
                write!(f, "[{}]", contents.elements.iter().map(one).collect::<Vec<_>>().join(", "))
            }
            Seen::Hidden => f.write_str("a buffer that cannot be read"),
        }
    }
}

/// The visible effects of one call
#[derive(Clone, Debug)]
pub struct Observation {
    /// Everything that is there at the end, or why the call stopped
    pub end: Result<Vec<(Place, Seen)>, Trap>,
    /// Ops that were run
    pub steps: u64,
    /// Something ran in parallel: other orders may give something else
    pub parallel: bool,
    /// Its calls nest deeper than they ever should
    pub too_deep: bool,
}

impl Observation {
    /// Why the call cannot be made here, which decides nothing: an op or a type that the interpreter does not know, or a
    /// function without a body
    pub fn not_run(&self) -> Option<&Trap> {
        let unknown = [codes::NO_MEANING.id, codes::UNSUPPORTED.id, codes::CALLEE.id];
        self.end.as_ref().err().filter(|trap| unknown.contains(&trap.code.id))
    }

    /// All in a line; results first
    pub fn text(&self) -> String {
        match &self.end {
            Ok(all) => {
                let one = |(place, seen): &(Place, Seen)| format!("{place} = {seen}");
                let all: Vec<String> = all.iter().map(one).collect();
                if all.is_empty() { "nothing".into() } else { all.join("; ") }
            }
            Err(trap) => format!("trap {}: {}", trap.code.id, trap.message),
        }
    }
}

/// Call a function and look at what it leaves
pub fn observe(ir: &Ir, call: &Call, options: Options) -> Observation {
    let written_out = terrace_ir::expand::expanded(ir);
    observe_expanded(written_out.as_deref().unwrap_or(ir), call, options)
}

/// The same for a module in which no op stands for other ops
pub(crate) fn observe_expanded(ir: &Ir, call: &Call, options: Options) -> Observation {
    let mut interpreter = Interpreter::new(ir, options);
    let end = run(&mut interpreter, call);
    let (steps, parallel) = (interpreter.steps(), interpreter.had_teams());
    Observation { end, steps, parallel, too_deep: false }
}

fn run(interpreter: &mut Interpreter<'_>, call: &Call) -> Result<Vec<(Place, Seen)>, Trap> {
    let globals = interpreter.public_globals();
    let args = call.prepare(interpreter)?;
    let results = interpreter.call(&call.function, args.clone())?;
    let memory = interpreter.memory();
    let mut all: Vec<(Place, Seen)> = Vec::new();
    for (n, result) in results.into_iter().enumerate() {
        let seen = match &result {
            RtValue::MemRef(view) => contents(memory, view),
            _ => Seen::Value(result),
        };
        all.push((Place::Result(n), seen));
    }
    for (n, arg) in args.iter().enumerate() {
        if let RtValue::MemRef(view) = arg {
            all.push((Place::Argument(n), contents(memory, view)));
        }
    }
    for (name, view) in globals {
        // One that cannot be made may be one that no call uses.
        let seen = view.map_or(Seen::Hidden, |view| contents(memory, &view));
        all.push((Place::Global(name), seen));
    }
    Ok(all)
}

/// The elements of a view, row by row
fn contents(memory: &Memory, view: &MemRef) -> Seen {
    let Some(all) = memory.elements(view).ok().filter(|_| view.bytes.is_none()) else { return Seen::Hidden };
    let count = view.sizes.iter().try_fold(1usize, |all, size| all.checked_mul(usize::try_from(*size).ok()?));
    let Some(count) = count.filter(|count| *count <= all.len()) else { return Seen::Hidden };
    let mut elements = Vec::with_capacity(count);
    let mut at = vec![0i64; view.sizes.len()];
    for _ in 0..count {
        let place = at.iter().zip(&*view.strides).map(|(n, stride)| n * stride).sum::<i64>() + view.offset;
        let Some(element) = usize::try_from(place).ok().and_then(|place| all.get(place)) else {
            return Seen::Hidden;
        };
        elements.push(element.clone());
        for n in (0..at.len()).rev() {
            at[n] += 1;
            if at[n] < view.sizes[n] {
                break;
            }
            at[n] = 0;
        }
    }
    Seen::Buffer(Contents { sizes: view.sizes.to_vec(), elements })
}
