//! The machine: calls, regions entered in each, the current op.
//!
//! Invariant: `frames` is not empty while an op runs, and each frame has at least the activation of its body. The state of
//! an op with regions ([`Machine::state`]) lives in the activation that it stands in.

use crate::codes;
use crate::interface::{InterpretTable, Step};
use crate::memory::{Fault, Memory};
use crate::value::{MemRef, RtValue};
use std::sync::Arc;
use terrace_diag::{Code, Diagnostic, Span};
use terrace_ir::{BlockId, Context, Ir, OpId, RegionId, Traits, Value};
use terrace_support::HashMap;

/// Limits
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Ops that may be run in one call from outside
    pub fuel: u64,
    /// Calls and regions inside each other
    pub depth: usize,
    /// Elements allocated at one time
    pub elements: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { fuel: 10_000_000, depth: 10_000, elements: 1 << 24 }
    }
}

/// Why a run stopped
#[derive(Clone, Debug)]
pub struct Trap {
    /// What kind
    pub code: Code,
    /// One sentence
    pub message: String,
    /// The op
    pub span: Option<Span>,
}

impl Trap {
    /// A trap without a place; the machine adds the op's
    pub fn new(code: Code, message: impl Into<String>) -> Trap {
        Trap { code, message: message.into(), span: None }
    }

    /// As an error to show
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.code, self.message.clone()).at(self.span)
    }
}

impl From<Fault> for Trap {
    fn from(fault: Fault) -> Trap {
        match fault {
            Fault::Bounds => Trap::new(&codes::BOUNDS, "access outside of the memory"),
            Fault::Uninitialized => Trap::new(&codes::UNINITIALIZED, "the element was never written"),
            Fault::Freed => Trap::new(&codes::FREED, "the memory was freed before"),
            Fault::Limit => Trap::new(&codes::LIMIT, "more memory than allowed"),
        }
    }
}

struct Activation {
    at: Option<OpId>,
    state: Vec<RtValue>,
}

struct Frame<'a> {
    ir: &'a Ir,
    values: Vec<Option<RtValue>>,
    activations: Vec<Activation>,
    /// What it returns resumes the op that called, rather than being its results
    resumes: bool,
}

/// A program with its memory, ready to be called
pub struct Interpreter<'a> {
    functions: HashMap<Arc<str>, &'a Ir>,
    symbols: HashMap<Arc<str>, (&'a Ir, OpId)>,
    globals: HashMap<Arc<str>, MemRef>,
    options: Options,
    memory: Memory,
    cx: &'a Context,
}

impl<'a> Interpreter<'a> {
    /// The functions of a module, those of nested modules too where no outer one has the name
    pub fn new(root: &'a Ir, options: Options) -> Self {
        let mut functions: HashMap<Arc<str>, &'a Ir> = HashMap::default();
        let mut symbols: HashMap<Arc<str>, (&'a Ir, OpId)> = HashMap::default();
        let mut pending = std::collections::VecDeque::from([root]);
        while let Some(unit) = pending.pop_front() {
            let op = unit.root();
            if unit.has(op, Traits::FunctionLike) {
                if let Some(name) = terrace_ir::symbols::symbol_name(unit, op) {
                    functions.entry(unit.cx().str(name).into()).or_insert(unit);
                }
                continue;
            }
            for region in unit.regions(op) {
                for op in unit.blocks(region).flat_map(|block| unit.block_ops(block)) {
                    if let Some(child) = unit.child(op) {
                        pending.push_back(child);
                    } else if let Some(name) = terrace_ir::symbols::symbol_name(unit, op) {
                        symbols.entry(unit.cx().str(name).into()).or_insert((unit, op));
                    }
                }
            }
        }
        let memory = Memory::new(options.elements);
        Interpreter { functions, symbols, globals: HashMap::default(), options, memory, cx: root.cx() }
    }

    /// Memory that calls share
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The unit of a function
    pub fn function(&self, name: &str) -> Option<&'a Ir> {
        self.functions.get(name).copied()
    }

    /// Call a function
    pub fn call(&mut self, name: &str, args: Vec<RtValue>) -> Result<Vec<RtValue>, Trap> {
        let mut machine = Machine {
            functions: &self.functions,
            symbols: &self.symbols,
            globals: &mut self.globals,
            memory: &mut self.memory,
            frames: Vec::new(),
            fuel: self.options.fuel,
            depth_left: self.options.depth,
            cx: self.cx,
        };
        machine.call(name, args)?;
        machine.run()
    }
}

/// What an op sees while it runs
pub struct Machine<'a> {
    functions: &'a HashMap<Arc<str>, &'a Ir>,
    symbols: &'a HashMap<Arc<str>, (&'a Ir, OpId)>,
    globals: &'a mut HashMap<Arc<str>, MemRef>,
    memory: &'a mut Memory,
    frames: Vec<Frame<'a>>,
    fuel: u64,
    depth_left: usize,
    cx: &'a Context,
}

impl<'a> Machine<'a> {
    fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("an op runs inside a call")
    }

    fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("an op runs inside a call")
    }

    /// The unit of the current op
    pub fn ir(&self) -> &'a Ir {
        self.frame().ir
    }

    /// The context
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// The current op
    pub fn op(&self) -> OpId {
        let activation = self.frame().activations.last().expect("an op runs inside a region");
        activation.at.expect("an op is running")
    }

    /// The unit of a function
    pub fn function(&self, name: &str) -> Option<&'a Ir> {
        self.functions.get(name).copied()
    }

    /// The op that defines a symbol other than a function
    pub fn symbol(&self, name: &str) -> Option<(&'a Ir, OpId)> {
        self.symbols.get(name).copied()
    }

    /// Where the memory of a symbol is, once `set_global` has said so
    pub fn global(&self, name: &str) -> Option<MemRef> {
        self.globals.get(name).cloned()
    }

    /// Say where the memory of a symbol is, for this call and those after it
    pub fn set_global(&mut self, name: &str, view: MemRef) {
        self.globals.insert(name.into(), view);
    }

    /// All memory
    pub fn memory(&mut self) -> &mut Memory {
        self.memory
    }

    /// What a value is now; poison if it was never set (invalid IR)
    pub fn value(&self, value: Value) -> RtValue {
        self.frame().values.get(value.index()).cloned().flatten().unwrap_or(RtValue::Poison)
    }

    /// The n-th operand of the current op
    pub fn operand(&self, n: usize) -> RtValue {
        self.value(self.ir().operand(self.op(), n))
    }

    /// All operands of the current op
    pub fn operands(&self) -> Vec<RtValue> {
        self.values(self.ir().operands(self.op()))
    }

    /// Several values
    pub fn values(&self, values: impl IntoIterator<Item = Value>) -> Vec<RtValue> {
        values.into_iter().map(|value| self.value(value)).collect()
    }

    /// An integer a decision hangs on; poison traps
    pub fn decide(&self, value: Value, what: &str) -> Result<RtValue, Trap> {
        match self.value(value) {
            RtValue::Poison => Err(Trap::new(&codes::POISON, format!("{what} is poison"))),
            known => Ok(known),
        }
    }

    /// A signed index or bound; poison traps
    pub fn decide_i64(&self, value: Value, what: &str) -> Result<i64, Trap> {
        self.decide(value, what)?
            .as_i64()
            .ok_or_else(|| Trap::new(&codes::UNSUPPORTED, format!("{what} is not an integer of 64 bits")))
    }

    /// A condition; poison traps
    pub fn decide_bool(&self, value: Value) -> Result<bool, Trap> {
        Ok(self.decide(value, "the condition")?.as_unsigned() == Some(1))
    }

    /// A view of memory; poison traps
    pub fn decide_memref(&self, value: Value) -> Result<MemRef, Trap> {
        match self.decide(value, "the memory")? {
            RtValue::MemRef(view) => Ok(view),
            _ => Err(Trap::new(&codes::UNSUPPORTED, "not a memref")),
        }
    }

    /// Set the n-th result of the current op
    pub fn set_result(&mut self, n: usize, value: RtValue) {
        let op = self.op();
        let result = self.ir().result(op, n);
        self.frame_mut().values[result.index()] = Some(value);
    }

    /// Set all results of the current op
    pub fn set_results(&mut self, values: Vec<RtValue>) {
        let results = self.ir().results(self.op());
        let frame = self.frame_mut();
        for (result, value) in results.zip(values) {
            frame.values[result.index()] = Some(value);
        }
    }

    /// State of the current op between its regions: empty at entry, kept while the op is resumed
    pub fn state(&mut self) -> &mut Vec<RtValue> {
        &mut self.frame_mut().activations.last_mut().expect("an op runs inside a region").state
    }

    /// State of the op around the current one
    pub fn outer_state(&self) -> &[RtValue] {
        let activations = &self.frame().activations;
        activations.len().checked_sub(2).map_or(&[], |n| &activations[n].state)
    }

    fn enter(&mut self, region: RegionId, args: Vec<RtValue>) -> Result<(), Trap> {
        let ir = self.ir();
        let block = ir.entry(region).ok_or_else(|| Trap::new(&codes::INVALID, "the region is empty"))?;
        self.depth_left = self
            .depth_left
            .checked_sub(1)
            .ok_or_else(|| Trap::new(&codes::LIMIT, "calls and regions are nested too deep"))?;
        self.frame_mut().activations.push(Activation { at: None, state: Vec::new() });
        self.jump(block, args)
    }

    fn jump(&mut self, block: BlockId, args: Vec<RtValue>) -> Result<(), Trap> {
        let ir = self.ir();
        let params = ir.block_args(block);
        if params.len() != args.len() {
            return Err(Trap::new(&codes::INVALID, "the block takes another number of arguments"));
        }
        let frame = self.frame_mut();
        for (param, value) in params.iter().zip(args) {
            frame.values[param.index()] = Some(value);
        }
        let activation = frame.activations.last_mut().expect("a branch is inside a region");
        activation.at = ir.first_op(block);
        Ok(())
    }

    fn call(&mut self, name: &str, args: Vec<RtValue>) -> Result<(), Trap> {
        let missing = |what: &str| Trap::new(&codes::CALLEE, format!("function @{name} {what}"));
        let ir = *self.functions.get(name).ok_or_else(|| missing("is not there"))?;
        let body = ir.regions(ir.root()).next();
        let body = body.filter(|body| ir.entry(*body).is_some()).ok_or_else(|| missing("has no body"))?;
        let takes = ir.entry(body).map_or(0, |entry| ir.block_args(entry).len());
        if takes != args.len() {
            let message = format!("function @{name} takes {takes} arguments, not {}", args.len());
            return Err(Trap::new(&codes::ARGUMENTS, message));
        }
        let values = vec![None; ir.value_capacity()];
        self.frames.push(Frame { ir, values, activations: Vec::new(), resumes: false });
        self.enter(body, args)
    }

    fn advance(&mut self) {
        let next = self.ir().next(self.op());
        if let Some(activation) = self.frame_mut().activations.last_mut() {
            activation.at = next;
        }
    }

    /// Runs until the first frame returns
    fn run(&mut self) -> Result<Vec<RtValue>, Trap> {
        // `Some` when the current op is to be resumed with what its region gave.
        let mut yielded: Option<Vec<RtValue>> = None;
        loop {
            let frame = self.frame();
            let ir = frame.ir;
            let at = frame.activations.last().and_then(|activation| activation.at);
            let op = at.ok_or_else(|| Trap::new(&codes::INVALID, "a block has no terminator"))?;
            let located = |mut trap: Trap| {
                trap.span = trap.span.or_else(|| ir.span(op));
                trap
            };
            self.fuel = self
                .fuel
                .checked_sub(1)
                .ok_or_else(|| located(Trap::new(&codes::FUEL, "the program ran for too long")))?;
            let table = ir.def(op).interface::<InterpretTable>().ok_or_else(|| {
                let message = format!("'{}' op cannot be interpreted", ir.op_name(op));
                located(Trap::new(&codes::NO_MEANING, message))
            })?;
            let step = match yielded.take() {
                Some(values) => (table.resume)(op, self, values),
                None => {
                    self.state().clear();
                    (table.run)(op, self)
                }
            };
            match step {
                Step::Next => self.advance(),
                Step::Enter { region, args } => self.enter(region, args).map_err(located)?,
                Step::Branch { block, args } => self.jump(block, args).map_err(located)?,
                Step::Yield(values) => {
                    self.frame_mut().activations.pop();
                    self.depth_left += 1;
                    if self.frame().activations.is_empty() {
                        return Err(located(Trap::new(&codes::INVALID, "a function's body yields")));
                    }
                    yielded = Some(values);
                }
                Step::Return(values) => {
                    let (left, resumes) = self
                        .frames
                        .pop()
                        .map_or((0, false), |frame| (frame.activations.len(), frame.resumes));
                    self.depth_left += left;
                    if self.frames.is_empty() {
                        return Ok(values);
                    }
                    if resumes {
                        yielded = Some(values);
                        continue;
                    }
                    self.set_results(values);
                    self.advance();
                }
                Step::Call { symbol, args } => self.call(&symbol, args).map_err(located)?,
                Step::Invoke { symbol, args } => {
                    self.call(&symbol, args).map_err(located)?;
                    self.frame_mut().resumes = true;
                }
                Step::Trap(trap) => return Err(located(trap)),
            }
        }
    }
}
