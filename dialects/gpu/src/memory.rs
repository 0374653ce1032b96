//! Memory of the device: allocate, free, copy, fill; and waiting.

use super::asm::{add_token, async_dependencies, print_async};
use super::attrs::{AddressSpace, ByteMemRef, Token, UnrankedMemRef, space_of};
use terrace_diag::Reported;
use terrace_dialect_memref::Allocation;
use terrace_ir::rules::{AnyMemRef, AnyType, I32, Index, UnitAttr};
use terrace_ir::{AttrKind, DYNAMIC, Ir, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::names::NameSink;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, SuggestNames};

/// Wait until other ops have ended; with `async` a token that stands for all of them
///
/// ```mlir
/// func.func @f() {
///   %a = gpu.wait async
///   %b = gpu.wait async [%a]
///   gpu.wait [%b]
///   return
/// }
/// ```
#[op("gpu.wait", interfaces(terrace_interp::Interpret, CustomAsm, terrace_rewrite::Canonicalize))]
pub struct Wait {
    async_dependencies: Variadic<Token>,
    #[result]
    async_token: Optional<Token>,
}

impl CustomAsm for Wait {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let token = async_dependencies(p)?;
        p.attr_dict()?;
        add_token(p, token);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_async(p, self.async_token(ir).is_some(), self.async_dependencies(ir));
        p.attr_dict(&[]);
    }
}

/// Allocate memory of the device, with `host_shared` for the host as well
///
/// ```mlir
/// func.func @f(%n: index) {
///   %t = gpu.wait async
///   %m, %u = gpu.alloc async [%t] (%n) : memref<64x?xf32, 1>
///   %h = gpu.alloc host_shared () : memref<4xf32>
///   return
/// }
/// ```
#[op(
    "gpu.alloc",
    effects(alloc),
    interfaces(terrace_interp::Interpret, CustomAsm, SuggestNames, Allocation),
    hooks(verify)
)]
pub struct Alloc {
    async_dependencies: Variadic<Token>,
    dynamic_sizes: Variadic<Index>,
    symbol_operands: Variadic<Index>,
    #[attr(name = "hostShared", optional)]
    host_shared: UnitAttr,
    #[result]
    memref: AnyMemRef,
    #[result]
    async_token: Optional<Token>,
}

impl Allocation for Alloc {
    const DYNAMIC_SIZES: usize = 1;
}

impl SuggestNames for Alloc {
    fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
        name(self.memref(ir), "memref");
        if let Some(token) = self.async_token(ir) {
            name(token, "asyncToken");
        }
    }
}

impl CustomAsm for Alloc {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let index = p.cx().common().index;
        let token = async_dependencies(p)?;
        p.segment();
        if p.keyword_opt("host_shared") {
            let unit = p.cx().common().unit;
            p.set_attr("hostShared", unit);
        }
        for delim in [Delim::Paren, Delim::OptionalSquare] {
            let values = p.operands(delim)?;
            p.resolve_all(&values, &vec![index; values.len()])?;
            p.segment();
        }
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.add_result(ty);
        add_token(p, token);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_async(p, self.async_token(ir).is_some(), self.async_dependencies(ir));
        p.text(if self.host_shared(ir).is_some() { " host_shared (" } else { " (" });
        p.operands(self.dynamic_sizes(ir));
        p.text(")");
        let symbols = self.symbol_operands(ir);
        if !symbols.is_empty() {
            p.text("[");
            p.operands(symbols);
            p.text("]");
        }
        p.attr_dict(&["hostShared"]);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

impl Verify for Alloc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let TypeKind::MemRef { shape, layout, .. } = ir.ty(self.memref(ir)).kind(cx) else { return Ok(()) };
        let dynamic = shape.iter().filter(|size| **size == DYNAMIC).count();
        let symbols = match layout.map(|layout| layout.kind(cx)) {
            Some(AttrKind::AffineMap(map)) => map.symbols as usize,
            Some(AttrKind::Strided { strides, offset }) => {
                strides.iter().chain([offset]).filter(|size| **size == DYNAMIC).count()
            }
            _ => 0,
        };
        if self.dynamic_sizes(ir).len() != dynamic {
            let given = self.dynamic_sizes(ir).len();
            let message = format!("incorrect number of dynamic sizes, has {given}, expected {dynamic}");
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if self.symbol_operands(ir).len() != symbols {
            let message = "symbol operand count does not equal memref symbol count";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

/// Free memory of the device
///
/// ```mlir
/// func.func @f(%m: memref<4xf32, 1>) {
///   gpu.dealloc %m : memref<4xf32, 1>
///   return
/// }
/// ```
#[op("gpu.dealloc", effects(free), interfaces(terrace_interp::Interpret, CustomAsm))]
pub struct Dealloc {
    async_dependencies: Variadic<Token>,
    memref: AnyMemRef,
    #[result]
    async_token: Optional<Token>,
}

impl CustomAsm for Dealloc {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let token = async_dependencies(p)?;
        let memref = p.operand()?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.resolve(&memref, ty)?;
        add_token(p, token);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_async(p, self.async_token(ir).is_some(), self.async_dependencies(ir));
        p.text(" ");
        p.operand(self.memref(ir));
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

fn parse_two(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let token = async_dependencies(p)?;
    let dst = p.operand()?;
    p.punct(",")?;
    let src = p.operand()?;
    let ty = p.colon_type()?;
    p.resolve(&dst, ty)?;
    p.punct(",")?;
    let ty = p.ty()?;
    p.resolve(&src, ty)?;
    p.attr_dict()?;
    add_token(p, token);
    Ok(())
}

fn print_two(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    let mut operands: Vec<_> = ir.operands(op).collect();
    let two = operands.split_off(operands.len().saturating_sub(2));
    print_async(p, ir.num_results(op) > 0, operands);
    p.text(" ");
    p.operands(two.iter().copied());
    for (n, value) in two.into_iter().enumerate() {
        p.text(if n == 0 { " : " } else { ", " });
        p.ty(ir.ty(value));
    }
    p.attr_dict(&[]);
}

/// Copy all elements of a buffer to another, `dst` first
///
/// ```mlir
/// func.func @f(%d: memref<4xf32, 1>, %s: memref<4xf32>) {
///   gpu.memcpy %d, %s : memref<4xf32, 1>, memref<4xf32>
///   return
/// }
/// ```
#[op(
    "gpu.memcpy",
    effects(read, write),
    interfaces(terrace_interp::Interpret, CustomAsm, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
pub struct Memcpy {
    async_dependencies: Variadic<Token>,
    dst: AnyMemRef,
    src: AnyMemRef,
    #[result]
    async_token: Optional<Token>,
}

impl CustomAsm for Memcpy {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_two(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_two(p);
    }
}

impl Verify for Memcpy {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (dst, src) = (ir.ty(self.dst(ir)), ir.ty(self.src(ir)));
        if dst.scalar(cx) != src.scalar(cx) {
            return v.fail(self.0, &codes::OP_RULE, "arguments have incompatible element type");
        }
        let (a, b) = (dst.shape(cx).unwrap_or(&[]), src.shape(cx).unwrap_or(&[]));
        let same = |(a, b): (&i64, &i64)| a == b || *a == DYNAMIC || *b == DYNAMIC;
        if a.len() != b.len() || !a.iter().zip(b).all(same) {
            return v.fail(self.0, &codes::OP_RULE, "arguments have incompatible shape");
        }
        Ok(())
    }
}

/// Fill a buffer with a value
///
/// ```mlir
/// func.func @f(%d: memref<4xf32, 1>, %x: f32) {
///   gpu.memset %d, %x : memref<4xf32, 1>, f32
///   return
/// }
/// ```
#[op(
    "gpu.memset",
    effects(write),
    relations(same_element(dst, value)),
    interfaces(terrace_interp::Interpret, CustomAsm)
)]
pub struct Memset {
    async_dependencies: Variadic<Token>,
    dst: AnyMemRef,
    value: AnyType,
    #[result]
    async_token: Optional<Token>,
}

impl CustomAsm for Memset {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_two(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_two(p);
    }
}

/// Make memory of the host visible to the device
///
/// ```mlir
/// func.func @f(%m: memref<*xf32>) {
///   gpu.host_register %m : memref<*xf32>
///   return
/// }
/// ```
#[op("gpu.host_register", interfaces(terrace_interp::Interpret))]
#[asm("$value attr-dict `:` type($value)")]
pub struct HostRegister {
    value: UnrankedMemRef,
}

/// Undo `host_register`
///
/// ```mlir
/// func.func @f(%m: memref<*xf32>) {
///   gpu.host_unregister %m : memref<*xf32>
///   return
/// }
/// ```
#[op("gpu.host_unregister", interfaces(terrace_interp::Interpret))]
#[asm("$value attr-dict `:` type($value)")]
pub struct HostUnregister {
    value: UnrankedMemRef,
}

/// Choose the device for what follows
///
/// ```mlir
/// func.func @f(%n: i32) {
///   gpu.set_default_device %n
///   return
/// }
/// ```
#[op("gpu.set_default_device", interfaces(terrace_interp::Interpret), effects(write))]
#[asm("attr-dict $dev_index")]
pub struct SetDefaultDevice {
    dev_index: I32,
}

/// Memory of the block whose size the launch says
///
/// ```mlir
/// gpu.module @m {
///   gpu.func @f() kernel {
///     %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
///     gpu.return
///   }
/// }
/// ```
#[op("gpu.dynamic_shared_memory", interfaces(terrace_interp::Interpret), traits(Pure), hooks(verify))]
#[asm("attr-dict `:` type($result_memref)")]
pub struct DynamicSharedMemory {
    #[result]
    result_memref: ByteMemRef,
}

impl Verify for DynamicSharedMemory {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let ty = ir.ty(self.result_memref(ir));
        if space_of(cx, ty) != Some(AddressSpace::Workgroup) {
            return v.fail(self.0, &codes::OP_RULE, "address space must be address_space<workgroup>");
        }
        if ty.num_elements(cx).is_some() {
            let message = "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}
