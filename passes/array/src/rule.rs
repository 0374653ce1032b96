//! A rule of array patterns.
//!
//! A rule is a function that reads the site, asks for its conditions, builds the right side before the root, and gives the
//! values that stand for the root's results. If it says no on the way, what it has built is erased: then nothing has changed.

use crate::site::Site;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{Cast, size_pairs};
use terrace_ir::{Ir, NewOp, OpDef, OpId, Value};
use terrace_rewrite::dead::is_dead;
use terrace_rewrite::{BadValue, Miss, Rewriter, Rule};

/// What a rule gives: values in place of the root's results
pub type Done = Result<Vec<Value>, Miss>;

/// A rule
pub struct ArrayRule {
    /// Its name, as in the LIFT papers where they have one
    pub name: &'static str,
    /// The set it belongs to
    pub set: &'static str,
    /// What it is for
    pub docs: &'static str,
    /// Left ⇒ right
    pub law: &'static str,
    /// The conditions that it requires by name, in addition to the form of the left side
    pub when: &'static [&'static str],
    /// Names of its parameters; with `?` one that may be left out
    pub parameters: &'static [&'static str],
    /// The op of the left side that it starts from; `None` for any
    pub root: Option<&'static OpDef>,
    /// How it is applied
    pub apply: fn(&mut Site<'_, '_>) -> Done,
}

/// A set of rules: each with its law, what it asks, and the function that applies it
macro_rules! array_rules {
    ($set:literal: $($(#[doc = $doc:literal])* $id:ident $name:literal ($($param:literal),*) $root:expr,
        $law:literal, [$($when:literal),*] => $apply:expr;)*) => {
        /// The set
        pub const RULES: &[&dyn terrace_rewrite::Rule] = &[$(&$id),*];
        /// The same, to read
        pub const ALL: &[&$crate::rule::ArrayRule] = &[$(&$id),*];
        $($(#[doc = $doc])*
        pub static $id: $crate::rule::ArrayRule = $crate::rule::ArrayRule {
            name: $name,
            set: $set,
            docs: concat!($($doc),*),
            law: $law,
            when: &[$($when),*],
            parameters: &[$($param),*],
            root: $root,
            apply: $apply,
        };)*
    };
}
pub(crate) use array_rules;

impl Rule for ArrayRule {
    fn name(&self) -> &'static str {
        self.name
    }

    fn root(&self) -> Option<&'static OpDef> {
        self.root
    }

    fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    fn law(&self) -> &'static str {
        self.law
    }

    fn check(&self, args: &[String]) -> Result<(), BadValue> {
        args.iter().zip(self.parameters).try_for_each(|(arg, name)| {
            // What is no size is a word: a memory space, an order, the name of a value.
            if arg.starts_with('#') || arg.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                return Ok(());
            }
            let wrong = |why: String| BadValue { parameter: name, value: arg.clone(), why };
            arg.parse::<Nat>().map(|_| ()).map_err(|error| wrong(error.to_string()))
        })
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        if self.parameters.iter().any(|name| !name.ends_with('?')) {
            rw.because(format!("({})", self.parameters.join(", ")));
            return Err(Miss("the rule needs values for its parameters"));
        }
        self.apply_with(rw, op, &[])
    }

    fn apply_with(&self, rw: &mut Rewriter<'_>, op: OpId, args: &[String]) -> Result<(), Miss> {
        if self.root.is_some_and(|root| !rw.ir().is(op, root)) {
            return Err(Miss("the rule starts from another op"));
        }
        let Some(block) = rw.ir().block(op) else { return Err(Miss("rules apply to ops in blocks")) };
        let before = rw.ir().prev(op);
        let first = |ir: &Ir| match before {
            Some(before) => ir.next(before),
            None => ir.first_op(block),
        };
        let done = (self.apply)(&mut Site::new(rw, op, args)).and_then(|values| fit(rw, op, values));
        match done {
            Ok(values) => {
                let mut at = first(rw.ir());
                while let Some(new) = at.filter(|new| *new != op) {
                    at = rw.ir().next(new);
                    let all: Vec<OpId> = rw.ir().walk_below(new).chain([new]).collect();
                    all.into_iter().for_each(|op| rw.touch(op));
                }
                finish(rw, op, &values);
                Ok(())
            }
            Err(miss) => {
                // Users stand behind what they use.
                while let Some(new) = rw.ir().prev(op).filter(|new| Some(*new) != before) {
                    rw.edit(|ir| ir.erase(new));
                }
                Err(miss)
            }
        }
    }
}

/// Casts where equal sizes are written in two ways
fn fit(rw: &mut Rewriter<'_>, op: OpId, mut values: Vec<Value>) -> Done {
    for (n, value) in values.iter_mut().enumerate() {
        let (have, want) = (rw.ir().ty(*value), rw.ir().ty(rw.ir().result(op, n)));
        if have == want {
            continue;
        }
        let mut site = Site::new(rw, op, &[]);
        let pairs = size_pairs(site.cx(), have, want).map_err(|why| {
            site.rw.because(why.to_string());
            Miss("the right side has another type")
        })?;
        // What the conditions imply need not be provable again; what contradicts itself shows a wrong rule.
        site.not_refuted("type", &pairs)?;
        let kind = site.kind(Cast::DEF)?;
        let new = NewOp { operands: &[*value], results: &[want], ..NewOp::new(kind) };
        let cast = rw.insert_before(op, &new);
        *value = rw.ir().result(cast, 0);
    }
    Ok(values)
}

/// Replace the root, and erase what only the left side used
fn finish(rw: &mut Rewriter<'_>, op: OpId, values: &[Value]) {
    let below = rw.ir().walk_below(op);
    let used: Vec<Value> =
        below.chain([op]).flat_map(|op| rw.ir().operands(op).collect::<Vec<_>>()).collect();
    rw.replace(op, values);
    let defined = |rw: &Rewriter<'_>, value: Value| {
        rw.ir().value_def(value)?;
        rw.ir().defining_op(value)
    };
    let mut pending: Vec<OpId> = used.into_iter().filter_map(|value| defined(rw, value)).collect();
    while let Some(op) = pending.pop() {
        let ir = rw.ir();
        let made_new = values.iter().any(|value| ir.defining_op(*value) == Some(op));
        if !ir.is_alive(op) || made_new || ir.block(op).is_none() || !is_dead(ir, op) {
            continue;
        }
        let used: Vec<Value> =
            ir.walk_below(op).chain([op]).flat_map(|op| ir.operands(op).collect::<Vec<_>>()).collect();
        rw.erase(op);
        pending.extend(used.into_iter().filter_map(|value| defined(rw, value)));
    }
}
