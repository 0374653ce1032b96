//! The machine: calls, regions entered in each, the current op.
//!
//! Invariant: `frames` is not empty while an op runs, and each frame has at least the activation of its body. The state of
//! an op with regions ([`Machine::state`]) lives in the activation that it stands in. What runs ops is in `run`, what
//! switches between members of teams in `threads`.

mod interface;
mod quick;
mod run;
mod threads;

pub use interface::{Interpret, InterpretTable, Step};
pub use quick::{Binary, Quick, Ternary, Unary};
pub use threads::TeamMember;

use crate::codes;
use crate::device::{Device, KernelLaunch};
use crate::memory::{Memory, Space};
use crate::team::{Exchange, Level, Order};
use crate::trap::Trap;
use crate::value::{MemRef, RtValue};
use quick::Instr;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use terrace_diag::Span;
use terrace_ir::{BlockId, Context, Ir, OpId, RegionId, Traits, Value};
use terrace_support::HashMap;
use threads::Team;

/// Limits
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Ops that may be run in one call from outside
    pub fuel: u64,
    /// Calls and regions inside each other
    pub depth: usize,
    /// Elements allocated at one time
    pub elements: usize,
    /// In which order members of teams run
    pub order: Order,
    /// Threads of a subgroup
    pub subgroup: u64,
    /// Use quick paths, which only makes it faster
    pub quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fuel: 10_000_000,
            depth: 10_000,
            elements: 1 << 24,
            order: Order::Forward,
            subgroup: 32,
            quick: true,
        }
    }
}

/// A region that was entered, or the start of a member of a team
#[derive(Default)]
pub(crate) struct Activation {
    pub at: Option<OpId>,
    pub state: Vec<RtValue>,
    /// Allocations that end with it
    pub locals: Vec<usize>,
    /// `at` is the op that forked, as its member sees it
    pub member: bool,
    /// Of the body of a counted loop that runs by its quick path: where it is
    pub counter: Option<i64>,
}

/// What is known of a function's ops before it runs
pub(crate) struct Code {
    /// What each op does, by its number
    pub tables: Vec<Option<&'static InterpretTable>>,
    /// The same, without asking the op
    pub instrs: Vec<Instr>,
    /// Number of the first op, in a count through all functions that have run
    pub first: u32,
    /// What ops have worked out about themselves
    decoded: RefCell<Vec<Option<Rc<dyn Any>>>>,
}

impl Code {
    fn new(ir: &Ir, quick: bool, first: u32) -> Code {
        let mut tables = vec![None; ir.op_capacity()];
        let mut instrs = Vec::new();
        instrs.resize_with(tables.len(), Instr::default);
        for op in ir.walk() {
            let table = ir.def(op).interface::<InterpretTable>();
            tables[op.index()] = table;
            let path = table.filter(|_| quick).and_then(|table| (table.quick)(op, ir));
            instrs[op.index()] = Instr::new(ir, op, path);
        }
        let decoded = RefCell::new(vec![None; tables.len()]);
        Code { tables, instrs, first, decoded }
    }
}

/// A function that was called
pub(crate) struct Frame<'a> {
    pub ir: &'a Ir,
    pub code: Rc<Code>,
    /// By number of the value; poison if it was never set (invalid IR)
    pub values: Vec<RtValue>,
    pub activations: Vec<Activation>,
    /// What it returns resumes the op that called, rather than being its results
    pub resumes: bool,
}

/// Table behind [`PlaceGlobal`]
pub struct GlobalTable {
    pub(crate) place: fn(&mut Machine<'_>, &str) -> Result<Option<MemRef>, Trap>,
}

/// `interfaces(terrace_interp::PlaceGlobal)` of an op that names memory of its module
pub trait PlaceGlobal {
    /// Where the memory of the global of this name is: made as it is at the start if no call has used it yet; nothing if it
    /// is in another module
    fn place(machine: &mut Machine<'_>, name: &str) -> Result<Option<MemRef>, Trap>;

    /// Entry for the op's interfaces
    const ENTRY: terrace_ir::interface::Interface =
        terrace_ir::interface::Interface::new(const { &GlobalTable { place: Self::place } });
}

/// A program with its memory, ready to be called
pub struct Interpreter<'a> {
    functions: HashMap<Arc<str>, &'a Ir>,
    symbols: HashMap<Arc<str>, (&'a Ir, OpId)>,
    globals: HashMap<Arc<str>, MemRef>,
    codes: HashMap<usize, Rc<Code>>,
    steps: u64,
    options: Options,
    memory: Memory,
    device: Option<Box<dyn Device>>,
    cx: &'a Context,
}

impl<'a> Interpreter<'a> {
    /// The functions of a module, those of nested modules too: as `module::function`, and by their name alone where no
    /// outer one has it
    pub fn new(root: &'a Ir, options: Options) -> Self {
        let mut functions: HashMap<Arc<str>, &'a Ir> = HashMap::default();
        let mut symbols: HashMap<Arc<str>, (&'a Ir, OpId)> = HashMap::default();
        let mut pending = std::collections::VecDeque::from([(root, String::new())]);
        while let Some((unit, around)) = pending.pop_front() {
            let op = unit.root();
            let name = terrace_ir::symbols::symbol_name(unit, op).map(|name| unit.cx().str(name));
            if unit.has(op, Traits::FunctionLike) {
                if let Some(name) = name {
                    functions.entry(name.into()).or_insert(unit);
                    functions.entry(format!("{around}{name}").into()).or_insert(unit);
                }
                continue;
            }
            let inside = if std::ptr::eq(unit, root) {
                String::new()
            } else {
                format!("{around}{}::", name.unwrap_or(""))
            };
            for region in unit.regions(op) {
                for op in unit.blocks(region).flat_map(|block| unit.block_ops(block)) {
                    if let Some(child) = unit.child(op) {
                        pending.push_back((child, inside.clone()));
                    } else if let Some(name) = terrace_ir::symbols::symbol_name(unit, op) {
                        symbols.entry(unit.cx().str(name).into()).or_insert((unit, op));
                    }
                }
            }
        }
        let (codes, memory) = (HashMap::default(), Memory::new(options.elements));
        let globals = HashMap::default();
        let cx = root.cx();
        Interpreter { functions, symbols, globals, codes, steps: 0, options, memory, device: None, cx }
    }

    /// Memory that calls share
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Hand kernels to a device from now on
    pub fn set_device(&mut self, device: Box<dyn Device>) {
        self.device = Some(device);
    }

    /// The unit of a function
    pub fn function(&self, name: &str) -> Option<&'a Ir> {
        self.functions.get(name).copied()
    }

    /// How many ops the last call has run
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Has anything run in parallel in any call? Then another [`Order`] may run it otherwise
    pub fn had_teams(&self) -> bool {
        self.memory.races.had_teams
    }

    /// The memory of public globals with their names, in order; what no call has used yet is made as it is at the start
    ///
    /// Each has its own trap if it cannot be made.
    pub fn public_globals(&mut self) -> Vec<(String, Result<MemRef, Trap>)> {
        let cx = self.cx;
        let placed = |(name, &(ir, op)): (&Arc<str>, &(&Ir, OpId))| {
            let public = matches!(
                ir.attr(op, "sym_visibility").and_then(|attr| attr.as_str(cx)),
                None | Some("public")
            );
            let table = ir.def(op).interface::<GlobalTable>().filter(|_| public)?;
            Some((name.clone(), table.place))
        };
        let mut found: Vec<_> = self.symbols.iter().filter_map(placed).collect();
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut machine = self.machine();
        let mut all = Vec::with_capacity(found.len());
        for (name, place) in found {
            if let Some(view) = place(&mut machine, &name).transpose() {
                all.push((name.to_string(), view));
            }
        }
        all
    }

    /// Call a function
    pub fn call(&mut self, name: &str, args: Vec<RtValue>) -> Result<Vec<RtValue>, Trap> {
        let fuel = self.options.fuel;
        let mut machine = self.machine();
        let result = machine.call(name, args).and_then(|()| machine.run());
        let result = result.and_then(|values| machine.wait_for_all().map(|()| values));
        let left = machine.fuel;
        self.steps = fuel - left;
        // A trap leaves teams behind.
        self.memory.races.reset();
        result
    }

    fn machine(&mut self) -> Machine<'_> {
        Machine {
            functions: &self.functions,
            symbols: &self.symbols,
            globals: &mut self.globals,
            codes: &mut self.codes,
            memory: &mut self.memory,
            device: &mut self.device,
            launches: 0,
            work: None,
            frames: Vec::new(),
            teams: Vec::new(),
            exchange: None,
            contributions: Vec::new(),
            fuel: self.options.fuel,
            depth_left: self.options.depth,
            options: self.options,
            cx: self.cx,
        }
    }
}

/// Numbers of launches that tokens stand for, rising, each once
pub fn launches_of(tokens: &[RtValue]) -> Vec<u64> {
    let mut all = Vec::new();
    for token in tokens {
        if let RtValue::Vector(numbers) = token {
            all.extend(numbers.iter().filter_map(|number| match number {
                RtValue::Int { bits, .. } => u64::try_from(*bits).ok(),
                _ => None,
            }));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// What an op sees while it runs
pub struct Machine<'a> {
    functions: &'a HashMap<Arc<str>, &'a Ir>,
    symbols: &'a HashMap<Arc<str>, (&'a Ir, OpId)>,
    globals: &'a mut HashMap<Arc<str>, MemRef>,
    codes: &'a mut HashMap<usize, Rc<Code>>,
    pub(crate) memory: &'a mut Memory,
    device: &'a mut Option<Box<dyn Device>>,
    /// Launches that have a number
    launches: u64,
    /// Number of the work that runs as if concurrently with the host
    work: Option<u64>,
    pub(crate) frames: Vec<Frame<'a>>,
    /// Teams that run, each inside of a member of the one before
    pub(crate) teams: Vec<Team<'a>>,
    pub(crate) exchange: Option<Exchange>,
    pub(crate) contributions: Vec<Vec<RtValue>>,
    pub(crate) fuel: u64,
    pub(crate) depth_left: usize,
    pub(crate) options: Options,
    cx: &'a Context,
}

impl<'a> Machine<'a> {
    pub(crate) fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("an op runs inside a call")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("an op runs inside a call")
    }

    /// The functions that wait for the one that runs, innermost first
    pub fn callers(&self) -> impl Iterator<Item = &Ir> + '_ {
        self.frames.iter().rev().skip(1).map(|frame| frame.ir)
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
        // Whoever names it first is not the only one to use it.
        self.memory.share(&view);
        self.globals.insert(name.into(), view);
    }

    /// All memory
    pub fn memory(&mut self) -> &mut Memory {
        self.memory
    }

    /// Are kernels handed to a device?
    pub fn has_device(&self) -> bool {
        self.device.is_some()
    }

    /// Hand a kernel to the device
    pub fn launch(&mut self, launch: &KernelLaunch<'_>) -> Result<(), Trap> {
        match self.device {
            Some(device) => device.launch(launch, self.memory),
            None => Err(Trap::new(&codes::DEVICE, "there is no device")),
        }
    }

    /// Let the device of this number run kernels from now on; nothing where kernels are interpreted
    pub fn choose_device(&mut self, number: u64) -> Result<(), Trap> {
        self.device.as_mut().map_or(Ok(()), |device| device.choose(number))
    }

    /// A number that no other launch of this run has
    pub fn number_launch(&mut self) -> u64 {
        self.launches += 1;
        self.launches
    }

    /// The thread that runs passes a fence, which orders what other blocks do behind atomic updates of the same element
    pub fn fence(&mut self) {
        self.memory.races.fence();
    }

    /// The current op does its work behind that of tokens, while the host goes on if it is `asynchronous`
    ///
    /// It is interpreted at once. What nothing orders with it may not use the same memory: a use that would is a race.
    /// Where no other work is under way and the host waits, and in members of teams, it is as if it did it itself.
    pub fn begin_work(&mut self, behind: &[RtValue], asynchronous: bool, word: &'static str) {
        let races = &mut self.memory.races;
        if self.teams.is_empty() && (asynchronous || races.any_tasks()) {
            self.work = Some(races.begin_task(&launches_of(behind), word));
        }
    }

    /// The work that the current op began has been done: its number, for a token
    pub fn end_work(&mut self, asynchronous: bool) -> Option<u64> {
        if !self.teams.is_empty() {
            return None;
        }
        let number = self.work.take()?;
        self.memory.races.end_task();
        if !asynchronous {
            self.memory.races.wait_for(&[number]);
        }
        Some(number)
    }

    /// Wait for what tokens stand for; each is a vector of numbers of launches
    pub fn wait_for_tokens(&mut self, tokens: &[RtValue]) -> Result<(), Trap> {
        let launches = launches_of(tokens);
        match self.device {
            Some(device) if !launches.is_empty() => device.wait_for(&launches, self.memory),
            Some(_) => Ok(()),
            None if self.teams.is_empty() => {
                self.memory.races.wait_for(&launches);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Wait for all kernels that still run
    pub fn wait_for_all(&mut self) -> Result<(), Trap> {
        match self.device {
            Some(device) => device.wait(self.memory),
            None if self.teams.is_empty() => {
                self.memory.races.reset();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What a value is now; poison if it was never set (invalid IR)
    pub fn value(&self, value: Value) -> RtValue {
        self.frame().values[value.index()].clone()
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

    /// An integer that a decision depends on; poison traps
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

    /// An index or bound without copying the value; poison traps
    #[inline]
    pub fn index(&self, value: Value) -> Result<i64, Trap> {
        match &self.frame().values[value.index()] {
            RtValue::Int { bits, width: 64 } => Ok(*bits as i64),
            _ => self.decide_i64(value, "the index"),
        }
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
        self.frame_mut().values[result.index()] = value;
    }

    /// Set all results of the current op
    pub fn set_results(&mut self, values: Vec<RtValue>) {
        let results = self.ir().results(self.op());
        let frame = self.frame_mut();
        for (result, value) in results.zip(values) {
            frame.values[result.index()] = value;
        }
    }

    /// What the current op works out about itself once: attributes decoded, forms of its maps
    pub fn decoded<T: 'static>(&self, make: impl FnOnce(&Ir, OpId) -> T) -> Rc<T> {
        let (op, frame) = (self.op(), self.frame());
        let known = frame.code.decoded.borrow().get(op.index()).and_then(Clone::clone);
        if let Some(known) = known.and_then(|known| known.downcast::<T>().ok()) {
            return known;
        }
        let made = Rc::new(make(frame.ir, op));
        if let Some(slot) = frame.code.decoded.borrow_mut().get_mut(op.index()) {
            *slot = Some(made.clone());
        }
        made
    }

    /// An element of the memory that a value is
    pub fn load(&mut self, memref: Value, at: &[i64]) -> Result<RtValue, Trap> {
        let Machine { frames, memory, .. } = self;
        match frames.last().map(|frame| &frame.values[memref.index()]) {
            Some(RtValue::MemRef(view)) => Ok(memory.load(view, at)?),
            _ => self.decide_memref(memref).and_then(|view| Ok(self.memory.load(&view, at)?)),
        }
    }

    /// Write an element of the memory that a value is
    pub fn store(&mut self, memref: Value, at: &[i64], value: RtValue) -> Result<(), Trap> {
        let Machine { frames, memory, .. } = self;
        match frames.last().map(|frame| &frame.values[memref.index()]) {
            Some(RtValue::MemRef(view)) => Ok(memory.store(view, at, value)?),
            _ => self.decide_memref(memref).and_then(|view| Ok(self.memory.store(&view, at, value)?)),
        }
    }

    /// Are the indices inside of the memory that a value is?
    pub fn is_inside(&self, memref: Value, at: &[i64]) -> bool {
        match &self.frame().values[memref.index()] {
            RtValue::MemRef(view) => {
                at.len() == view.sizes.len()
                    && at.iter().zip(view.sizes.iter()).all(|(at, size)| (0..*size).contains(at))
            }
            _ => false,
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

    /// From now on an allocation ends with the region around which the innermost op with `AllocationScope` stands
    pub fn end_with_scope(&mut self, view: &MemRef) {
        let frame = self.frame_mut();
        let scope = (1..frame.activations.len()).rev().find(|n| {
            let owner = frame.activations[*n - 1].at;
            frame.activations[*n].member
                || owner.is_some_and(|owner| frame.ir.has(owner, Traits::AllocationScope))
        });
        frame.activations[scope.unwrap_or(0)].locals.push(view.alloc);
    }

    /// Memory that only the current member of the innermost team may use, and that ends with it
    ///
    /// The memory of a block, if a block is the current member; of a thread, if that is.
    pub fn alloc_for_member(&mut self, sizes: &[i64]) -> Result<MemRef, Trap> {
        let view = self.memory.alloc_in(sizes, Space::Owner)?;
        let list = match self.teams.last_mut() {
            None => &mut self.frames.last_mut().expect("an op runs inside a call").activations[0].locals,
            Some(team) => match team.forked_at() {
                Some((frame, depth)) => &mut self.frames[frame].activations[depth + 1].locals,
                None => &mut team.locals,
            },
        };
        list.push(view.alloc);
        Ok(view)
    }

    /// Memory that all members of the teams around, up to a level, use together; it ends with what stands around these
    pub fn alloc_for_teams(&mut self, sizes: &[i64], level: Level) -> Result<MemRef, Trap> {
        let view = self.memory.alloc(sizes)?;
        let narrow = |team: &&Team<'_>| team.level() <= level && team.forked_at().is_some();
        let outermost = self.teams.iter().rev().take_while(narrow).last();
        match outermost.and_then(Team::forked_at) {
            Some((frame, depth)) => self.frames[frame].activations[depth].locals.push(view.alloc),
            None => self.end_with_scope(&view),
        }
        Ok(view)
    }

    pub(crate) fn release(&mut self, locals: Vec<usize>) {
        for alloc in locals {
            // It may have been freed by hand.
            let _ = self.memory.release(alloc);
        }
    }

    pub(crate) fn push_activation(&mut self, activation: Activation) -> Result<(), Trap> {
        self.depth_left = self.depth_left.checked_sub(1).ok_or_else(too_deep)?;
        self.frame_mut().activations.push(activation);
        Ok(())
    }

    pub(crate) fn enter(&mut self, region: RegionId, args: Vec<RtValue>) -> Result<(), Trap> {
        let entry = self.ir().entry(region);
        let block = entry.ok_or_else(|| Trap::new(&codes::INVALID, "the region is empty"))?;
        self.push_activation(Activation::default())?;
        self.jump(block, args)
    }

    pub(crate) fn jump(&mut self, block: BlockId, args: Vec<RtValue>) -> Result<(), Trap> {
        let ir = self.ir();
        let params = ir.block_args(block);
        if params.len() != args.len() {
            return Err(Trap::new(&codes::INVALID, "the block takes another number of arguments"));
        }
        let frame = self.frame_mut();
        for (param, value) in params.iter().zip(args) {
            frame.values[param.index()] = value;
        }
        let activation = frame.activations.last_mut().expect("a branch is inside a region");
        activation.at = ir.first_op(block);
        Ok(())
    }

    pub(crate) fn call(&mut self, name: &str, args: Vec<RtValue>) -> Result<(), Trap> {
        let missing = |what: &str| Trap::new(&codes::CALLEE, format!("function @{name} {what}"));
        let ir = *self.functions.get(name).ok_or_else(|| missing("is not there"))?;
        let body = ir.regions(ir.root()).next();
        let body = body.filter(|body| ir.entry(*body).is_some()).ok_or_else(|| missing("has no body"))?;
        let takes = ir.entry(body).map_or(0, |entry| ir.block_args(entry).len());
        if takes != args.len() {
            let message = format!("function @{name} takes {takes} arguments, not {}", args.len());
            return Err(Trap::new(&codes::ARGUMENTS, message));
        }
        let key = std::ptr::from_ref(ir).addr();
        let code = match self.codes.get(&key) {
            Some(code) => code.clone(),
            None => {
                // A sum does not hang on the order.
                let before: usize = self.codes.values().map(|code| code.tables.len()).sum();
                let code = Rc::new(Code::new(ir, self.options.quick, before as u32));
                self.codes.insert(key, code.clone());
                code
            }
        };
        let values = vec![RtValue::Poison; ir.value_capacity()];
        self.frames.push(Frame { ir, code, values, activations: Vec::new(), resumes: false });
        self.enter(body, args)
    }
}

impl Machine<'_> {
    /// Where the op with a number is in the source
    pub(crate) fn span_of(&self, number: u32) -> Option<Span> {
        let inside =
            |code: &Code| number.checked_sub(code.first).filter(|at| (*at as usize) < code.tables.len());
        let (key, at) = self.codes.iter().find_map(|(key, code)| Some((*key, inside(code)?)))?;
        let ir = self.functions.values().find(|ir| std::ptr::from_ref(**ir).addr() == key)?;
        ir.span(OpId::new(at as usize))
    }
}

pub(crate) fn too_deep() -> Trap {
    Trap::new(&codes::LIMIT, "calls and regions are nested too deep")
}
