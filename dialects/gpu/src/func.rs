//! Device code: modules of it, functions, returns.
//!
//! As upstream, a function keeps its name, the number of its workgroup attributions and `gpu.kernel` among the
//! discardable attributes: the generic form shows that.

use super::asm::{memory, print_attributions, workgroup_count};
use super::attrs::{AddressSpace, SizeHint, space_of};
use terrace_diag::Reported;
use terrace_dialect_func::{dict_array, parse_signature, print_signature};
use terrace_ir::rules::{AnyAttr, AnyType, ArrayAttr, DictArrayAttr, FunctionTypeAttr, SymbolName};
use terrace_ir::{Attr, Ir, OpId, Type, TypeKind, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A list of functions that run on a device
///
/// ```mlir
/// gpu.module @kernels {
///   gpu.func @empty() kernel {
///     gpu.return
///   }
/// }
/// ```
#[op(
    "gpu.module",
    traits(Unit, SymbolTable, Symbol, IsolatedFromAbove, NoTerminator, SingleBlock, GraphRegion),
    interfaces(CustomAsm),
    hooks(verify)
)]
pub struct Module {
    #[attr]
    sym_name: SymbolName,
    #[attr(optional)]
    targets: ArrayAttr,
    #[attr(name = "offloadingHandler", optional)]
    offloading_handler: AnyAttr,
    #[region(single_block)]
    body: Region,
}

impl CustomAsm for Module {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        p.own_symbol()?;
        if p.punct_opt("<") {
            let handler = p.attr()?;
            p.set_attr("offloadingHandler", handler);
            p.punct(">")?;
        }
        if p.at_punct("[") {
            let targets = p.attr()?;
            p.set_attr("targets", targets);
        }
        p.attr_dict_with_keyword()?;
        p.region(&[])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        if let Some(name) = self.sym_name(ir).as_str_id(ir.cx()) {
            p.symbol(name);
        }
        if let Some(handler) = self.offloading_handler(ir) {
            p.text("<");
            p.attr(handler);
            p.text(">");
        }
        if let Some(targets) = self.targets(ir) {
            p.text(" ");
            p.attr(targets);
        }
        p.attr_dict_with_keyword(&["sym_name", "targets", "offloadingHandler"]);
        p.text(" ");
        p.region(self.body(ir), false, true);
    }
}

impl Verify for Module {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        if self.targets(v.ir).and_then(|targets| targets.as_array(v.ir.cx())).is_some_and(<[_]>::is_empty) {
            let message = "attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at \
                           least 1 elements";
            return v.fail(self.0, &codes::ATTR, message);
        }
        Ok(())
    }
}

/// A function of a device; a `kernel` can be launched
///
/// Attributions are buffers that it begins with: `workgroup` ones belong to a block, `private` ones to a thread.
///
/// ```mlir
/// gpu.module @kernels {
///   gpu.func @scale(%m: memref<?xf32>, %x: f32)
///       workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>)
///       private(%p : memref<1xf32, #gpu.address_space<private>>)
///       kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %i = gpu.global_id x
///     %a = memref.load %m[%i] : memref<?xf32>
///     %b = arith.mulf %a, %x : f32
///     memref.store %b, %m[%i] : memref<?xf32>
///     gpu.return
///   }
/// }
/// ```
#[op(
    "gpu.func",
    traits(Unit, Symbol, IsolatedFromAbove, FunctionLike, AffineScope, AllocationScope),
    parents("gpu.module"),
    interfaces(CustomAsm),
    hooks(verify)
)]
pub struct Func {
    #[attr]
    function_type: FunctionTypeAttr,
    #[attr(optional)]
    arg_attrs: DictArrayAttr,
    #[attr(optional)]
    res_attrs: DictArrayAttr,
    #[attr(optional)]
    workgroup_attrib_attrs: DictArrayAttr,
    #[attr(optional)]
    private_attrib_attrs: DictArrayAttr,
    #[attr(optional)]
    known_block_size: SizeHint,
    #[attr(optional)]
    known_grid_size: SizeHint,
    #[attr(optional)]
    known_cluster_size: SizeHint,
    #[region(may_be_empty)]
    body: Region,
}

const HEAD: &[&str] = &[
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "gpu.kernel",
    "workgroup_attributions",
    "workgroup_attrib_attrs",
    "private_attrib_attrs",
];

impl Func {
    /// Argument and result types
    pub fn types(self, ir: &Ir) -> (&[Type], &[Type]) {
        // Its returns are checked too where it has none.
        let ty = ir.attr(self.0, "function_type").and_then(|attr| attr.as_type(ir.cx()));
        ty.and_then(|ty| ty.as_function(ir.cx())).unwrap_or((&[], &[]))
    }

    /// Its name
    pub fn sym_name(self, ir: &Ir) -> Option<&str> {
        ir.discardable(self.0, "sym_name")?.as_str(ir.cx())
    }

    /// Can it be launched?
    pub fn is_kernel(self, ir: &Ir) -> bool {
        ir.discardable(self.0, "gpu.kernel").is_some()
    }

    fn body_args(self, ir: &Ir) -> &[Value] {
        ir.entry(self.body(ir)).map_or(&[], |entry| ir.block_args(entry))
    }

    /// Arguments of the body that are buffers of the block
    pub fn workgroup_attributions(self, ir: &Ir) -> &[Value] {
        let args = self.body_args(ir);
        let start = self.types(ir).0.len().min(args.len());
        &args[start..(start + workgroup_count(ir, self.0)).min(args.len())]
    }

    /// Arguments of the body that are buffers of the thread
    pub fn private_attributions(self, ir: &Ir) -> &[Value] {
        let args = self.body_args(ir);
        &args[(self.types(ir).0.len() + workgroup_count(ir, self.0)).min(args.len())..]
    }
}

impl CustomAsm for Func {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        p.own_symbol()?;
        let signature = parse_signature(p)?;
        let mut args = Vec::with_capacity(signature.args.len());
        for arg in signature.args {
            let Some(name) = arg.name else {
                return Err(p.error("the arguments of a GPU function need names, such as `%arg0: i32`"));
            };
            args.push((name, arg.ty));
        }
        let [workgroup, private] = memory(p, &mut args)?;
        dict_array(p, "workgroup_attrib_attrs", workgroup);
        dict_array(p, "private_attrib_attrs", private);
        if p.keyword_opt("kernel") {
            let unit = p.cx().common().unit;
            p.set_attr("gpu.kernel", unit);
        }
        p.attr_dict_with_keyword()?;
        p.region(&args)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        if let Some(name) = ir.discardable(self.0, "sym_name").and_then(|name: Attr| name.as_str_id(ir.cx()))
        {
            p.symbol(name);
        }
        let entry = ir.entry(self.body(ir));
        print_signature(p, entry, self.types(ir), self.arg_attrs(ir), self.res_attrs(ir));
        let (workgroup, private) = (self.workgroup_attrib_attrs(ir), self.private_attrib_attrs(ir));
        print_attributions(p, " workgroup", self.workgroup_attributions(ir), workgroup);
        print_attributions(p, " private", self.private_attributions(ir), private);
        if self.is_kernel(ir) {
            p.text(" kernel");
        }
        p.attr_dict_with_keyword(HEAD);
        p.text(" ");
        p.region(self.body(ir), false, true);
    }
}

/// Attributions are memrefs in the space that their keyword says
pub(super) fn check_attributions(
    v: &VerifyCx<'_>,
    op: OpId,
    args: &[Value],
    space: AddressSpace,
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    for &arg in args {
        let ty = v.ir.ty(arg);
        if !matches!(ty.kind(cx), TypeKind::MemRef { .. }) {
            return v.fail(op, &codes::OP_RULE, "expected memref type in attribution");
        }
        if space_of(cx, ty).is_some_and(|found| found != space) {
            let name = space.word();
            return v.fail(op, &codes::OP_RULE, format!("expected memory space {name} in attribution"));
        }
    }
    Ok(())
}

impl Verify for Func {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let (inputs, results) = self.types(ir);
        if self.sym_name(ir).is_none() {
            return fail("requires string attribute 'sym_name'");
        }
        if self.is_kernel(ir) && !results.is_empty() {
            return fail("expected void return type for kernel function");
        }
        let Some(entry) = ir.entry(self.body(ir)) else {
            return fail("expected body with at least one block");
        };
        let args = ir.block_args(entry);
        let least = inputs.len() + workgroup_count(ir, self.0);
        if args.len() < least {
            return fail(&format!("expected at least {least} arguments to body region"));
        }
        for (n, (&wanted, &arg)) in inputs.iter().zip(args).enumerate() {
            if ir.ty(arg) != wanted {
                let (a, b) = (v.show(wanted), v.show(ir.ty(arg)));
                return fail(&format!("expected body region argument #{n} to be of type '{a}', got '{b}'"));
            }
        }
        check_attributions(v, self.0, self.workgroup_attributions(ir), AddressSpace::Workgroup)?;
        check_attributions(v, self.0, self.private_attributions(ir), AddressSpace::Private)
    }
}

/// Return from a function of a device
///
/// ```mlir
/// gpu.module @m {
///   gpu.func @same(%x: f32) -> f32 {
///     gpu.return %x : f32
///   }
/// }
/// ```
#[op(
    "gpu.return",
    interfaces(terrace_interp::Interpret),
    traits(Pure, Terminator),
    parents("gpu.func"),
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
        if ir.num_operands(self.0) != results.len() {
            let message = format!("expected {} result operands", results.len());
            let error = v.error(self.0, &codes::OP_RULE, message);
            return Err(v.emit(error.note_at(ir.span(func.0), "return type declared here")));
        }
        for (n, (value, &ty)) in ir.operands(self.0).zip(results).enumerate() {
            if ir.ty(value) != ty {
                let message = format!("unexpected type `'{}'' for operand #{n}", v.show(ir.ty(value)));
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}
