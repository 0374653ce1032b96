//! Hand-built IR, compared with what upstream prints for the same.

use super::{PrintOptions, print, print_to};
use std::sync::Arc;
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::{AttrSpec, RegionSpec, ValueSpec};
use terrace_ir::rules::{AttrRule, TypeRule};
use terrace_ir::*;

const EMPTY: OpDef = OpDef::named("");

const BODY: RegionSpec =
    RegionSpec { name: "body", variadic: false, single_block: false, may_be_empty: true };

static MODULE: OpDef = OpDef {
    name: "builtin.module",
    attrs: &[AttrSpec { name: "sym_name", attr: &rules::SymbolName::RULE, optional: true, default: None }],
    regions: &[BODY],
    traits: Traits::Unit.and(Traits::NoTerminator),
    asm: &[
        Asm::Optional { anchor: Anchor::Attr(0), then: &[Asm::Attr(0)], otherwise: &[] },
        Asm::AttrDictWithKeyword,
        Asm::Region(0),
    ],
    ..EMPTY
};

static FUNC: OpDef = OpDef {
    name: "func.func",
    attrs: &[AttrSpec { name: "sym_name", attr: &rules::SymbolName::RULE, optional: false, default: None }],
    regions: &[BODY],
    traits: Traits::Unit,
    asm: &[Asm::Attr(0), Asm::AttrDict, Asm::Region(0)],
    ..EMPTY
};

static RETURN: OpDef = OpDef {
    name: "func.return",
    operands: &[ValueSpec { name: "operands", arity: Arity::Variadic, ty: &rules::AnyType::RULE }],
    traits: Traits::Terminator,
    asm: &[
        Asm::AttrDict,
        Asm::Optional {
            anchor: Anchor::Operand(0),
            then: &[Asm::Operand(0), Asm::Lit(":"), Asm::OperandType(0)],
            otherwise: &[],
        },
    ],
    ..EMPTY
};

static CONSTANT: OpDef = OpDef {
    name: "arith.constant",
    results: &[ValueSpec { name: "result", arity: Arity::One, ty: &rules::AnyType::RULE }],
    attrs: &[AttrSpec { name: "value", attr: &rules::TypedAttr::RULE, optional: false, default: None }],
    traits: Traits::ConstantLike,
    asm: &[Asm::AttrDict, Asm::Attr(0)],
    ..EMPTY
};

static ADD: OpDef = OpDef {
    name: "arith.addi",
    operands: &[
        ValueSpec { name: "lhs", arity: Arity::One, ty: &rules::AnyType::RULE },
        ValueSpec { name: "rhs", arity: Arity::One, ty: &rules::AnyType::RULE },
    ],
    results: &[ValueSpec { name: "result", arity: Arity::One, ty: &rules::AnyType::RULE }],
    asm: &[Asm::Operand(0), Asm::Lit(","), Asm::Operand(1), Asm::AttrDict, Asm::Lit(":"), Asm::ResultType(0)],
    ..EMPTY
};

static SCOPE: OpDef =
    OpDef { name: "builtin.scope", regions: &[BODY], asm: &[Asm::Region(0), Asm::AttrDict], ..EMPTY };

static BUILTIN: Dialect = dialect("builtin", &[&MODULE, &SCOPE]);
static FUNCTIONS: Dialect = dialect("func", &[&FUNC, &RETURN]);
static ARITH: Dialect = dialect("arith", &[&ADD, &CONSTANT]);

const fn dialect(name: &'static str, ops: &'static [&'static OpDef]) -> Dialect {
    Dialect {
        name,
        docs: "",
        ops,
        types: &[],
        attrs: &[],
        enums: &[],
        codes: &[],
        interfaces: &[],
        materialize: None,
        verify_attr: None,
    }
}

fn context() -> Arc<Context> {
    Context::new(&[&BUILTIN, &FUNCTIONS, &ARITH])
}

fn unit(cx: &Arc<Context>, def: &'static OpDef, name: Option<&str>) -> (Ir, BlockId) {
    let mut ir = Ir::new_unit(cx, cx.kind_of(def).expect("registered"), 1, Loc::UNKNOWN);
    let region = ir.region(ir.root(), 0);
    let block = ir.append_block(region);
    ir.set_attr(ir.root(), "sym_name", name.map(|name| cx.str_attr(name)));
    (ir, block)
}

fn text(ir: &Ir, options: &PrintOptions) -> String {
    let mut out = String::new();
    print(ir, options, &mut out);
    out
}

fn pretty(ir: &Ir) -> String {
    text(ir, &PrintOptions::default())
}

fn generic() -> PrintOptions {
    PrintOptions { generic: true, ..PrintOptions::default() }
}

/// `new` as an op of no dialect; its name takes the place of slot 0
fn unregistered(ir: &mut Ir, name: &str, new: &NewOp<'_>) -> OpId {
    let name = Attr::from_raw(ir.cx().intern(name).raw());
    ir.create(&NewOp { kind: OpKind::UNREGISTERED, slots: &[name, None], ..new.clone() })
}

/// A function with two constants, a sum and a return
fn function(cx: &Arc<Context>, name: &str) -> Ir {
    let (mut ir, block) = unit(cx, &FUNC, Some(name));
    let i32 = cx.common().i32;
    let arg = ir.add_block_arg(block, i32);
    let mut b = Builder::at_end(&mut ir, block);
    let kind = b.kind(&CONSTANT);
    let one = cx.int_attr(1, i32);
    let slots = [Some(one)];
    let constant = NewOp { results: &[i32], slots: &slots, ..NewOp::new(kind) };
    let first = b.insert(&constant);
    b.insert(&constant);
    let lhs = b.read().result(first, 0);
    let kind = b.kind(&ADD);
    let sum = b.insert(&NewOp { operands: &[lhs, arg], results: &[i32], ..NewOp::new(kind) });
    let sum = b.read().result(sum, 0);
    let kind = b.kind(&RETURN);
    b.insert(&NewOp { operands: &[sum], ..NewOp::new(kind) });
    ir
}

fn module(cx: &Arc<Context>, functions: usize) -> Ir {
    let (mut ir, block) = unit(cx, &MODULE, None);
    for n in 0..functions {
        let child = Box::new(function(cx, &format!("f{n}")));
        let slot = ir.adopt(child);
        ir.append(block, slot);
    }
    ir
}

#[test]
fn functions_in_a_module() {
    let expected = "\
module {
  func.func @f0 {
  ^bb0(%arg0: i32):
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %0 = arith.addi %c1_i32, %arg0 : i32
    return %0 : i32
  }
}
";
    assert_eq!(pretty(&module(&context(), 1)), expected);
}

#[test]
fn generic_form() {
    let expected = "\
\"builtin.module\"() ({
  \"func.func\"() <{sym_name = \"f0\"}> ({
  ^bb0(%arg0: i32):
    %0 = \"arith.constant\"() <{value = 1 : i32}> : () -> i32
    %1 = \"arith.constant\"() <{value = 1 : i32}> : () -> i32
    %2 = \"arith.addi\"(%0, %arg0) : (i32, i32) -> i32
    \"func.return\"(%2) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
";
    assert_eq!(text(&module(&context(), 1), &generic()), expected);
}

#[test]
fn threads_change_no_byte() {
    let ir = module(&context(), 5000);
    let one = pretty(&ir);
    let options = PrintOptions { threads: 3, ..PrintOptions::default() };
    let mut bytes = Vec::new();
    print_to(&ir, &options, &mut bytes).expect("a vector takes everything");
    assert!(one.as_bytes() == bytes, "texts differ");
    assert_eq!(text(&ir, &options), one);
}

#[test]
fn results_in_groups_and_successors() {
    let cx = context();
    let (mut ir, entry) = unit(&cx, &FUNC, Some("f"));
    let region = ir.region(ir.root(), 0);
    let (i32, i64) = (cx.common().i32, cx.common().i64);
    let next = ir.append_block(region);
    let arg = ir.add_block_arg(next, i64);
    let three = unregistered(
        &mut ir,
        "test.three",
        &NewOp { results: &[i32, i64, i32], ..NewOp::new(OpKind::UNREGISTERED) },
    );
    ir.append(entry, three);
    let values: Vec<Value> = ir.results(three).collect();
    let new = NewOp { operands: &values[..2], successors: &[next], ..NewOp::new(OpKind::UNREGISTERED) };
    let br = unregistered(&mut ir, "test.br", &new);
    ir.append(entry, br);
    let user = unregistered(
        &mut ir,
        "test.use",
        &NewOp { operands: &[arg], regions: 2, ..NewOp::new(OpKind::UNREGISTERED) },
    );
    ir.append(next, user);
    let inner = ir.append_block(ir.region(user, 0));
    let leaf =
        unregistered(&mut ir, "test.leaf", &NewOp { results: &[i32], ..NewOp::new(OpKind::UNREGISTERED) });
    ir.append(inner, leaf);
    let expected = "\
func.func @f {
  %0:3 = \"test.three\"() : () -> (i32, i64, i32)
  \"test.br\"(%0#0, %0#1)[^bb1] : (i32, i64) -> ()
^bb1(%1: i64):
  \"test.use\"(%1) ({
    %2 = \"test.leaf\"() : () -> i32
  }, {
  }) : (i64) -> ()
}
";
    assert_eq!(pretty(&ir), expected);
    ir.set_value_name(values[0], Name::Str(cx.intern("a")));
    ir.set_value_name(values[1], Name::Str(cx.intern("b")));
    ir.set_value_name(ir.result(leaf, 0), Name::Str(cx.intern("a")));
    let text = pretty(&ir);
    assert!(text.contains("%a, %b:2 = \"test.three\""), "{text}");
    assert!(text.contains("(%a, %b#0)"), "{text}");
    assert!(text.contains("%a_0 = \"test.leaf\""), "{text}");
}

#[test]
fn deep_nesting_costs_no_stack() {
    let cx = context();
    let (mut ir, mut block) = unit(&cx, &FUNC, Some("f"));
    for _ in 0..10_000 {
        let op = unregistered(&mut ir, "test.in", &NewOp { regions: 1, ..NewOp::new(OpKind::UNREGISTERED) });
        ir.append(block, op);
        block = ir.append_block(ir.region(op, 0));
    }
    let mut units = ir;
    for _ in 0..500 {
        let (mut outer, block) = unit(&cx, &MODULE, None);
        let slot = outer.adopt(Box::new(units));
        outer.append(block, slot);
        units = outer;
    }
    let options = PrintOptions { generic: true, ..PrintOptions::default() };
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.iter().filter(|&&byte| byte == b'\n').count();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut lines = Count(0);
    print_to(&units, &options, &mut lines).expect("counting can't fail");
    assert!(lines.0 > 20_500, "{}", lines.0);
}

#[test]
fn maps_have_aliases() {
    use terrace_support::affine::{AffineExpr, AffineMap};
    let cx = context();
    let (mut ir, block) = unit(&cx, &MODULE, None);
    let map = |n| cx.map_attr(AffineMap { dims: 1, symbols: 0, results: vec![AffineExpr::Constant(n)] });
    for n in [7, 5, 7] {
        let op = unregistered(&mut ir, "test.map", &NewOp::new(OpKind::UNREGISTERED));
        ir.append(block, op);
        ir.set_discardable(op, "m", Some(map(n)));
    }
    let expected = "\
#map = affine_map<(d0) -> (7)>
#map1 = affine_map<(d0) -> (5)>
module {
  \"test.map\"() {m = #map} : () -> ()
  \"test.map\"() {m = #map1} : () -> ()
  \"test.map\"() {m = #map} : () -> ()
}
";
    assert_eq!(pretty(&ir), expected);
    let local = PrintOptions { local_scope: true, ..PrintOptions::default() };
    assert!(text(&ir, &local).starts_with("module {\n  \"test.map\"() {m = affine_map<(d0) -> (7)>}"));
}

#[test]
fn formats_inside_of_each_other() {
    let cx = context();
    let (mut ir, mut block) = unit(&cx, &FUNC, Some("f"));
    let depth = 3000;
    for _ in 0..depth {
        let op = ir.create(&NewOp { regions: 1, ..NewOp::new(cx.kind_of(&SCOPE).expect("registered")) });
        ir.append(block, op);
        block = ir.append_block(ir.region(op, 0));
    }
    let run = || pretty(&ir).lines().count();
    assert_eq!(run(), 2 * depth + 2);
}
