//! `#[op]` on a tiny dialect: tables, `build`, accessors, and what the verifier makes of them.

use terrace_ir::rules::{AnyType, I1, IntLike, TypedAttr};
use terrace_ir::{Builder, Context, Fold, FoldCx, Folded, Ir, Loc, Value};
use terrace_macros::{dialect, op};

/// Holds everything
#[op("t.module", traits(Unit, NoTerminator, IsolatedFromAbove))]
pub struct Module {
    #[region(single_block)]
    body: Region,
}

/// A constant
#[op("t.constant", traits(Pure, ConstantLike), relations(type_of_attr(value => result)))]
#[asm("$value attr-dict")]
pub struct Constant {
    #[attr]
    value: TypedAttr,
    #[result]
    result: AnyType,
}

/// Sum
#[op("t.add", traits(Pure, Commutative), relations(same(lhs, rhs, sum)), hooks(fold))]
#[asm("$lhs `,` $rhs (`flag` $flag^)? attr-dict `:` type($sum)")]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
    #[attr(optional)]
    flag: TypedAttr,
    #[result]
    sum: IntLike,
}

impl Fold for Add {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        if cx.operand(0) == cx.operand(1) { Folded::value(cx.operand(0)) } else { Folded::No }
    }
}

/// Choice
#[op("t.pick", traits(Pure))]
pub struct Pick {
    condition: I1,
    some: Variadic<AnyType>,
    other: Optional<AnyType>,
    #[result]
    result: AnyType,
}

dialect! {
    /// For this test
    pub T = "t" { ops: [Add, Constant, Module, Pick] }
}

fn module() -> (Ir, terrace_ir::BlockId) {
    let cx = Context::new(&[&T]);
    let kind = cx.kind_of(Module::DEF).expect("registered");
    let mut ir = Ir::new_unit(&cx, kind, 1, Loc::UNKNOWN);
    let region = ir.region(ir.root(), 0);
    let block = ir.append_block(region);
    (ir, block)
}

fn constant(b: &mut Builder<'_>, value: i128) -> Value {
    let ty = b.cx().common().i32;
    let attr = b.cx().int_attr(value, ty);
    let op = Constant::build(b, attr);
    op.result(b.read())
}

#[test]
fn builds_reads_back_and_verifies() {
    let (mut ir, block) = module();
    let mut b = Builder::at_end(&mut ir, block);
    let (x, y) = (constant(&mut b, 1), constant(&mut b, 2));
    let add = Add::build(&mut b, x, y);
    assert_eq!((add.lhs(&ir), add.rhs(&ir), add.flag(&ir)), (x, y, None));
    assert_eq!(ir.ty(add.sum(&ir)), ir.cx().common().i32);
    assert_eq!(Add::cast(&ir, add.id()), Some(add));
    assert_eq!(Pick::cast(&ir, add.id()), None);
    let diags = terrace_ir::verify::verify(&ir, 1);
    assert!(!diags.has_errors(), "{:?}", diags.into_vec());
}

#[test]
fn varying_fields_keep_their_sizes() {
    let (mut ir, block) = module();
    let mut b = Builder::at_end(&mut ir, block);
    let (x, y) = (constant(&mut b, 1), constant(&mut b, 2));
    let cond = b.cx().bool_attr(true);
    let cond = Constant::build(&mut b, cond).result(b.read());
    let ty = b.cx().common().i32;
    let pick = Pick::build(&mut b, cond, &[x, y], None, ty);
    assert_eq!(pick.some(&ir), [x, y]);
    assert_eq!(pick.other(&ir), None);
    let both = Pick::build(&mut Builder::at_end(&mut ir, block), cond, &[], Some(y), ty);
    assert_eq!(both.other(&ir), Some(y));
    assert!(!terrace_ir::verify::verify(&ir, 1).has_errors());
}

#[test]
fn the_verifier_uses_the_tables() {
    let (mut ir, block) = module();
    let mut b = Builder::at_end(&mut ir, block);
    let x = constant(&mut b, 1);
    let ty = b.cx().common().i64;
    let attr = b.cx().int_attr(1, ty);
    let y = Constant::build(&mut b, attr).result(b.read());
    Add::build(&mut b, x, y);
    let diags = terrace_ir::verify::verify(&ir, 1).into_vec();
    let codes: Vec<_> = diags.iter().filter_map(|d| d.code).map(|code| code.id).collect();
    assert_eq!(codes, ["E0103"], "{diags:?}");
}

#[test]
fn uses_before_definitions_are_refused() {
    let (mut ir, block) = module();
    let mut b = Builder::at_end(&mut ir, block);
    let x = constant(&mut b, 1);
    let add = Add::build(&mut b, x, x).id();
    ir.detach(add);
    let first = ir.first_op(block).expect("the constant");
    ir.insert_before(first, add);
    let codes: Vec<_> = terrace_ir::verify::verify(&ir, 1)
        .into_vec()
        .iter()
        .filter_map(|d| d.code)
        .map(|code| code.id)
        .collect();
    assert_eq!(codes, ["E0108", "E0108"]);
}

#[test]
fn docs_and_format_are_data() {
    assert_eq!(Add::DEF.summary, "Sum");
    assert_eq!(Add::DEF.asm.len(), 7);
    assert!(Pick::DEF.operand_segments());
}
