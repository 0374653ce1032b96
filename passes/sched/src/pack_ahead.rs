//! What is copied from a constant argument is copied ahead of time, by a function of its own.
//!
//! ```mlir
//! func.func @f(%A, %B, %C) { for k1 … { for k2 … { %panel = alloc; copy %B[… k1 … k2 …] to %panel; … %panel[…] … } } }
//! // becomes, with arguments=1
//! func.func @f(%A, %B_packed, %C) { for k1 … { for k2 … { … %B_packed[k1 floordiv t1, k2 floordiv t2, …] … } } }
//! func.func @f_pack(%B, %B_packed) { for k1 … { for k2 … { copy %B[… k1 … k2 …] to %B_packed[k1 floordiv t1, …] } } }
//! ```
//!
//! Weights of a network are the case: who calls often packs once. All panels together take as much memory as the argument,
//! and more where tiles overlap or have remainders. It is an option because the packing would not be measured.

use crate::codes;
use std::fmt;
use terrace_diag::Reported;
use terrace_dialect_arith::Constant;
use terrace_dialect_builtin::marks;
use terrace_dialect_func::{Func, Return};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, Builtin, Copy, CopySpec, For, Level, LoopInfo, LoopSpec, Read};
use terrace_ir::ir::Name;
use terrace_ir::references::referred;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, BlockId, Builder, Ir, OpId, OpKind, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Panels of constant arguments are filled before, by `@NAME_pack`
///
/// Each argument that is named must be read by one copy into a buffer that nothing else writes, in no kernel; the function then
/// takes all panels in its place. `@NAME_pack` takes the argument and the memory for the panels. Run it between `mdh-to-sched`
/// and `sched-legalize`. With `constant`, those that have `terrace.constant` are packed where that can be, and the function says so
/// (`terrace.prepared_by`), so that who runs it packs first; one that is called from another, or that has versions, stays as it is.
#[pass("sched-pack-ahead", scope = tree, stats("arguments packed"))]
pub struct SchedPackAhead {
    /// positions of the arguments that do not change between calls
    #[option(default = "1")]
    arguments: Vec<i64>,
    /// arguments that have `terrace.constant`, as far as they can be packed, in place of those that are named
    #[option(default = false)]
    constant: bool,
}

impl Pass for SchedPackAhead {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let has_loops = |child: &Ir| {
            Func::cast(child, child.root()).is_some() && child.walk().any(|op| For::cast(child, op).is_some())
        };
        let slots: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some_and(has_loops)).collect();
        let mut taken: HashSet<String> = unit
            .walk()
            .filter_map(|op| symbol_name(unit, op))
            .map(|name| unit.cx().str(name).to_string())
            .collect();
        let called = if self.constant { referred(unit) } else { HashSet::default() };
        let mut packed = 0;
        for slot in slots {
            let Some(mut function) = unit.take_child(slot) else { continue };
            // Who calls it, or stands for it, has the arguments as they are.
            let alone = function.discardable(function.root(), marks::VERSIONS).is_none()
                && symbol_name(&function, function.root()).is_some_and(|name| !called.contains(&name));
            let mut found = if self.constant && alone { constants(&function) } else { Vec::new() };
            let named = if self.constant { &[][..] } else { &self.arguments };
            for n in named {
                match usize::try_from(*n).map_err(|_| NotPacked::Negative).and_then(|n| find(&function, n)) {
                    Ok(panel) => found.push(panel),
                    Err(why) => {
                        let error =
                            cx.fail(&function, function.root(), &codes::PACK, format!("argument {n} {why}"));
                        unit.put_child(slot, function);
                        return error;
                    }
                }
            }
            let mut packer = (!found.is_empty()).then(|| pack(&mut function, &found, &mut taken));
            if let Some(packer) = packer.as_mut().filter(|_| self.constant) {
                declare(&mut function, packer, &found);
            }
            packed += found.len() as u64;
            unit.put_child(slot, function);
            if let Some(packer) = packer {
                let new = unit.adopt(Box::new(packer));
                unit.insert_after(slot, new);
            }
        }
        cx.count("arguments packed", packed);
        cx.set_changed(packed > 0);
        Ok(())
    }
}

/// An argument whose panels can be made ahead
struct Panel {
    position: usize,
    argument: Value,
    copy: Copy,
    buffer: Alloc,
    /// Loops around the copy on which it hangs, from outside
    loops: Vec<LoopInfo>,
    /// All panels
    ty: Type,
}

impl Panel {
    /// Which panel: the numbers of the loops' iterations, by their variables' dimensions
    fn number(&self, dims: &[u32]) -> Vec<AffineExpr> {
        let one = |(info, dim): (&LoopInfo, &u32)| {
            AffineExpr::floor_div(AffineExpr::Dim(*dim), AffineExpr::Constant(info.tile))
        };
        self.loops.iter().zip(dims).map(one).collect()
    }
}

/// Why panels cannot be made ahead; completes "argument 1 …"
#[derive(Clone, PartialEq, Eq, Debug)]
enum NotPacked {
    /// A declaration has no copies
    NoBody,
    /// A number below 0
    Negative,
    /// An argument after the last one
    NoArgument {
        /// Arguments of the function
        count: usize,
    },
    /// An op that may change the argument, by name
    NotConstant(String),
    /// No use at all
    Unused,
    /// No copy to a panel
    NoCopy,
    /// Several reads or copies
    Places(usize),
    /// A copy of several threads, or one with a condition or an operator
    Shared,
    /// A panel that is no local buffer
    LivesOn,
    /// A panel with another writer
    Written,
    /// A destination that is not memory
    NoMemory,
    /// A place in the panel that depends on other loops
    OtherLoops,
    /// A copy inside of another op than loops, by name
    Inside(String),
    /// A source whose place is not a sum of loop variables
    NoSum,
}

impl fmt::Display for NotPacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBody => "is of no body",
            Self::Negative => "is negative",
            Self::NoArgument { count } => return write!(f, "is not there; the function has {count}"),
            Self::NotConstant(op) => return write!(f, "is written, or used by `{op}`: it must be constant"),
            Self::Unused => "is not used",
            Self::NoCopy => "is read where it lies: the schedule copies it to no panel",
            Self::Places(count) => {
                return write!(f, "is read in {count} places: panels are made ahead for one copy");
            }
            Self::Shared => "is copied by threads together, or perhaps not at all: nothing to pack ahead",
            Self::LivesOn => "is copied to memory that lives on",
            Self::Written => "is copied to a panel that is written elsewhere",
            Self::NoMemory => "is copied to no memory",
            Self::OtherLoops => "goes to a place of its panel that depends on other loops",
            Self::Inside(op) => return write!(f, "is copied inside of `{op}`, not of loops alone"),
            Self::NoSum => "is copied from a place that is no sum of loop variables",
        })
    }
}

impl std::error::Error for NotPacked {}

/// The panels of all arguments that are the same in every call, as far as they can be made ahead
fn constants(ir: &Ir) -> Vec<Panel> {
    let body = Func::cast(ir, ir.root()).and_then(|func| ir.entry(func.body(ir)));
    let args = body.map_or(&[][..], |body| ir.block_args(body)).iter().enumerate();
    let own = args.filter(|(_, arg)| marks::of_argument(ir, **arg, marks::CONSTANT).is_some());
    own.filter_map(|(n, _)| find(ir, n).ok()).collect()
}

/// Both functions say that one prepares arguments of the other
fn declare(function: &mut Ir, packer: &mut Ir, panels: &[Panel]) {
    let cx = function.cx_arc().clone();
    let count = Func(function.root()).types(function).0.len();
    let takes: Vec<i64> = panels.iter().map(|panel| panel.position as i64).collect();
    let mut gives: Vec<i64> = (0..count as i64).collect();
    for (n, panel) in panels.iter().enumerate() {
        gives[panel.position] = -1 - n as i64;
    }
    packer.set_discardable(packer.root(), marks::TAKES, Some(cx.i64_array(&takes)));
    packer.set_discardable(packer.root(), marks::GIVES, Some(cx.i64_array(&gives)));
    let name = symbol_name(packer, packer.root()).map_or("", |name| cx.str(name));
    let stages = function.discardable(function.root(), marks::PREPARED_BY).and_then(|all| all.as_array(&cx));
    let stages: Vec<Attr> = stages.unwrap_or(&[]).iter().copied().chain([cx.symbol_attr(name)]).collect();
    function.set_discardable(function.root(), marks::PREPARED_BY, Some(cx.array_attr(&stages)));
}

/// The panels of an argument, or why they can't be made ahead
fn find(ir: &Ir, position: usize) -> Result<Panel, NotPacked> {
    let body = Func::cast(ir, ir.root()).and_then(|func| ir.entry(func.body(ir))).ok_or(NotPacked::NoBody)?;
    let argument = *ir
        .block_args(body)
        .get(position)
        .ok_or(NotPacked::NoArgument { count: ir.block_args(body).len() })?;
    let users: Vec<OpId> = ir.uses(argument).map(|(op, _)| op).collect();
    let read = |op: &OpId| Read::cast(ir, *op).is_some();
    if let Some(op) = users.iter().find(|op| !read(op) && !copied(ir, **op, argument)) {
        return Err(NotPacked::NotConstant(ir.op_name(*op).to_string()));
    }
    let copy = match users.as_slice() {
        [user] if !read(user) => Copy(*user),
        [] => return Err(NotPacked::Unused),
        all if all.iter().all(read) => return Err(NotPacked::NoCopy),
        all => return Err(NotPacked::Places(all.len())),
    };
    if copy.owner(ir).is_some() || copy.when(ir).is_some() || copy.operator(ir).is_some() {
        return Err(NotPacked::Shared);
    }
    let buffer = ir.defining_op(copy.dst(ir)).and_then(|op| Alloc::cast(ir, op));
    let buffer = buffer.filter(|buffer| buffer.when(ir).is_none()).ok_or(NotPacked::LivesOn)?;
    let only_reads = ir.uses(copy.dst(ir)).all(|(op, _)| {
        op == copy.id()
            || Read::cast(ir, op).is_some()
            || Copy::cast(ir, op).is_some_and(|other| other.src(ir) == copy.dst(ir))
    });
    if !only_reads {
        return Err(NotPacked::Written);
    }
    let TypeKind::MemRef { shape, elem, .. } = ir.ty(copy.dst(ir)).kind(ir.cx()) else {
        return Err(NotPacked::NoMemory);
    };
    let used = copy.from(ir).map_or(Vec::new(), |from| from.values);
    if copy.to(ir).values.iter().any(|value| !used.contains(value)) {
        return Err(NotPacked::OtherLoops);
    }
    let mut loops = Vec::new();
    let mut at = ir.parent(copy.id());
    while let Some(op) = at {
        if let Some(info) = For::cast(ir, op).and_then(|op| op.info(ir)) {
            if used.contains(&info.iv) {
                loops.push(info);
            }
        } else if op != ir.root() {
            return Err(NotPacked::Inside(ir.op_name(op).to_string()));
        }
        at = ir.parent(op);
    }
    loops.reverse();
    if loops.len() != used.len() {
        return Err(NotPacked::NoSum);
    }
    let sizes: Vec<i64> = loops.iter().map(|info| info.trip()).chain(shape.iter().copied()).collect();
    let ty = ir.cx().memref(&sizes, *elem);
    Ok(Panel { position, argument, copy, buffer, loops, ty })
}

/// Does a copy only read it?
fn copied(ir: &Ir, op: OpId, argument: Value) -> bool {
    Copy::cast(ir, op).is_some_and(|copy| copy.src(ir) == argument && copy.dst(ir) != argument)
}

/// Take the copies out; gives the function that does them
fn pack(function: &mut Ir, panels: &[Panel], taken: &mut HashSet<String>) -> Ir {
    let cx = function.cx_arc().clone();
    let base = symbol_name(function, function.root()).map_or("", |name| cx.str(name)).to_string();
    let mut name = format!("{base}_pack");
    let mut n = 0;
    while !taken.insert(name.clone()) {
        name = format!("{base}_pack_{n}");
        n += 1;
    }
    let packer = packer(function, panels, &name);
    for panel in panels {
        use_packed(function, panel);
    }
    let func = Func(function.root());
    let (inputs, results) = func.types(function);
    let mut inputs = inputs.to_vec();
    panels.iter().for_each(|panel| inputs[panel.position] = panel.ty);
    let ty = cx.type_attr(cx.function(&inputs, results));
    func.set_function_type(function, ty);
    packer
}

/// `@NAME_pack`: the loops that panels depend on, with the copies in them
fn packer(function: &Ir, panels: &[Panel], name: &str) -> Ir {
    let cx = function.cx_arc();
    let kind = cx.kind_of(Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(cx, kind, 1, function.loc(function.root()));
    ir.set_source(function.source());
    let types: Vec<Type> = panels
        .iter()
        .map(|panel| function.ty(panel.argument))
        .chain(panels.iter().map(|panel| panel.ty))
        .collect();
    let ty = cx.type_attr(cx.function(&types, &[]));
    ir.set_attr(ir.root(), "sym_name", Some(cx.str_attr(name)));
    ir.set_attr(ir.root(), "function_type", Some(ty));
    let region = ir.region(ir.root(), 0);
    let entry = ir.append_block(region);
    let args: Vec<Value> = types.iter().map(|ty| ir.add_block_arg(entry, *ty)).collect();
    let (sources, packed) = args.split_at(panels.len());
    for ((panel, source), all) in panels.iter().zip(sources).zip(packed) {
        let name = function.value_name(panel.argument).unwrap_or("weights");
        ir.set_value_name(*source, Name::Str(cx.intern(name)));
        ir.set_value_name(*all, Name::Str(cx.intern(&format!("{name}_packed"))));
        nest(function, panel, &mut ir, (*source, *all));
    }
    Return::build(&mut Builder::at_end(&mut ir, entry), &[]);
    ir
}

/// The loops of a panel and its copy, at the end of the function
fn nest(from: &Ir, panel: &Panel, ir: &mut Ir, (source, all): (Value, Value)) {
    let region = ir.region(ir.root(), 0);
    let entry = ir.entry(region).expect("it was made");
    let (copy, loc) = (panel.copy, from.loc(panel.copy.id()));
    // Iterations that the program leaves out may lie outside of the argument; their panels are never read.
    let inside = panel
        .loops
        .iter()
        .all(|info| info.limit.is_none() && info.from.is_none() && info.extent % info.tile == 0);
    let elem = from.ty(panel.argument).scalar(from.cx());
    let padding = match copy.padding(from).and_then(|value| from.defining_op(value)) {
        Some(op) => from.attr(op, "value"),
        None => Builtin::Add.identity(from.cx(), elem).filter(|_| !inside),
    };
    let mut b = Builder::at_end(ir, entry);
    b.set_loc(loc);
    let padding = padding.map(|value| Constant::build(&mut b, value).result(b.ir()));
    let (mut variables, mut end) = (Vec::new(), None);
    for info in &panel.loops {
        let spec =
            LoopSpec { extent: info.extent, tile: info.tile, level: level(info), ..LoopSpec::default() };
        let mut b = at(ir, entry, end);
        b.set_loc(loc);
        let made = spec.build(&mut b);
        let block = ir.entry(made.body(ir)).expect("a loop has a body");
        let iv = ir.block_args(block)[0];
        if let Some(name) = from.value_name(info.iv) {
            let name = Name::Str(ir.cx().intern(name));
            ir.set_value_name(iv, name);
        }
        variables.push(iv);
        end = ir.last_op(block);
    }
    let here = |values: &[Value]| -> Vec<Value> {
        let of = |value: &Value| panel.loops.iter().position(|info| info.iv == *value);
        values.iter().filter_map(|value| of(value).map(|n| variables[n])).collect()
    };
    let read = copy.from(from).expect("it reads an argument");
    let read = Access { map: read.map.clone(), values: here(&read.values) };
    let to = copy.to(from);
    let to = Access { map: to.map.clone(), values: here(&to.values) };
    let to = in_panel(&to, panel, &variables);
    let spec = CopySpec {
        padding,
        by: copy.by_levels(from),
        clip: copy.clip(from).is_some(),
        ..CopySpec::new(copy.sizes(from), (source, Some(read)), (all, to))
    };
    let mut b = at(ir, entry, end);
    b.set_loc(loc);
    spec.build(&mut b);
}

/// Before an op, or at the end of the function's block
fn at(ir: &mut Ir, entry: BlockId, before: Option<OpId>) -> Builder<'_> {
    match before {
        Some(op) => Builder::before(ir, op),
        None => Builder::at_end(ir, entry),
    }
}

/// A loop over threads stays one; all else is sequential
fn level(info: &LoopInfo) -> Level {
    if info.level == Level::Task { Level::Task } else { Level::Seq }
}

/// An access of a panel as one of all panels
fn in_panel(at: &Access, panel: &Panel, variables: &[Value]) -> Access {
    let own = at.map.dims - at.values.len() as u32;
    let mut values = at.values.clone();
    let dims: Vec<u32> = variables
        .iter()
        .map(|iv| {
            let n = values.iter().position(|value| value == iv).unwrap_or_else(|| {
                values.push(*iv);
                values.len() - 1
            });
            own + n as u32
        })
        .collect();
    let results = panel.number(&dims).into_iter().chain(at.map.results.iter().cloned()).collect();
    let map = AffineMap::new(own + values.len() as u32, 0, results).expect("every dimension is a value's");
    Access { map, values }
}

/// Let readers of a panel read it among all; copy and buffer go
fn use_packed(ir: &mut Ir, panel: &Panel) {
    let old = panel.copy.dst(ir);
    let ivs: Vec<Value> = panel.loops.iter().map(|info| info.iv).collect();
    ir.erase(panel.copy.id());
    ir.set_type(panel.argument, panel.ty);
    let readers: Vec<OpId> = ir.uses(old).map(|(op, _)| op).collect();
    for op in readers {
        if let Some(read) = Read::cast(ir, op) {
            let at = in_panel(&read.access(ir), panel, &ivs);
            let padding = read.padding(ir);
            let mut b = Builder::before(ir, op);
            let new = Read::make(&mut b, panel.argument, &at, padding).result(b.ir());
            let result = read.result(ir);
            ir.replace_all_uses(result, new);
        } else if let Some(copy) = Copy::cast(ir, op) {
            let from = copy.from(ir).map(|from| in_panel(&from, panel, &ivs));
            let spec = CopySpec { names: Vec::new(), src: panel.argument, from, ..CopySpec::of(ir, copy) };
            spec.build(&mut Builder::before(ir, op));
        }
        ir.erase(op);
    }
    ir.erase(panel.buffer.id());
    let name = ir.value_name(panel.argument).map(|name| format!("{name}_packed"));
    if let Some(name) = name {
        let name = Name::Str(ir.cx().intern(&name));
        ir.set_value_name(panel.argument, name);
    }
}
