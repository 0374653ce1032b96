//! `func`: functions, calls, returns.

mod interp;

use terrace_diag::Reported;
use terrace_ir::codes;
use terrace_ir::rules::{
    AnyType, DictArrayAttr, FlatSymbolRef, FunctionTypeAttr, StrAttr, SymbolName, UnitAttr,
};
use terrace_ir::{Attr, BlockId, Ir, OpDef, OpId, Type, TypeKind, Verify, VerifyCx};
use terrace_macros::{dialect, op};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_text::{CustomAsm, OpParser, OpPrinter, Signature};

terrace_ir::type_rules! {
    /// A function as a value
    FunctionType "function type", |cx, ty| matches!(ty.kind(cx), TypeKind::Function { .. });
}

/// A function; without a body a declaration
///
/// ```mlir
/// func.func private @declared(i32) -> i32
/// func.func @twice(%x: i32) -> i32 {
///   %y = arith.addi %x, %x : i32
///   return %y : i32
/// }
/// ```
#[op(
    "func.func",
    traits(Unit, Symbol, IsolatedFromAbove, FunctionLike, AffineScope, AllocationScope),
    interfaces(CustomAsm),
    hooks(verify)
)]
pub struct Func {
    #[attr]
    sym_name: SymbolName,
    #[attr]
    function_type: FunctionTypeAttr,
    #[attr(optional)]
    sym_visibility: StrAttr,
    #[attr(optional)]
    arg_attrs: DictArrayAttr,
    #[attr(optional)]
    res_attrs: DictArrayAttr,
    #[attr(optional)]
    no_inline: UnitAttr,
    #[region(may_be_empty)]
    body: Region,
}

impl Func {
    /// Argument and result types
    pub fn types(self, ir: &Ir) -> (&[Type], &[Type]) {
        let ty = self.function_type(ir).as_type(ir.cx());
        ty.and_then(|ty| ty.as_function(ir.cx())).unwrap_or((&[], &[]))
    }
}

/// Set an attribute to an array of dictionaries, unless all are empty
pub fn dict_array(p: &mut OpParser<'_, '_>, name: &str, attrs: Vec<Option<Attr>>) {
    if attrs.iter().any(Option::is_some) {
        let empty = p.cx().common().empty_dict;
        let all: Vec<Attr> = attrs.into_iter().map(|attr| attr.unwrap_or(empty)).collect();
        let array = p.cx().array_attr(&all);
        p.set_attr(name, array);
    }
}

/// `(%a: i32 {…}) -> i32` of a function-like op into its attributes
pub fn parse_signature(p: &mut OpParser<'_, '_>) -> Result<Signature, Reported> {
    let signature = p.signature()?;
    let inputs: Vec<Type> = signature.args.iter().map(|arg| arg.ty).collect();
    let results: Vec<Type> = signature.results.iter().map(|(ty, _)| *ty).collect();
    let ty = p.cx().function(&inputs, &results);
    let ty = p.cx().type_attr(ty);
    p.set_attr("function_type", ty);
    dict_array(p, "arg_attrs", signature.args.iter().map(|arg| arg.attrs).collect());
    dict_array(p, "res_attrs", signature.results.iter().map(|(_, attrs)| *attrs).collect());
    Ok(signature)
}

/// `(%a: i32 {…}) -> i32` of a function-like op; without an entry block the argument types alone
pub fn print_signature(
    p: &mut OpPrinter<'_>,
    entry: Option<BlockId>,
    (inputs, results): (&[Type], &[Type]),
    arg_attrs: Option<Attr>,
    res_attrs: Option<Attr>,
) {
    let (ir, cx) = (p.ir(), p.cx());
    let dict = |attrs: Option<Attr>, n: usize| {
        let item = attrs.and_then(|attrs| attrs.as_array(cx)).and_then(|items| items.get(n).copied());
        item.filter(|item| *item != cx.common().empty_dict)
    };
    p.text("(");
    for (n, &ty) in inputs.iter().enumerate() {
        if n > 0 {
            p.text(", ");
        }
        let arg = entry.and_then(|entry| ir.block_args(entry).get(n).copied());
        match arg {
            Some(arg) => p.block_arg_with_type(arg),
            None => p.ty(ty),
        }
        if let Some(attrs) = dict(arg_attrs, n) {
            p.text(" ");
            p.attr(attrs);
        }
        if let Some(arg) = arg {
            p.arg_loc(arg);
        }
    }
    p.text(")");
    if !results.is_empty() {
        p.text(" -> ");
        let plain =
            results.len() == 1 && dict(res_attrs, 0).is_none() && results[0].as_function(cx).is_none();
        if !plain {
            p.text("(");
        }
        for (n, &ty) in results.iter().enumerate() {
            if n > 0 {
                p.text(", ");
            }
            p.ty(ty);
            if let Some(attrs) = dict(res_attrs, n) {
                p.text(" ");
                p.attr(attrs);
            }
        }
        if !plain {
            p.text(")");
        }
    }
}

impl CustomAsm for Func {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        for visibility in ["private", "public", "nested"] {
            if p.keyword_opt(visibility) {
                let attr = p.cx().str_attr(visibility);
                p.set_attr("sym_visibility", attr);
                break;
            }
        }
        p.own_symbol()?;
        let signature = parse_signature(p)?;
        p.attr_dict_with_keyword()?;
        if !p.at_punct("{") {
            p.empty_region();
            return Ok(());
        }
        let mut args = Vec::with_capacity(signature.args.len());
        for arg in signature.args {
            match arg.name {
                Some(name) => args.push((name, arg.ty)),
                None => {
                    return Err(
                        p.error("the arguments of a function with a body need names, such as `%arg0: i32`")
                    );
                }
            }
        }
        p.region(&args)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let cx = ir.cx();
        if let Some(visibility) = self.sym_visibility(ir).and_then(|attr| attr.as_str(cx)) {
            p.text(" ");
            p.text(visibility);
        }
        p.text(" ");
        if let Some(name) = self.sym_name(ir).as_str_id(cx) {
            p.symbol(name);
        }
        let entry = ir.entry(self.body(ir));
        print_signature(p, entry, self.types(ir), self.arg_attrs(ir), self.res_attrs(ir));
        p.attr_dict_with_keyword(&["sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"]);
        if entry.is_some() {
            p.text(" ");
            p.region(self.body(ir), false, true);
        }
    }
}

impl Verify for Func {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (inputs, results) = self.types(ir);
        let lists = [
            ("arg_attrs", self.arg_attrs(ir), inputs.len()),
            ("res_attrs", self.res_attrs(ir), results.len()),
        ];
        for (name, attrs, wanted) in lists {
            let found = attrs.and_then(|attrs| attrs.as_array(cx)).map(<[Attr]>::len);
            if found.is_some_and(|found| found != wanted) {
                let message =
                    format!("expects attribute '{name}' to have {wanted} entries, one for each value");
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        let Some(entry) = ir.entry(self.body(ir)) else {
            let visibility = self.sym_visibility(ir).and_then(|attr| attr.as_str(cx));
            return match visibility {
                None | Some("public") => {
                    v.fail(self.0, &codes::OP_RULE, "symbol declaration cannot have public visibility")
                }
                Some(_) => Ok(()),
            };
        };
        let args: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
        if args.len() != inputs.len() {
            let message =
                format!("entry block must have {} arguments to match function signature", inputs.len());
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        for (n, (a, b)) in args.iter().zip(inputs).enumerate() {
            if a != b {
                let (a, b) = (v.show(*a), v.show(*b));
                let message = format!(
                    "type of entry block argument #{n}('{a}') must match the type of the corresponding argument in \
                     function signature('{b}')"
                );
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}

/// Return from a function
///
/// ```mlir
/// func.func @none() {
///   return
/// }
/// ```
#[op(
    "func.return",
    traits(Pure, Terminator, ReturnLike),
    parents("func.func"),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("attr-dict ($operands^ `:` type($operands))?")]
pub struct Return {
    operands: Variadic<AnyType>,
}

impl Verify for Return {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let Some(func) = ir.parent(self.0).and_then(|parent| Func::cast(ir, parent)) else { return Ok(()) };
        let (_, results) = func.types(ir);
        let found: Vec<Type> = ir.operands(self.0).map(|value| ir.ty(value)).collect();
        let name = func.sym_name(ir).as_str(ir.cx()).unwrap_or("").to_string();
        if found.len() != results.len() {
            let message = format!(
                "has {} operands, but enclosing function (@{name}) returns {}",
                found.len(),
                results.len()
            );
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        for (n, (a, b)) in found.iter().zip(results).enumerate() {
            if a != b {
                let (a, b) = (v.show(*a), v.show(*b));
                let message = format!(
                    "type of return operand {n} ('{a}') doesn't match function result type ('{b}') in function @{name}"
                );
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}

/// Call a function by its name
///
/// ```mlir
/// func.func private @f(i32) -> i32
/// func.func @g(%x: i32) -> i32 {
///   %y = call @f(%x) : (i32) -> i32
///   return %y : i32
/// }
/// ```
#[op("func.call", traits(CallLike), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$callee `(` $operands `)` attr-dict `:` functional-type(operands, results)")]
pub struct Call {
    #[attr]
    callee: FlatSymbolRef,
    #[attr(optional)]
    no_inline: UnitAttr,
    #[attr(optional)]
    arg_attrs: DictArrayAttr,
    #[attr(optional)]
    res_attrs: DictArrayAttr,
    operands: Variadic<AnyType>,
    #[result]
    results: Variadic<AnyType>,
}

/// The function that a reference names, as a type; reports what is wrong
fn callee_type(v: &VerifyCx<'_>, op: OpId, callee: Attr) -> Result<Type, Reported> {
    let cx = v.ir.cx();
    let name = terrace_ir::show::attr_text(cx, callee);
    let found = v.lookup(callee).filter(|def| cx.def(def.kind).name == "func.func");
    let ty = found.and_then(|def| def.ty).and_then(|attr| attr.as_type(cx));
    ty.map_or_else(
        || {
            v.fail(
                op,
                &codes::SYMBOL,
                format!("'{}' does not reference a valid function", name.trim_start_matches('@')),
            )
        },
        Ok,
    )
}

impl Verify for Call {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let ty = callee_type(v, self.0, self.callee(ir))?;
        let (inputs, results) = ty.as_function(cx).unwrap_or((&[], &[]));
        let given: Vec<Type> = ir.operands(self.0).map(|value| ir.ty(value)).collect();
        let got: Vec<Type> = ir.results(self.0).map(|value| ir.ty(value)).collect();
        if given.len() != inputs.len() {
            return v.fail(self.0, &codes::OP_RULE, "incorrect number of operands for callee");
        }
        if got.len() != results.len() {
            return v.fail(self.0, &codes::OP_RULE, "incorrect number of results for callee");
        }
        for (what, found, wanted) in [("operand", &given[..], inputs), ("result", &got[..], results)] {
            if let Some(n) = (0..found.len()).find(|n| found[*n] != wanted[*n]) {
                let (a, b) = (v.show(wanted[n]), v.show(found[n]));
                let message = format!(
                    "{what} type mismatch: expected {what} type '{a}', but provided '{b}' for {what} number {n}"
                );
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}

/// Call a function value
///
/// ```mlir
/// func.func @g(%f: (i32) -> i32, %x: i32) -> i32 {
///   %y = call_indirect %f(%x) : (i32) -> i32
///   return %y : i32
/// }
/// ```
#[op(
    "func.call_indirect",
    traits(CallLike),
    interfaces(CustomAsm, Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct CallIndirect {
    callee: FunctionType,
    callee_operands: Variadic<AnyType>,
    #[attr(optional)]
    arg_attrs: DictArrayAttr,
    #[attr(optional)]
    res_attrs: DictArrayAttr,
    #[result]
    results: Variadic<AnyType>,
}

impl CustomAsm for CallIndirect {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let callee = p.operand()?;
        let operands = p.operands(terrace_text::Delim::Paren)?;
        p.attr_dict()?;
        p.punct(":")?;
        let (inputs, results) = p.function_type()?;
        let ty = p.cx().function(&inputs, &results);
        p.resolve(&callee, ty)?;
        p.resolve_all(&operands, &inputs)?;
        p.add_results(&results);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.callee(ir));
        p.text("(");
        p.operands(self.callee_operands(ir));
        p.text(")");
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.callee(ir)));
    }
}

impl Verify for CallIndirect {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let (inputs, results) = ir.ty(self.callee(ir)).as_function(ir.cx()).unwrap_or((&[], &[]));
        let given = ir.operands(self.0).skip(1).map(|value| ir.ty(value));
        let got = ir.results(self.0).map(|value| ir.ty(value));
        if given.eq(inputs.iter().copied()) && got.eq(results.iter().copied()) {
            return Ok(());
        }
        v.fail(self.0, &codes::OP_RULE, "operands and results must have the types of the callee")
    }
}

/// A call of a function known by name is a direct one
struct CallConstant;

impl Pattern for CallConstant {
    const NAME: &'static str = "call_indirect_of_constant";
    const ROOT: Option<&'static OpDef> = Some(CallIndirect::DEF);
    type Found = Attr;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Attr, Miss> {
        let constant = ir.defining_op(CallIndirect(op).callee(ir)).and_then(|op| Constant::cast(ir, op));
        Ok(constant.or_miss("the callee is no constant")?.value(ir))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, callee: Attr) {
        let (ir, call) = (rw.ir(), CallIndirect(op));
        let (operands, dict) = (call.callee_operands(ir), ir.dict(op));
        let (arg_attrs, res_attrs) = (call.arg_attrs(ir), call.res_attrs(ir));
        let types: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
        let made = rw.build_before(op, |b| {
            let made = Call::build(b, &operands, callee, &types);
            made.set_arg_attrs(b.ir(), arg_attrs);
            made.set_res_attrs(b.ir(), res_attrs);
            b.ir().set_dict(made.id(), dict);
            made
        });
        let values: Vec<_> = rw.ir().results(made.id()).collect();
        rw.replace(op, &values);
    }
}

impl Canonicalize for CallIndirect {
    const RULES: &'static [&'static dyn Rule] = &[&CallConstant];
}

/// A function as a value
///
/// ```mlir
/// func.func private @f(i32) -> i32
/// func.func @g() -> ((i32) -> i32) {
///   %f = constant @f : (i32) -> i32
///   return %f : (i32) -> i32
/// }
/// ```
#[op("func.constant", traits(Pure, ConstantLike), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("attr-dict $value `:` type($result)")]
pub struct Constant {
    #[attr]
    value: FlatSymbolRef,
    #[result]
    result: FunctionType,
}

impl Verify for Constant {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ty = callee_type(v, self.0, self.value(v.ir))?;
        if ty == v.ir.ty(self.result(v.ir)) {
            return Ok(());
        }
        v.fail(self.0, &codes::OP_RULE, "reference to function with mismatched type")
    }
}

dialect! {
    /// Functions, calls, returns
    pub FUNC = "func" { ops: [Call, CallIndirect, Constant, Func, Return] }
}
