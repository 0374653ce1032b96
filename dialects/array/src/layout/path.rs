//! Places inside of values, and what layout ops do to them.
//!
//! Reading, a path into a result becomes one into an operand. Writing, a path into an operand becomes one into the result.

use terrace_diag::Code;
use terrace_ir::{Ir, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

/// One step into a value
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// An element of an array or a lane of a vector
    Index(AffineExpr),
    /// A component of a tuple
    Part(usize),
}

/// Steps from a value to one of its parts; the first step is the last of the list
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Path(Vec<Step>);

impl Path {
    /// Of these steps, in order
    pub fn of(steps: impl IntoIterator<Item = Step>) -> Path {
        let mut steps: Vec<Step> = steps.into_iter().collect();
        steps.reverse();
        Path(steps)
    }

    /// One element
    pub fn index(index: AffineExpr) -> Path {
        Path(vec![Step::Index(index)])
    }

    /// Put a step in front
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Put an index in front
    pub fn push_index(&mut self, index: AffineExpr) {
        self.0.push(Step::Index(index));
    }

    /// Put a path in front
    pub fn push_all(&mut self, first: &Path) {
        self.0.extend_from_slice(&first.0);
    }

    /// Take the first step
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }

    /// The first step
    pub fn first(&self) -> Option<&Step> {
        self.0.last()
    }

    /// Steps in order
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().rev()
    }

    /// Is it the whole value?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many indices come before all components
    pub fn indices(&self) -> usize {
        self.steps().take_while(|step| matches!(step, Step::Index(_))).count()
    }
}

/// A test that an index must pass; otherwise there is another value
#[derive(Clone, Debug)]
pub struct Guard {
    /// The index, from 0
    pub index: AffineExpr,
    /// It must be below
    pub size: i64,
    /// Size of the padded array
    pub padded: i64,
    /// What is read outside, and where in it
    pub other: Option<(Value, Path)>,
}

/// Where to go on
pub enum Next {
    /// The same path, changed, in another value
    At(Value),
    /// The same, if the index passes
    Guarded(Value, Guard),
    /// The first value below the number, the other from there on
    Either {
        /// Which element
        index: AffineExpr,
        /// Elements of the first value
        below: i64,
        /// The first value, and the path in it
        first: (Value, Path),
        /// The second value, and the path in it
        second: (Value, Path),
    },
}

/// What happens to an index on the way to memory
#[derive(Clone, Debug)]
pub enum Frame {
    /// Steps in front
    Inside(Path),
    /// Through a layout op, by [`Layout::write`](super::Layout::write)
    Through(OpId),
    /// A component behind the first index
    Component(usize),
    /// Only this component behind the first index
    Only(usize),
    /// Moved by so much
    Shift(i64),
    /// Inside of each element
    Each(Vec<Frame>),
}

/// What is written of an operand, and where
pub struct Source {
    /// Number of the operand
    pub operand: usize,
    /// The part of it
    pub part: Path,
    /// Where that is in the result; `None`: at the same place
    pub frame: Option<Frame>,
}

impl Source {
    /// The whole operand
    pub fn whole(operand: usize, frame: Option<Frame>) -> Source {
        Source { operand, part: Path::default(), frame }
    }

    /// The only operand, by the index map of the op
    pub fn through(op: OpId) -> Vec<Source> {
        vec![Source::whole(0, Some(Frame::Through(op)))]
    }
}

/// Why an op has no form as loops, and what would help
#[derive(Clone, Debug)]
pub struct Stop {
    /// The op
    pub op: OpId,
    /// Code of the diagnostic
    pub code: Code,
    /// Message, about the op
    pub message: String,
    /// What would help
    pub help: String,
    /// Another op that has to do with it
    pub also: Option<(OpId, &'static str)>,
}

/// Arithmetic on indices, where ops are lowered
pub trait Indexing {
    /// The unit that is lowered
    fn ir(&self) -> &Ir;

    /// An error at the current op
    fn stop(&self, message: &str) -> Stop;

    /// Take an index from a path
    fn index(&mut self, path: &mut Path) -> Result<AffineExpr, Stop>;

    /// Take a component from a path
    fn component(&mut self, path: &mut Path) -> Result<usize, Stop>;

    /// The number that a size in a property is
    fn property(&self, op: OpId, name: &str) -> Result<i64, Stop>;

    /// Size and element of an array, or of a vector
    fn array(&self, ty: Type) -> Result<(i64, Type), Stop>;

    /// The function of `$i` in a property, at an index
    fn function(&self, op: OpId, name: &str, at: &AffineExpr) -> Result<AffineExpr, Stop>;

    /// The number at a path, as an index of any value
    fn number_at(&mut self, value: Value, path: Path) -> Result<AffineExpr, Stop>;

    /// A value of type `index`, as an index
    fn index_of(&mut self, value: Value) -> Result<AffineExpr, Stop>;

    /// Simplified by the ranges of variables
    fn simple(&self, expr: &AffineExpr) -> AffineExpr;

    /// Is `0 <= expr < size`: always, never, or sometimes?
    fn inside(&self, expr: &AffineExpr, size: i64) -> Option<bool>;

    /// Quotient, rounded down
    fn div(&mut self, expr: AffineExpr, by: i64) -> AffineExpr;

    /// Remainder of it
    fn rem(&mut self, expr: AffineExpr, by: i64) -> AffineExpr;

    /// `max(low, min(expr, high))`
    fn clamped(&mut self, expr: AffineExpr, low: i64, high: i64) -> Result<AffineExpr, Stop>;

    /// The lesser of two, known to be from 0 to a number
    fn least(&mut self, a: AffineExpr, b: AffineExpr, high: i64) -> Result<AffineExpr, Stop>;
}
