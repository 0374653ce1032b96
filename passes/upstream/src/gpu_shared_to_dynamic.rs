//! Memory of a block beyond what a kernel's text may declare: parts of one dynamic buffer whose size each launch says.
//!
//! ```mlir
//! gpu.launch_func @k::@k … args(…)
//! gpu.func @k(…) workgroup(%a : memref<8192xf32, #gpu.address_space<workgroup>>, …) kernel { … }
//! // becomes, where the buffers together have more than 48 KiB
//! gpu.launch_func @k::@k … dynamic_shared_memory_size %bytes args(…)
//! gpu.func @k(…) kernel {
//!   %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
//!   %a = memref.view %all[%c0][] : memref<?xi8, …> to memref<8192xf32, …>
//!   …
//! }
//! ```
//!
//! CUDA's assembler refuses declarations of more; a launch that asks first may have more, up to what the device file calls
//! `opt_in`. Beyond that it is an error. Buffers begin at multiples of 16 bytes. A kernel without a launch here stays as it
//! is: its size is in no launch. So does one with dynamic memory of its own.

use crate::codes;
use terrace_devices::{Device, Region};
use terrace_diag::Reported;
use terrace_dialect_arith::Constant;
use terrace_dialect_gpu::{self as gpu, DynamicSharedMemory, LaunchFunc, LaunchParts};
use terrace_ir::{Builder, DYNAMIC, Ir, NewOp, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// Where buffers begin
const ALIGN: i64 = 16;

/// Buffers of blocks become parts of dynamic memory where they are too large to be declared
///
/// Run behind `gpu-kernel-outlining` and whatever gives kernels buffers. The limits are the device's: `bytes` and `opt_in` of its
/// memory `SM`.
#[pass("gpu-shared-to-dynamic", scope = tree, stats("kernels with dynamic memory"))]
pub struct GpuSharedToDynamic {
    /// Device by name or file
    #[option(default = "cuda")]
    target: String,
}

impl Pass for GpuSharedToDynamic {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let device = match Device::find(&self.target) {
            Ok(device) => device,
            Err(why) => return cx.fail(unit, unit.root(), &codes::SHARED_MEMORY, why),
        };
        let mut launched: HashMap<String, u64> = HashMap::default();
        visit(unit, &mut |ir| {
            for launch in ir.walk().filter_map(|op| LaunchFunc::cast(ir, op)) {
                let fixed = launch.dynamic_shared_memory_size(ir).is_none();
                let count = launched.entry(path(ir, launch)).or_default();
                *count = if fixed { *count + 1 } else { u64::MAX / 2 };
            }
        });
        let mut found: HashMap<String, i64> = HashMap::default();
        let mut pending: Vec<(&mut Ir, String)> = vec![(unit, String::new())];
        let mut refused = None;
        while let Some((ir, around)) = pending.pop() {
            if let Some(kernel) = gpu::Func::cast(ir, ir.root()).filter(|kernel| kernel.is_kernel(ir)) {
                let name = format!("{around}::{}", kernel.sym_name(ir).unwrap_or(""));
                let launches = launched.get(&name).copied().unwrap_or(0);
                if (1..u64::MAX / 2).contains(&launches) {
                    match kernel_bytes(ir, kernel) {
                        Some(bytes) if bytes > device.opt_in(Region::Sm) => {
                            refused = Some(refuse(cx, ir, bytes, &device));
                        }
                        Some(bytes) if bytes > device.bytes(Region::Sm) => {
                            convert(ir, kernel);
                            found.insert(name, bytes);
                        }
                        _ => {}
                    }
                }
            }
            let name = terrace_ir::symbols::symbol_name(ir, ir.root());
            let name = name.map_or("", |name| ir.cx().str(name)).to_string();
            pending.extend(ir.children_mut().map(|child| (child, name.clone())));
        }
        cx.count("kernels with dynamic memory", found.len() as u64);
        cx.set_changed(!found.is_empty());
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(ir) = pending.pop() {
            let launches: Vec<LaunchFunc> = ir.walk().filter_map(|op| LaunchFunc::cast(ir, op)).collect();
            for launch in launches {
                if let Some(bytes) = found.get(&path(ir, launch)) {
                    with_size(ir, launch, *bytes);
                }
            }
            pending.extend(ir.children_mut());
        }
        refused.unwrap_or(Ok(()))
    }
}

/// All units, from outside in
fn visit(ir: &Ir, each: &mut impl FnMut(&Ir)) {
    let mut pending = vec![ir];
    while let Some(ir) = pending.pop() {
        each(ir);
        pending.extend(ir.walk().filter_map(|op| ir.child(op)));
    }
}

/// Module and name of the kernel that is launched
fn path(ir: &Ir, launch: LaunchFunc) -> String {
    let cx = ir.cx();
    match launch.kernel(ir).as_symbol(cx) {
        Some((module, [kernel])) => format!("{}::{}", cx.str(module), cx.str(*kernel)),
        _ => String::new(),
    }
}

/// Bytes of a buffer of fixed size in rows
fn bytes_of(ir: &Ir, ty: Type) -> Option<i64> {
    let cx = ir.cx();
    let shape = ty.shape(cx).filter(|shape| !shape.contains(&DYNAMIC))?;
    let count = shape.iter().try_fold(1i64, |count, size| count.checked_mul(*size))?;
    let elem = terrace_ir::show::elem_bytes(cx, ty.scalar(cx)) as i64;
    let bytes = count.checked_mul(elem)?;
    Some(bytes.checked_add(ALIGN - 1)? / ALIGN * ALIGN)
}

/// Bytes of all of a kernel's buffers of the block; none if it has dynamic memory of its own
fn kernel_bytes(ir: &Ir, kernel: gpu::Func) -> Option<i64> {
    if ir.walk().any(|op| DynamicSharedMemory::cast(ir, op).is_some()) {
        return None;
    }
    let buffers = kernel.workgroup_attributions(ir);
    buffers.iter().try_fold(0i64, |sum, buffer| sum.checked_add(bytes_of(ir, ir.ty(*buffer))?))
}

fn refuse(cx: &mut PassCx<'_>, ir: &Ir, bytes: i64, device: &Device) -> Result<(), Reported> {
    let most = device.opt_in(Region::Sm);
    let message = format!(
        "the kernel keeps {bytes} bytes for each block; {} has {most} for one, of which {} without asking",
        device.name,
        device.bytes(Region::Sm)
    );
    let error = terrace_ir::verify::op_error(ir, ir.root(), &codes::SHARED_MEMORY, &message);
    Err(cx.emit(error.help("choose smaller tiles, or keep fewer buffers in the block's memory")))
}

/// Parts of dynamic memory in place of the buffers
fn convert(ir: &mut Ir, kernel: gpu::Func) {
    let cx = ir.cx_arc().clone();
    let buffers = kernel.workgroup_attributions(ir).to_vec();
    let entry = ir.entry(kernel.body(ir)).expect("a kernel with buffers has a body");
    let first = ir.first_op(entry).expect("a kernel ends with gpu.return");
    let (i8, index) = (cx.common().i8, cx.common().index);
    let space = buffers.first().and_then(|buffer| match ir.ty(*buffer).kind(&cx) {
        TypeKind::MemRef { space, .. } => *space,
        _ => None,
    });
    let whole = cx.ty(TypeKind::MemRef { shape: [DYNAMIC].into(), elem: i8, layout: None, space });
    let mut b = Builder::before(ir, first);
    let all = DynamicSharedMemory::build(&mut b, whole).result_memref(b.read());
    let mut at = 0;
    for &buffer in &buffers {
        let ty = ir.ty(buffer);
        let mut b = Builder::before(ir, first);
        let shift = cx.int_attr(i128::from(at), index);
        let shift = Constant::build(&mut b, shift).result(b.read());
        let kind = b.kind(terrace_dialect_memref::View::DEF);
        let view = b.insert(&NewOp {
            operands: &[all, shift],
            segments: &[1, 1, 0],
            results: &[ty],
            ..NewOp::new(kind)
        });
        let part = ir.result(view, 0);
        ir.copy_value_name(buffer, part);
        ir.replace_all_uses(buffer, part);
        at += bytes_of(ir, ty).expect("its size was added up");
    }
    let inputs = kernel.types(ir).0.len();
    for _ in &buffers {
        ir.remove_block_arg(entry, inputs);
    }
    let none = cx.int_attr(0, cx.common().i64);
    ir.set_discardable(ir.root(), "workgroup_attributions", Some(none));
}

/// The same launch with a size
fn with_size(ir: &mut Ir, launch: LaunchFunc, bytes: i64) {
    let cx = ir.cx_arc().clone();
    let (op, loc): (OpId, _) = (launch.id(), ir.loc(launch.id()));
    let parts = launch.parts(ir);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let size = cx.int_attr(i128::from(bytes), cx.common().i32);
    let size: Value = Constant::build(&mut b, size).result(b.read());
    let new = LaunchFunc::of(&mut b, &LaunchParts { dynamic: Some(size), ..parts });
    if let (Some(old), Some(new)) = (launch.async_token(ir), new.async_token(ir)) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}
