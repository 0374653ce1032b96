//! A tiny dialect through the macros: built by `build`, read by accessors, verified by the tables.

use std::sync::Arc;
use terrace_ir::rules::{AnyAttr, AnyType, I1, I32Attr, IntLike, SymbolName, TypeAttr, UnitAttr};
use terrace_ir::{
    Attr, BlockId, Builder, Context, FoldCx, FoldResult, Folded, Ir, Loc, OpDef, OpId, Traits, Type, Value,
    VerifyCx, defs,
};
use terrace_macros::{dialect, dialect_attr, dialect_type, op};

fn zero(cx: &Context) -> Attr {
    cx.int_attr(0, cx.common().i32)
}

/// A unit of everything
#[op("tiny.module", traits(Unit, IsolatedFromAbove, SymbolTable, NoTerminator))]
pub struct Module {
    #[region(single_block)]
    body: Region,
}

/// A source of values
#[op("tiny.source", effects(read, write))]
pub struct Source {
    #[result]
    out: Variadic<AnyType>,
}

/// A sum
///
/// With a second paragraph.
#[op("tiny.add", traits(Pure, Commutative), relations(same(lhs, rhs, sum)), hooks(fold))]
#[asm("$lhs `,` $rhs (`flag` `` $flag^)? attr-dict `:` type($sum)")]
pub struct Add {
    lhs: IntLike,
    rhs: IntLike,
    #[attr(name = "the_flag", default = zero)]
    flag: I32Attr,
    #[attr(optional)]
    mark: UnitAttr,
    #[result]
    sum: IntLike,
}

impl terrace_ir::Fold for Add {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        Folded::value(self.lhs(cx.ir))
    }
}

/// Many operands
#[op("tiny.many", interfaces(Colored))]
pub struct Many {
    first: AnyType,
    maybe: Optional<I1>,
    rest: Variadic<AnyType>,
    last: AnyType,
    /// Needed
    #[attr]
    r#type: TypeAttr,
    #[result]
    one: Optional<I1>,
    #[result]
    some: Variadic<AnyType>,
    #[region(may_be_empty, variadic)]
    cases: Region,
}

/// A branch
#[op("tiny.branch", traits(Terminator))]
#[asm("$dest ( `(` $args^ `:` type($args) `)` )? attr-dict")]
pub struct Branch {
    args: Variadic<AnyType>,
    #[successor(operands = args)]
    dest: Successor,
}

/// A value from nothing
#[op("tiny.make", relations(type_of_attr(value => b)), hooks(verify), parents("tiny.module"))]
#[asm("`(` $value `)` attr-dict")]
pub struct Make {
    #[attr]
    value: AnyAttr,
    #[result]
    b: AnyType,
}

impl terrace_ir::Verify for Make {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), terrace_diag::Reported> {
        match self.value(v.ir).as_i64(v.ir.cx()) {
            Some(13) => v.fail(self.id(), &terrace_ir::codes::ATTR, "thirteen"),
            _ => Ok(()),
        }
    }
}

/// A named thing without custom syntax
#[op("tiny.named", traits(Symbol))]
pub struct Named {
    #[attr]
    sym_name: SymbolName,
}

/// No fields
#[op("tiny.nothing", traits(Pure))]
#[asm("attr-dict")]
pub struct Nothing;

terrace_ir::type_rules! {
    /// A rule of this dialect that one type satisfies
    OnlyToken "token", |cx, ty| Token::cast(cx, ty).is_some(), only Token::get;
}

/// Types that the text need not say: one of a kind, and the same as that
#[op("tiny.wait", relations(same(token, more)))]
#[asm("$token (`,` $more^)? attr-dict")]
pub struct Wait {
    token: OnlyToken,
    more: Variadic<AnyType>,
}

/// Results by a hook, fields named as what the macro emits
#[op("tiny.twice", hooks(infer))]
pub struct Twice {
    operands: AnyType,
    #[attr]
    cx: AnyAttr,
    #[result]
    results: Variadic<AnyType>,
}

impl terrace_ir::Infer for Twice {
    fn infer(cx: &defs::InferCx<'_>) -> Option<Vec<Type>> {
        Some(vec![cx.operands[0]; 2])
    }
}

struct Color(&'static str);

trait Colored {
    const ENTRY: terrace_ir::interface::Interface;
}

impl Colored for Many {
    const ENTRY: terrace_ir::interface::Interface = terrace_ir::interface::Interface::new(&Color("red"));
}

/// A pair
#[dialect_type("tiny.pair", hooks(verify))]
pub struct Pair {
    #[param]
    first: TypeAttr,
    /// The second
    #[param]
    second: TypeAttr,
}

impl Pair {
    fn verify(_: &Context, params: &[Attr]) -> Result<(), String> {
        if params.len() == 2 { Ok(()) } else { Err("a pair has two types".into()) }
    }
}

/// A token
#[dialect_type("tiny.token")]
pub struct Token;

/// A space
#[dialect_attr("tiny.space")]
pub struct Space {
    #[param]
    number: I32Attr,
}

fn constant(b: &mut Builder<'_>, attr: Attr, _ty: Type, _loc: Loc) -> Option<OpId> {
    Some(Make::build(b, attr).id())
}

dialect! {
    /// A dialect for tests
    pub TINY = "tiny" {
        ops: [Add, Branch, Make, Many, Module, Named, Nothing, Source, Twice, Wait],
        types: [Pair, Token],
        attrs: [Space],
        materialize: constant,
    }
}

fn unit() -> (Arc<Context>, Ir, BlockId) {
    let cx = Context::new(&[&TINY]);
    let kind = cx.kind_of(Module::DEF).expect("registered");
    let mut ir = Ir::new_unit(&cx, kind, 1, Loc::UNKNOWN);
    let body = Module(ir.root()).body(&ir);
    let block = ir.append_block(body);
    (cx, ir, block)
}

fn source(ir: &mut Ir, block: BlockId, types: &[Type]) -> Vec<Value> {
    Source::build(&mut Builder::at_end(ir, block), types).out(ir)
}

fn errors(ir: &Ir) -> Vec<String> {
    terrace_ir::verify::verify(ir, 1).iter().map(|diagnostic| diagnostic.message.to_string()).collect()
}

#[test]
fn table() {
    let def: &'static OpDef = Add::DEF;
    assert_eq!(def.name, "tiny.add");
    assert_eq!(def.summary, "A sum");
    assert_eq!(def.docs, "A sum\n\nWith a second paragraph.");
    assert!(def.traits.has(Traits::Pure.and(Traits::Commutative)));
    assert_eq!(def.attrs[0].name, "the_flag");
    assert_eq!(def.asm.len(), 7);
    assert!(std::ptr::eq(def, Add::DEF));
    assert_eq!(Branch::DEF.successors[0].operands, Some(0));
    assert_eq!(Make::DEF.parents, ["tiny.module"]);
    assert!(matches!(
        Add::DEF.relations,
        [defs::TypeRel::Same([defs::Slot::Operand(0), defs::Slot::Operand(1), defs::Slot::Result(0)])]
    ));
}

#[test]
fn effects_follow_traits() {
    assert_eq!(Add::DEF.effects, terrace_ir::Effects::NONE);
    assert_eq!(Many::DEF.effects, terrace_ir::Effects::UNKNOWN);
    assert_eq!(Source::DEF.effects, terrace_ir::Effects::READ.and(terrace_ir::Effects::WRITE));
}

#[test]
fn result_type_comes_from_the_operands() {
    let (cx, mut ir, block) = unit();
    let values = source(&mut ir, block, &[cx.common().i64, cx.common().i64]);
    let add = Add::build(&mut Builder::at_end(&mut ir, block), values[0], values[1]);
    assert_eq!(ir.ty(add.sum(&ir)), cx.common().i64);
    assert_eq!((add.lhs(&ir), add.rhs(&ir)), (values[0], values[1]));
    assert_eq!(errors(&ir), Vec::<String>::new());
}

#[test]
fn result_type_comes_from_the_attribute() {
    let (cx, mut ir, block) = unit();
    let make = Make::build(&mut Builder::at_end(&mut ir, block), cx.int_attr(7, cx.common().i8));
    assert_eq!(ir.ty(make.b(&ir)), cx.common().i8);
}

#[test]
fn result_types_come_from_the_hook() {
    let (cx, mut ir, block) = unit();
    let values = source(&mut ir, block, &[cx.common().i64]);
    let twice = Twice::build(&mut Builder::at_end(&mut ir, block), values[0], cx.common().unit);
    assert_eq!(twice.results(&ir).len(), 2);
}

#[test]
fn what_cannot_be_told_is_an_error_of_the_verifier() {
    let (cx, mut ir, block) = unit();
    // A unit attribute has no type.
    let make = Make::build(&mut Builder::at_end(&mut ir, block), cx.common().unit);
    assert_eq!(ir.ty(make.b(&ir)), cx.common().none);
}

#[test]
fn a_rule_with_one_type_says_it() {
    let cx = Context::new(&[&TINY]);
    let mut known = terrace_ir::infer::Known::new(Wait::DEF);
    known.complete(&cx, Wait::DEF, &[]);
    assert_eq!(known.operands, [Some(Token::get(&cx)); 2]);
}

#[test]
fn attributes_have_defaults() {
    let (cx, mut ir, block) = unit();
    let values = source(&mut ir, block, &[cx.common().i64]);
    let add = Add::build(&mut Builder::at_end(&mut ir, block), values[0], values[0]);
    assert_eq!(add.flag(&ir), zero(&cx));
    assert_eq!(add.mark(&ir), None);
    let three = cx.int_attr(3, cx.common().i32);
    add.set_flag(&mut ir, three);
    add.set_mark(&mut ir, Some(cx.common().unit));
    assert_eq!(add.flag(&ir), three);
    assert_eq!(add.mark(&ir), Some(cx.common().unit));
    assert_eq!(ir.attr(add.id(), "the_flag"), Some(three));
}

#[test]
fn segments_keep_fields_apart() {
    let (cx, mut ir, block) = unit();
    let i1 = cx.common().i1;
    let v = source(&mut ir, block, &[i1; 4]);
    let ty = cx.type_attr(i1);
    let b = &mut Builder::at_end(&mut ir, block);
    let full = Many::build(b, v[0], Some(v[1]), &[v[2], v[3]], v[0], ty, Some(i1), &[i1, i1], 2);
    let bare = Many::build(b, v[0], None, &[], v[1], ty, None, &[], 0);
    assert_eq!(full.maybe(&ir), Some(v[1]));
    assert_eq!(full.rest(&ir), [v[2], v[3]]);
    assert_eq!(full.last(&ir), v[0]);
    assert_eq!(full.one(&ir), Some(ir.result(full.id(), 0)));
    assert_eq!(full.some(&ir).len(), 2);
    assert_eq!(full.cases(&ir).len(), 2);
    assert_eq!((bare.maybe(&ir), bare.last(&ir), bare.rest(&ir).len()), (None, v[1], 0));
    assert_eq!(bare.r#type(&ir), ty);
    assert_eq!(errors(&ir), Vec::<String>::new());
}

#[test]
fn successors() {
    let (cx, mut ir, block) = unit();
    let values = source(&mut ir, block, &[cx.common().i64]);
    let body = Module(ir.root()).body(&ir);
    let next = ir.append_block(body);
    ir.add_block_arg(next, cx.common().i64);
    let branch = Branch::build(&mut Builder::at_end(&mut ir, block), &values, next);
    assert_eq!(branch.dest(&ir), next);
    assert_eq!(branch.args(&ir), values);
}

#[test]
fn cast_checks_the_definition() {
    let (_, mut ir, block) = unit();
    let nothing = Nothing::build(&mut Builder::at_end(&mut ir, block));
    assert_eq!(Nothing::cast(&ir, nothing.id()), Some(nothing));
    assert_eq!(Add::cast(&ir, nothing.id()), None);
    assert_eq!(Nothing::from(nothing.id()), nothing);
}

#[test]
fn tables_fail_what_is_wrong() {
    let (cx, mut ir, block) = unit();
    let v = source(&mut ir, block, &[cx.common().f32, cx.common().i64]);
    Add::build(&mut Builder::at_end(&mut ir, block), v[0], v[1]);
    assert_eq!(errors(&ir), ["'tiny.add' op operand #0 must be signless-integer-like, but got 'f32'"]);
}

#[test]
fn hooks_are_called() {
    let (cx, mut ir, block) = unit();
    Make::build(&mut Builder::at_end(&mut ir, block), cx.int_attr(13, cx.common().i32));
    assert_eq!(errors(&ir), ["'tiny.make' op thirteen"]);
    let values = source(&mut ir, block, &[cx.common().i64]);
    let add = Add::build(&mut Builder::at_end(&mut ir, block), values[0], values[0]);
    let folded = Add::DEF.fold.expect("hooked")(&FoldCx { ir: &ir, op: add.id() });
    assert_eq!(folded, Folded::One(FoldResult::Value(values[0])));
}

#[test]
fn interfaces_are_found() {
    assert_eq!(Many::DEF.interface::<Color>().map(|color| color.0), Some("red"));
    assert!(Add::DEF.interface::<Color>().is_none());
}

#[test]
fn types_and_attributes() {
    let cx = Context::new(&[&TINY]);
    let (a, b) = (cx.type_attr(cx.common().i1), cx.type_attr(cx.common().i8));
    let ty = Pair::get(&cx, a, b);
    assert_eq!(ty, Pair::get(&cx, a, b));
    assert_eq!(Pair::cast(&cx, ty).map(|pair| (pair.first(&cx), pair.second(&cx))), Some((a, b)));
    assert_eq!(Token::cast(&cx, ty), None);
    assert!(cx.type_def("tiny.token").is_some());
    assert!(Pair::DEF.verify.expect("hooked")(&cx, &[a]).is_err());
    let space = Space::get(&cx, zero(&cx));
    assert_eq!(Space::cast(&cx, space).map(|space| space.number(&cx)), Some(zero(&cx)));
}

#[test]
fn the_macros_know_all_traits() {
    let names: Vec<&str> = Traits::NAMES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, terrace_macros_lib::op::TRAITS);
}
