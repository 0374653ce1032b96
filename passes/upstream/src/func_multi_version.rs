//! Functions in several versions, one per level of the processor, chosen where the program runs.
//!
//! ```mlir
//! func.func @f(…) { … }
//! // becomes, with targets=x86-64-v4,x86-64-v3
//! func.func @f(…) attributes {terrace.target = "x86-64-v2", terrace.versions = [@f_x86_64_v4, @f_x86_64_v3]} { … }
//! func.func private @f_x86_64_v4(…) attributes {terrace.target = "x86-64-v4"} { … }
//! func.func private @f_x86_64_v3(…) attributes {terrace.target = "x86-64-v3"} { … }
//! ```
//!
//! `terrace.target` is a device's name: `mdh-schedule` schedules the function for it, code is made for that processor.
//! `terrace.versions` says: whoever calls `@f` may get any of these, best first; the LLVM back end lets the processor
//! decide (`terrace_cpu_level` of the runtime). Read as written, without a choice, the program means the same: bodies are
//! equal when they are copied. Calls between functions of the module stay within a version.

use terrace_diag::Reported;
use terrace_dialect_builtin::marks::{TARGET, VERSIONS};
use terrace_dialect_func::{Call, Func};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, Ir, OpId, Str};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};
use terrace_support::{HashMap, HashSet};

/// The level that versions are added to, and that every x86-64 processor of the last fifteen years has
const BASE: &str = "x86-64-v2";

/// A level above the base
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// AVX2 and FMA
    V3,
    /// AVX-512
    V4,
}

impl Level {
    fn target(self) -> &'static str {
        match self {
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
        }
    }
}

impl OptionValue for Level {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = "";
    const WANTS: &'static str = "x86-64-v3, x86-64-v4 (x86-64-v2 is always there)";
    fn parse(text: &str) -> Option<Level> {
        [Level::V3, Level::V4].into_iter().find(|level| level.target() == text)
    }
}

/// Functions get versions for better processors, chosen when they are called
///
/// Every function with a body is copied once per target, its calls go to copies of the same target; the function itself is
/// for x86-64-v2. Run it first: each version then gets schedules, vectors and code of its own.
#[pass("func-multi-version", scope = tree, stats("versions made"))]
pub struct FuncMultiVersion {
    /// levels above x86-64-v2 that get a version; none: code for x86-64-v2 alone
    #[option(default = "x86-64-v4,x86-64-v3")]
    targets: Vec<Level>,
}

impl Pass for FuncMultiVersion {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut targets = self.targets.clone();
        targets.sort_by(|a, b| b.cmp(a));
        targets.dedup();
        let slots: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some_and(has_no_version)).collect();
        if slots.is_empty() {
            return Ok(());
        }
        let ir = unit.cx_arc().clone();
        let mut taken: HashSet<Str> = unit.walk().filter_map(|op| symbol_name(unit, op)).collect();
        let mut versions: HashMap<OpId, Vec<Attr>> = HashMap::default();
        for level in &targets {
            // Names first: calls may go to functions further down.
            let mut renamed: HashMap<Str, Str> = HashMap::default();
            for slot in &slots {
                let Some(old) = symbol_name(unit, *slot) else { continue };
                let base = format!("{}_{}", ir.str(old), level.target().replace('-', "_"));
                let mut name = ir.intern(&base);
                let mut n = 0;
                while !taken.insert(name) {
                    name = ir.intern(&format!("{base}_{n}"));
                    n += 1;
                }
                renamed.insert(old, name);
                versions.entry(*slot).or_default().push(ir.symbol_attr(ir.str(name)));
            }
            for slot in &slots {
                let Some(child) = unit.child(*slot) else { continue };
                let mut copy = child.clone_unit();
                let name = symbol_name(&copy, copy.root()).and_then(|old| renamed.get(&old));
                let Some(name) = name.map(|name| ir.str_attr(ir.str(*name))) else { continue };
                let root = copy.root();
                copy.set_attr(root, "sym_name", Some(name));
                copy.set_attr(root, "sym_visibility", Some(ir.str_attr("private")));
                copy.set_discardable(root, TARGET, Some(ir.str_attr(level.target())));
                redirect(&mut copy, &renamed);
                let new = unit.adopt(copy);
                unit.insert_after(*slot, new);
                cx.count("versions made", 1);
            }
        }
        for slot in slots {
            let Some(child) = unit.child_mut(slot) else { continue };
            let root = child.root();
            child.set_discardable(root, TARGET, Some(ir.str_attr(BASE)));
            // A private function is called by functions of its own version only.
            let public =
                child.attr(root, "sym_visibility").and_then(|attr| attr.as_str(&ir)) != Some("private");
            if let (true, Some(all)) = (public, versions.get(&slot)) {
                child.set_discardable(root, VERSIONS, Some(ir.array_attr(all)));
            }
        }
        cx.set_changed(true);
        Ok(())
    }
}

/// A function with a body and without a target
fn has_no_version(child: &Ir) -> bool {
    let root = child.root();
    let body = Func::cast(child, root).and_then(|func| child.entry(func.body(child)));
    body.is_some() && child.discardable(root, TARGET).is_none()
}

/// Let calls go to the functions of the same version
fn redirect(function: &mut Ir, renamed: &HashMap<Str, Str>) {
    let cx = function.cx_arc().clone();
    let calls: Vec<OpId> = function.walk().filter(|op| function.is(*op, Call::DEF)).collect();
    for op in calls {
        let callee = Call(op).callee(function).as_symbol(&cx).map(|(root, _)| root);
        if let Some(name) = callee.and_then(|callee| renamed.get(&callee)) {
            let name = cx.symbol_attr(cx.str(*name));
            function.set_attr(op, "callee", Some(name));
        }
    }
}
