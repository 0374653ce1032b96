//! Where a rule is applied: what it reads, and the conditions it asks.
//!
//! Conditions are a closed list of methods. Each has the name that the rule's `when` gives it: `--explain-miss` shows it with
//! its values, and a test leaves it out to see what it is needed for.

use crate::known::Known;
use std::cell::OnceCell;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::layout;
use terrace_dialect_array::nat_text::nat_of;
use terrace_dialect_array::obligations::conditions;
use terrace_dialect_array::size::{Obligation, Relation, Verdict};
use terrace_dialect_array::types::{components, split_type, together};
use terrace_dialect_sched::{Algebra, Operator, operator};
use terrace_ir::{Attr, BlockId, Context, InsertPoint, Ir, OpDef, OpId, OpKind, Type, TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss, Rewriter};

/// The function of a map, a reduction, …: its block
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fun {
    /// The op whose function it is
    pub op: OpId,
    /// The block
    pub block: BlockId,
}

/// Where a rule is applied
pub struct Site<'r, 'i> {
    /// The only way to change something
    pub rw: &'r mut Rewriter<'i>,
    /// The root
    pub op: OpId,
    /// Values of the rule's parameters
    pub args: &'r [String],
    pub(crate) at: InsertPoint,
    pub(crate) implied: bool,
    known: OnceCell<Known>,
}

impl<'r, 'i> Site<'r, 'i> {
    /// At this op
    pub fn new(rw: &'r mut Rewriter<'i>, op: OpId, args: &'r [String]) -> Self {
        Site { rw, op, args, at: InsertPoint::Before(op), implied: false, known: OnceCell::new() }
    }

    /// The unit
    pub fn ir(&self) -> &Ir {
        self.rw.ir()
    }

    /// The context
    pub fn cx(&self) -> &Context {
        self.rw.ir().cx()
    }

    /// No, with the values that it is about
    pub fn miss<T>(&mut self, reason: &'static str, values: impl Into<String>) -> Result<T, Miss> {
        self.rw.because(values);
        Err(Miss(reason))
    }

    /// Kind of an op to build
    pub fn kind(&self, def: &'static OpDef) -> Result<OpKind, Miss> {
        self.cx().kind_of(def).or_miss("the op's dialect is not registered")
    }

    // What is there.

    /// The first operand of the root
    pub fn x(&self) -> Value {
        self.ir().operand(self.op, 0)
    }

    /// The op that a value comes from, if it is this one
    pub fn from(&mut self, value: Value, def: &'static OpDef) -> Result<OpId, Miss> {
        let op = self.ir().defining_op(value).filter(|op| self.ir().is(*op, def));
        match op {
            Some(op) => Ok(op),
            None => {
                let have = self.ir().defining_op(value).map_or("an argument", |op| self.ir().op_name(op));
                let text = format!("{have} instead of {}", def.name);
                self.miss("an operand comes from elsewhere", text)
            }
        }
    }

    /// A size that an op has as a property
    pub fn nat(&self, op: OpId, name: &str) -> Result<Nat, Miss> {
        self.ir().attr(op, name).and_then(|attr| nat_of(self.cx(), attr)).or_miss("a property is no size")
    }

    /// The size that a parameter of the rule is
    pub fn arg(&mut self, n: usize) -> Result<Nat, Miss> {
        let arg = self.args.get(n).or_miss("a parameter has no value")?;
        match arg.parse() {
            Ok(nat) => Ok(nat),
            Err(_) => self.miss("the value of a parameter is no size", arg),
        }
    }

    /// The word that a parameter of the rule is, if it is given
    pub fn word(&self, n: usize) -> Option<&'r str> {
        self.args.get(n).map(String::as_str)
    }

    /// A size from an arithmetic that may leave the range
    pub fn size<E: std::fmt::Display>(&mut self, nat: Result<Nat, E>) -> Result<Nat, Miss> {
        nat.or_else(|error| self.miss("there is no such size", error.to_string()))
    }

    /// Number and type of the elements
    pub fn array(&self, value: Value) -> Result<(Nat, Type), Miss> {
        split_type(self.cx(), self.ir().ty(value)).or_miss("the value is no array")
    }

    /// Number of elements
    pub fn len(&self, value: Value) -> Result<Nat, Miss> {
        Ok(self.array(value)?.0)
    }

    /// Numbers of rows and columns, and the type of the elements
    pub fn matrix(&self, value: Value) -> Result<(Nat, Nat, Type), Miss> {
        let (rows, row) = self.array(value)?;
        let (columns, elem) = split_type(self.cx(), row).or_miss("the value is no array of arrays")?;
        Ok((rows, columns, elem))
    }

    /// The function of an op
    pub fn fun(&self, op: OpId) -> Result<Fun, Miss> {
        let ir = self.ir();
        let region = ir.regions(op).next().or_miss("the op has no function")?;
        Ok(Fun { op, block: ir.single_block(region).or_miss("the function has several blocks")? })
    }

    /// Its arguments
    pub fn params(&self, fun: Fun) -> Vec<Value> {
        self.ir().block_args(fun.block).to_vec()
    }

    /// What it yields
    pub fn yields(&self, fun: Fun) -> Vec<Value> {
        self.ir().last_op(fun.block).map_or(Vec::new(), |end| self.ir().operands(end).collect())
    }

    /// The one value that it yields
    pub fn yielded(&self, fun: Fun) -> Result<Value, Miss> {
        match self.yields(fun).as_slice() {
            [one] => Ok(*one),
            _ => Err(Miss("the function yields a tuple")),
        }
    }

    /// Its only argument
    pub fn param(&self, fun: Fun) -> Result<Value, Miss> {
        match self.params(fun).as_slice() {
            [one] => Ok(*one),
            _ => Err(Miss("the function takes a tuple")),
        }
    }

    /// Is the value made inside of the function (or an argument of it)?
    pub fn inside(&self, value: Value, fun: Fun) -> bool {
        let mut block = self.ir().value_block(value);
        while let Some(at) = block {
            if at == fun.block {
                return true;
            }
            block = self.ir().block_parent(at).and_then(|op| self.ir().block(op));
        }
        false
    }

    /// Type of an element of what the function is mapped over, as one
    pub fn together(&self, types: &[Type]) -> Type {
        together(self.cx(), types)
    }

    /// The function is nothing but this op on its argument: `map f` in `map (map f)`
    pub fn only(&mut self, fun: Fun, def: &'static OpDef) -> Result<OpId, Miss> {
        let (param, result) = (self.param(fun)?, self.yielded(fun)?);
        let op = self.from(result, def)?;
        let alone = self.ir().block(op) == Some(fun.block) && self.ir().operand(op, 0) == param;
        alone.or_miss("the function does more than one op on its argument")?;
        let mut rest = self.ir().operands(op).skip(1);
        let apart = rest.all(|value| !self.inside(value, fun));
        drop(rest);
        apart.or_miss("the function uses its argument twice")?;
        self.closed(op, fun)?;
        Ok(op)
    }

    /// Is the function the identity?
    pub fn is_identity(&self, fun: Fun) -> bool {
        self.yields(fun) == self.params(fun)
    }

    /// Types of the parts of a tuple, or of the value itself
    pub fn parts(&self, ty: Type) -> Vec<Type> {
        components(self.cx(), ty)
    }

    /// Is it a number?
    pub fn is_scalar(&self, ty: Type) -> bool {
        matches!(ty.kind(self.cx()), TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_))
    }

    /// The operators of a reduction
    pub fn operators(&self, op: OpId) -> Vec<Operator> {
        let all = self.ir().attr(op, "operators").and_then(|attr| attr.as_array(self.cx())).unwrap_or(&[]);
        all.iter().filter_map(|attr| Operator::from_attr(self.cx(), *attr)).collect()
    }

    /// Is the name that of a function's own symbol table entry, and what does it say of itself?
    fn declared(&self, name: &str) -> Option<Algebra> {
        let (symbols, scope) = self.rw.asks.symbols?;
        let cx = self.cx();
        let dict = symbols.lookup(scope, cx.intern(name), &[])?.dict?.as_dict(cx)?;
        let (_, attr) = dict.iter().find(|(key, _)| cx.str(*key) == operator::NAME)?;
        operator::read(cx, *attr)
    }

    /// Numbers of which a type consists, in order
    pub fn numbers(&self, ty: Type) -> Vec<Type> {
        let (mut pending, mut all) = (vec![ty], Vec::new());
        while let Some(ty) = pending.pop() {
            match ty.kind(self.cx()) {
                TypeKind::Tuple(types) => pending.extend(types.iter().rev()),
                TypeKind::Vector { elem, .. } => pending.push(*elem),
                _ => match split_type(self.cx(), ty) {
                    Some((_, elem)) => pending.push(elem),
                    None => all.push(ty),
                },
            }
        }
        all
    }

    /// What is known of all operators of a reduction, on each number they work on
    pub fn algebras(&self, op: OpId) -> Vec<Option<Algebra>> {
        let operators = self.operators(op);
        let Ok(fun) = self.fun(op) else { return vec![None] };
        let types: Vec<Type> = self.yields(fun).into_iter().map(|value| self.ir().ty(value)).collect();
        let on = |n: usize| match operators.len() {
            1 => types.clone(),
            _ => types.get(n).copied().into_iter().collect(),
        };
        let mut all = Vec::new();
        for (n, operator) in operators.iter().enumerate() {
            match operator {
                Operator::Function(name) => all.push(self.declared(name)),
                Operator::Builtin(builtin) => {
                    let numbers = on(n).into_iter().flat_map(|ty| self.numbers(ty));
                    all.extend(numbers.map(|ty| Some(builtin.algebra(self.cx(), ty))));
                }
            }
        }
        all
    }

    // What must hold.

    /// A condition of this name, with values to show if it fails
    pub fn require(
        &mut self,
        name: &'static str,
        holds: bool,
        values: impl FnOnce(&Ir) -> String,
    ) -> Result<(), Miss> {
        if holds || self.rw.asks.without == Some(name) {
            return Ok(());
        }
        let values = values(self.ir());
        self.miss(name, values)
    }

    fn verdict(&self, asked: &Obligation) -> Verdict {
        self.known.get_or_init(|| Known::at(self.rw.ir(), self.op)).decide(asked)
    }

    /// A relation of sizes: proved, or assumed if it is open and that is allowed
    fn sizes(&mut self, name: &'static str, relation: Relation, a: &Nat, b: &Nat) -> Result<(), Miss> {
        if self.rw.asks.without == Some(name) {
            return Ok(());
        }
        let asked = Obligation { relation, a: a.clone(), b: b.clone(), what: "sizes" };
        let word = match relation {
            Relation::AtMost => "<=",
            Relation::Divides => "divides",
            Relation::Equal => "=",
        };
        match self.verdict(&asked) {
            Verdict::Proved => Ok(()),
            Verdict::Undecided if self.rw.asks.assume => Ok(()),
            Verdict::Refuted(_) => {
                let rest = (*a != Nat::from(0)).then(|| b.modulo(a));
                self.miss(
                    name,
                    match (relation, rest) {
                        (Relation::Divides, Some(Ok(rest))) => {
                            format!("{a} does not divide {b}, which leaves {rest}")
                        }
                        (Relation::Divides, _) => format!("{a} does not divide {b}"),
                        (Relation::AtMost, _) => format!("{a} is more than {b}"),
                        (Relation::Equal, _) => format!("{a} is not {b}"),
                    },
                )
            }
            Verdict::Undecided => {
                self.miss(name, format!("{a} {word} {b} is not known; `assume` takes it to hold"))
            }
        }
    }

    /// `a` divides `b`, and is at least 1
    pub fn divides(&mut self, name: &'static str, a: &Nat, b: &Nat) -> Result<(), Miss> {
        self.sizes(name, Relation::AtMost, &Nat::from(1), a)?;
        self.sizes(name, Relation::Divides, a, b)
    }

    /// `a <= b`
    pub fn at_most(&mut self, name: &'static str, a: &Nat, b: &Nat) -> Result<(), Miss> {
        self.sizes(name, Relation::AtMost, a, b)
    }

    /// `a = b`
    pub fn equal(&mut self, name: &'static str, a: &Nat, b: &Nat) -> Result<(), Miss> {
        self.sizes(name, Relation::Equal, a, b)
    }

    /// `a = b`, which decides whether this is the left side: never assumed
    pub fn same(&mut self, name: &'static str, a: &Nat, b: &Nat) -> Result<(), Miss> {
        let assume = std::mem::take(&mut self.rw.asks.assume);
        let found = self.sizes(name, Relation::Equal, a, b);
        self.rw.asks.assume = assume;
        found
    }

    /// Sizes that contradict themselves show a wrong rule, or a condition left out
    pub fn not_refuted(&mut self, name: &'static str, all: &[Obligation]) -> Result<(), Miss> {
        for asked in all {
            if let Verdict::Refuted(why) = self.verdict(asked) {
                return self.miss(name, why);
            }
        }
        Ok(())
    }

    /// Conditions of an op that is built: proved, assumed, or implied by those of the rule
    pub(crate) fn obligations(&mut self, all: &[Obligation]) -> Result<(), Miss> {
        for asked in all {
            match self.verdict(asked) {
                Verdict::Proved => {}
                Verdict::Undecided if self.rw.asks.assume || self.implied => {}
                Verdict::Refuted(why) => return self.miss("sizes of the right side", why),
                Verdict::Undecided => {
                    let text = format!("{}: {} and {}", asked.what, asked.a, asked.b);
                    return self.miss("sizes of the right side are not known to fit", text);
                }
            }
        }
        Ok(())
    }

    /// From here on, what the right side needs of sizes follows from what has been asked: it may not be provable in the form
    /// in which it arises, so only what is refuted stops the rule
    pub fn implied(&mut self) {
        self.implied = true;
    }

    /// Only the consumer uses it, as often as it is made: work from outside of a map would be done for each element
    pub fn one_use(&mut self, value: Value) -> Result<(), Miss> {
        let ir = self.ir();
        let def = ir.defining_op(value);
        let beside = def.is_none_or(|def| ir.block(def) == ir.block(self.op) || layout::is_layout(ir, def));
        let holds = ir.has_one_use(value) && beside;
        self.require("one_use", holds, |ir| {
            let name = ir.value_name(value).unwrap_or("a value");
            match beside {
                true => format!("{name} has {} uses", ir.uses(value).count()),
                false => format!("{name} is made once, outside of the map around"),
            }
        })
    }

    /// Have the conditions of an op and of all inside been met, whether it runs or not?
    pub fn meets(&self, op: OpId) -> bool {
        let ir = self.ir();
        let all = ir.walk_below(op).chain([op]).flat_map(|op| conditions(ir, op));
        let mut verdicts = all.map(|asked| self.verdict(&asked));
        verdicts.all(|verdict| match verdict {
            Verdict::Proved => true,
            Verdict::Undecided => self.rw.asks.assume,
            Verdict::Refuted(_) => false,
        })
    }

    /// Both maps have one level, or none
    pub fn same_level(&mut self, a: OpId, b: OpId) -> Result<(), Miss> {
        let (a, b) = (self.ir().attr(a, "level"), self.ir().attr(b, "level"));
        let shown = |cx: &Context, level: Option<Attr>| match level {
            Some(level) => terrace_ir::show::attr_text(cx, level),
            None => "undecided".to_string(),
        };
        let text = format!("{} and {}", shown(self.cx(), a), shown(self.cx(), b));
        self.require("same_level", a == b, |_| text)
    }

    /// The value does not depend on what the function gets
    pub fn independent(&mut self, value: Value, fun: Fun) -> Result<(), Miss> {
        let holds = !self.inside(value, fun);
        self.require("independent", holds, |ir| ir.value_name(value).unwrap_or("a value").to_string())
    }

    /// No value from inside of `outer` is used by `op` or inside of it, besides those of its own
    pub fn closed(&mut self, op: OpId, outer: Fun) -> Result<(), Miss> {
        let used = self.captured(op, outer);
        self.require("independent", used.is_empty(), |ir| {
            let names: Vec<&str> = used.iter().map(|value| ir.value_name(*value).unwrap_or("?")).collect();
            format!("uses {}", names.join(", "))
        })
    }

    /// Values of `outer` that the function of `op` uses
    pub fn captured(&self, op: OpId, outer: Fun) -> Vec<Value> {
        let ir = self.ir();
        let mut found = Vec::new();
        for inner in ir.walk_below(op) {
            for value in ir.operands(inner) {
                let own = ir.value_block(value).is_some_and(|block| {
                    ir.block_parent(block).is_some_and(|around| around == op || ir.is_inside(around, op))
                });
                if !own && self.inside(value, outer) && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// The operators give the same in any order
    pub fn commutative(&mut self, op: OpId) -> Result<(), Miss> {
        let all = self.algebras(op);
        let holds = all.iter().all(|one| one.is_some_and(|one| one.commutative));
        let text = self.operator_text(op);
        self.require("commutative", holds, |_| format!("{text} is not known to be commutative"))
    }

    /// The reduction may be bracketed in another way
    pub fn reassociable(&mut self, op: OpId) -> Result<(), Miss> {
        let source = self.ir().attr(op, "order").and_then(|attr| attr.as_str(self.cx())) == Some("source");
        let exact = self.algebras(op).iter().all(|one| one.is_some_and(|one| one.exact));
        let holds = !source || exact;
        self.require("order", holds, |_| "the order is that of the source".to_string())
    }

    /// The elements may be taken in another order
    pub fn reorderable(&mut self, op: OpId) -> Result<(), Miss> {
        self.commutative(op)?;
        self.reassociable(op)
    }

    /// Operators as text
    pub fn operator_text(&self, op: OpId) -> String {
        self.operators(op).iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
    }

    /// The neutral elements of the operators: one number for all places of each component
    pub fn identities(&mut self, op: OpId) -> Result<Vec<Attr>, Miss> {
        let all: Option<Vec<Attr>> = self
            .algebras(op)
            .into_iter()
            .map(|one| one.and_then(|one| one.neutral(self.ir().cx(), 0)))
            .collect();
        match all {
            Some(all) => Ok(all),
            None => {
                let text = format!("{} has no known neutral element", self.operator_text(op));
                self.miss("identity", text)
            }
        }
    }

    /// The function holds nothing but layout: no arithmetic, no memory
    pub fn is_pure_layout(&self, fun: Fun) -> bool {
        let ir = self.ir();
        ir.walk_below(fun.op).all(|op| {
            let maps = ir.is(op, terrace_dialect_array::Map::DEF);
            let ends = ir.is(op, terrace_dialect_array::Yield::DEF);
            maps || ends || layout::is_view(ir, op) && !ir.is(op, terrace_dialect_array::At::DEF)
        })
    }
}
