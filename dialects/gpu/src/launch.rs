//! Starting kernels: a region in place, or a function of a device module.

use super::asm::{add_token, async_dependencies, memory, print_async, print_attributions, workgroup_count};
use super::attrs::{AddressSpace, LaunchIndex, Token};
use super::func::check_attributions;
use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, FlatSymbolRef, I32, Index, SymbolRef};
use terrace_ir::{Ir, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, Unresolved};

/// Run a region for each thread of a grid
///
/// The region's arguments are: block ids, thread ids, grid sizes, block sizes, with clusters their ids and sizes, then
/// the attributions.
///
/// ```mlir
/// func.func @f(%n: index, %m: memref<?xindex>) {
///   %c1 = arith.constant 1 : index
///   gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
///              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
///     memref.store %tx, %m[%tx] : memref<?xindex>
///     gpu.terminator
///   }
///   return
/// }
/// ```
#[op(
    "gpu.launch",
    traits(AffineScope, AllocationScope, RecursiveEffects),
    interfaces(terrace_interp::Interpret, CustomAsm, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
pub struct Launch {
    async_dependencies: Variadic<Token>,
    grid_size_x: Index,
    grid_size_y: Index,
    grid_size_z: Index,
    block_size_x: Index,
    block_size_y: Index,
    block_size_z: Index,
    cluster_size_x: Optional<Index>,
    cluster_size_y: Optional<Index>,
    cluster_size_z: Optional<Index>,
    dynamic_shared_memory_size: Optional<I32>,
    #[attr(optional)]
    module: FlatSymbolRef,
    #[attr(optional)]
    function: FlatSymbolRef,
    #[result]
    async_token: Optional<Token>,
    #[region]
    body: Region,
}

impl Launch {
    /// Sizes of the grid
    pub fn grid(self, ir: &Ir) -> [Value; 3] {
        [self.grid_size_x(ir), self.grid_size_y(ir), self.grid_size_z(ir)]
    }

    /// Sizes of a block
    pub fn block(self, ir: &Ir) -> [Value; 3] {
        [self.block_size_x(ir), self.block_size_y(ir), self.block_size_z(ir)]
    }

    /// Sizes of a cluster
    pub fn cluster(self, ir: &Ir) -> Option<[Value; 3]> {
        Some([self.cluster_size_x(ir)?, self.cluster_size_y(ir)?, self.cluster_size_z(ir)?])
    }

    /// Number of the body's arguments before the attributions
    pub fn num_config_args(self, ir: &Ir) -> usize {
        if self.cluster(ir).is_some() { 18 } else { 12 }
    }

    fn body_args(self, ir: &Ir) -> &[Value] {
        ir.entry(self.body(ir)).map_or(&[], |entry| ir.block_args(entry))
    }

    /// Arguments of the body that are buffers of the block
    pub fn workgroup_attributions(self, ir: &Ir) -> &[Value] {
        let args = self.body_args(ir);
        let start = self.num_config_args(ir).min(args.len());
        &args[start..(start + workgroup_count(ir, self.0)).min(args.len())]
    }

    /// Arguments of the body that are buffers of the thread
    pub fn private_attributions(self, ir: &Ir) -> &[Value] {
        let args = self.body_args(ir);
        &args[(self.num_config_args(ir) + workgroup_count(ir, self.0)).min(args.len())..]
    }
}

/// `blocks(%bx, %by, %bz) in (%gx = %a, %gy = %b, %gz = %c)`, the keyword read
struct Sizes {
    ids: Vec<Unresolved>,
    sizes: Vec<Unresolved>,
    operands: Vec<Unresolved>,
}

fn sizes(p: &mut OpParser<'_, '_>) -> Result<Sizes, Reported> {
    let ids = p.operands(terrace_text::Delim::Paren)?;
    p.keyword("in")?;
    let (mut sizes, mut operands) = (Vec::new(), Vec::new());
    p.list(terrace_text::Delim::Paren, |p| {
        sizes.push(p.operand()?);
        p.punct("=")?;
        operands.push(p.operand()?);
        Ok(())
    })?;
    if ids.len() != 3 || sizes.len() != 3 {
        return Err(p.error("expected three ids and three sizes, for x, y and z"));
    }
    Ok(Sizes { ids, sizes, operands })
}

impl CustomAsm for Launch {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let index = p.cx().common().index;
        let i32 = p.cx().common().i32;
        let token = async_dependencies(p)?;
        p.segment();
        let clusters = if p.keyword_opt("clusters") { Some(sizes(p)?) } else { None };
        p.keyword("blocks")?;
        let blocks = sizes(p)?;
        p.keyword("threads")?;
        let threads = sizes(p)?;
        for value in blocks.operands.iter().chain(&threads.operands) {
            p.resolve(value, index)?;
            p.segment();
        }
        for n in 0..3 {
            if let Some(clusters) = &clusters {
                p.resolve(&clusters.operands[n], index)?;
            }
            p.segment();
        }
        if p.keyword_opt("dynamic_shared_memory_size") {
            let size = p.operand()?;
            p.resolve(&size, i32)?;
        }
        p.segment();
        for name in ["module", "function"] {
            if p.keyword_opt(name) {
                p.punct("(")?;
                let symbol = p.symbol_ref()?;
                p.set_attr(name, symbol);
                p.punct(")")?;
            }
        }
        let mut args: Vec<(Unresolved, Type)> = [blocks.ids, threads.ids, blocks.sizes, threads.sizes]
            .into_iter()
            .chain(clusters.into_iter().flat_map(|clusters| [clusters.ids, clusters.sizes]))
            .flatten()
            .map(|name| (name, index))
            .collect();
        memory(p, &mut args)?;
        p.region(&args)?;
        p.attr_dict()?;
        add_token(p, token);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let args = self.body_args(ir);
        if self.async_token(ir).is_some() || !self.async_dependencies(ir).is_empty() {
            print_async(p, self.async_token(ir).is_some(), self.async_dependencies(ir));
        }
        let group = |p: &mut OpPrinter<'_>, word: &str, ids: usize, sizes: usize, operands: [Value; 3]| {
            p.text(word);
            p.operands((ids..ids + 3).filter_map(|n| args.get(n).copied()));
            p.text(") in (");
            for (n, operand) in operands.into_iter().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                if let Some(&arg) = args.get(sizes + n) {
                    p.operand(arg);
                }
                p.text(" = ");
                p.operand(operand);
            }
            p.text(")");
        };
        if let Some(cluster) = self.cluster(ir) {
            group(p, " clusters(", 12, 15, cluster);
        }
        group(p, " blocks(", 0, 6, self.grid(ir));
        group(p, " threads(", 3, 9, self.block(ir));
        if let Some(size) = self.dynamic_shared_memory_size(ir) {
            p.text(" dynamic_shared_memory_size ");
            p.operand(size);
        }
        for (word, name) in [(" module(", self.module(ir)), (" function(", self.function(ir))] {
            if let Some(name) = name {
                p.text(word);
                p.attr(name);
                p.text(")");
            }
        }
        print_attributions(p, " workgroup", self.workgroup_attributions(ir), None);
        print_attributions(p, " private", self.private_attributions(ir), None);
        p.text(" ");
        p.region(self.body(ir), false, true);
        p.attr_dict(&["workgroup_attributions", "module", "function"]);
    }
}

impl Verify for Launch {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let clusters = [self.cluster_size_x(ir), self.cluster_size_y(ir), self.cluster_size_z(ir)];
        if self.cluster(ir).is_none() && clusters.iter().any(Option::is_some) {
            return v.fail(self.0, &codes::OP_RULE, "cluster size must be all present");
        }
        if self.body_args(ir).len() < self.num_config_args(ir) + workgroup_count(ir, self.0) {
            return v.fail(self.0, &codes::OP_RULE, "unexpected number of region arguments");
        }
        check_attributions(v, self.0, self.workgroup_attributions(ir), AddressSpace::Workgroup)?;
        check_attributions(v, self.0, self.private_attributions(ir), AddressSpace::Private)?;
        for block in ir.blocks(self.body(ir)) {
            let Some(last) = ir.last_op(block) else { continue };
            if ir.num_successors(last) == 0 && !ir.is(last, Terminator::DEF) {
                let error = v.error(
                    last,
                    &codes::OP_RULE,
                    "expected 'gpu.terminator' or a terminator with successors",
                );
                return Err(v.emit(error.note_at(ir.span(self.0), "in 'gpu.launch' body region")));
            }
        }
        Ok(())
    }
}

/// Ends the body of `launch`
///
/// ```mlir
/// func.func @f(%n: index) {
///   gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
///              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
///     gpu.terminator
///   }
///   return
/// }
/// ```
#[op(
    "gpu.terminator",
    interfaces(terrace_interp::Interpret),
    traits(Pure, Terminator),
    parents("gpu.launch")
)]
#[asm("attr-dict")]
pub struct Terminator {}

/// Run a kernel of a device module for each thread of a grid
///
/// ```mlir
/// module attributes {gpu.container_module} {
///   gpu.module @kernels {
///     gpu.func @k(%m: memref<?xf32>) kernel {
///       gpu.return
///     }
///   }
///   func.func @f(%n: index, %m: memref<?xf32>) {
///     %c1 = arith.constant 1 : index
///     gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1) args(%m : memref<?xf32>)
///     return
///   }
/// }
/// ```
#[op(
    "gpu.launch_func",
    relations(same(grid_size_x, grid_size_y, grid_size_z, block_size_x, block_size_y, block_size_z)),
    interfaces(terrace_interp::Interpret, CustomAsm),
    hooks(verify)
)]
pub struct LaunchFunc {
    async_dependencies: Variadic<Token>,
    grid_size_x: LaunchIndex,
    grid_size_y: LaunchIndex,
    grid_size_z: LaunchIndex,
    block_size_x: LaunchIndex,
    block_size_y: LaunchIndex,
    block_size_z: LaunchIndex,
    cluster_size_x: Optional<LaunchIndex>,
    cluster_size_y: Optional<LaunchIndex>,
    cluster_size_z: Optional<LaunchIndex>,
    dynamic_shared_memory_size: Optional<I32>,
    kernel_operands: Variadic<AnyType>,
    async_object: Optional<AnyType>,
    #[attr]
    kernel: SymbolRef,
    #[result]
    async_token: Optional<Token>,
}

impl LaunchFunc {
    /// Sizes of the grid
    pub fn grid(self, ir: &Ir) -> [Value; 3] {
        [self.grid_size_x(ir), self.grid_size_y(ir), self.grid_size_z(ir)]
    }

    /// Sizes of a block
    pub fn block(self, ir: &Ir) -> [Value; 3] {
        [self.block_size_x(ir), self.block_size_y(ir), self.block_size_z(ir)]
    }

    /// Sizes of a cluster
    pub fn cluster(self, ir: &Ir) -> Option<[Value; 3]> {
        Some([self.cluster_size_x(ir)?, self.cluster_size_y(ir)?, self.cluster_size_z(ir)?])
    }
}

/// `in (%x, %y, %z)`, the keyword read
fn three(p: &mut OpParser<'_, '_>) -> Result<Vec<Unresolved>, Reported> {
    p.keyword("in")?;
    let values = p.operands(terrace_text::Delim::Paren)?;
    if values.len() == 3 { Ok(values) } else { Err(p.error("expected three sizes, for x, y and z")) }
}

impl CustomAsm for LaunchFunc {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let (index, i32) = (p.cx().common().index, p.cx().common().i32);
        let token = async_dependencies(p)?;
        p.segment();
        let mut object = None;
        if p.punct_opt("<") {
            let value = p.operand()?;
            object = Some((value, p.colon_type()?));
            p.punct(">")?;
        }
        let kernel = p.symbol_ref()?;
        p.set_attr("kernel", kernel);
        let clusters = if p.keyword_opt("clusters") { Some(three(p)?) } else { None };
        p.keyword("blocks")?;
        let mut sizes = three(p)?;
        p.keyword("threads")?;
        sizes.extend(three(p)?);
        let ty = if p.punct_opt(":") { p.ty()? } else { index };
        for value in &sizes {
            p.resolve(value, ty)?;
            p.segment();
        }
        for n in 0..3 {
            if let Some(clusters) = &clusters {
                p.resolve(&clusters[n], ty)?;
            }
            p.segment();
        }
        if p.keyword_opt("dynamic_shared_memory_size") {
            let size = p.operand()?;
            p.resolve(&size, i32)?;
        }
        p.segment();
        if p.keyword_opt("args") {
            p.list(terrace_text::Delim::Paren, |p| {
                let value = p.operand()?;
                let ty = p.colon_type()?;
                p.resolve(&value, ty)
            })?;
        }
        p.segment();
        if let Some((value, ty)) = object {
            p.resolve(&value, ty)?;
        }
        p.segment();
        p.attr_dict()?;
        add_token(p, token);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_async(p, self.async_token(ir).is_some(), self.async_dependencies(ir));
        if let Some(object) = self.async_object(ir) {
            p.text("<");
            p.operand(object);
            p.text(" : ");
            p.ty(ir.ty(object));
            p.text(">");
        }
        p.text(" ");
        p.attr(self.kernel(ir));
        let groups = [
            (" clusters in (", self.cluster(ir)),
            (" blocks in (", Some(self.grid(ir))),
            (" threads in (", Some(self.block(ir))),
        ];
        for (word, sizes) in groups {
            if let Some(sizes) = sizes {
                p.text(word);
                p.operands(sizes);
                p.text(")");
            }
        }
        p.text(" ");
        let ty = ir.ty(self.grid_size_x(ir));
        if ty != ir.cx().common().index {
            p.text(": ");
            p.ty(ty);
        }
        if let Some(size) = self.dynamic_shared_memory_size(ir) {
            p.text(" dynamic_shared_memory_size ");
            p.operand(size);
        }
        p.text(" ");
        for (n, value) in self.kernel_operands(ir).into_iter().enumerate() {
            p.text(if n > 0 { ", " } else { "args(" });
            p.operand(value);
            p.text(" : ");
            p.ty(ir.ty(value));
        }
        if !self.kernel_operands(ir).is_empty() {
            p.text(")");
        }
        p.attr_dict(&["kernel"]);
    }
}

impl Verify for LaunchFunc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        if v.symbols.table_attr(cx, v.scope, "gpu.container_module").is_none() {
            return fail(
                "expected the closest surrounding module to have the 'gpu.container_module' attribute",
            );
        }
        if let Some([x, y, z]) = self.cluster(ir)
            && (ir.ty(x) != ir.ty(y) || ir.ty(x) != ir.ty(z))
        {
            return fail("expects types of the cluster dimensions must be the same");
        }
        let kernel = self.kernel(ir);
        let (root, nested) = kernel.as_symbol(cx).expect("the table was checked");
        let text = terrace_ir::show::attr_text(cx, kernel);
        let module = cx.str(root);
        let Some(container) = v.symbols.lookup(v.scope, root, &[]) else {
            return v.fail(self.0, &codes::SYMBOL, format!("kernel container '{module}' is undefined"));
        };
        match cx.def(container.kind).name {
            "gpu.module" => {}
            "gpu.binary" => return Ok(()),
            _ => return v.fail(self.0, &codes::SYMBOL, format!("kernel module '{module}' is undefined")),
        }
        let found = if nested.is_empty() { None } else { v.lookup(kernel) };
        let Some(found) = found else {
            return v.fail(self.0, &codes::SYMBOL, format!("kernel function '{text}' is undefined"));
        };
        let Some(ty) = found.ty.and_then(|ty| ty.as_type(cx)) else {
            let error =
                v.error(self.0, &codes::SYMBOL, format!("referenced kernel '{text}' is not a function"));
            return Err(v.emit(error.note_at(found.span, "see the kernel definition here")));
        };
        let dict = found.dict.and_then(|dict| dict.as_dict(cx)).unwrap_or(&[]);
        if terrace_ir::attrs::dict_get(cx, dict, "gpu.kernel").is_none() {
            return fail("kernel function is missing the 'gpu.kernel' attribute");
        }
        if cx.def(found.kind).name != "gpu.func" {
            return Ok(());
        }
        let (inputs, given) = (ty.as_function(cx).unwrap_or((&[], &[])).0, self.kernel_operands(ir));
        if inputs.len() != given.len() {
            return fail(&format!("got {} kernel operands but expected {}", given.len(), inputs.len()));
        }
        match given.iter().zip(inputs).position(|(value, ty)| ir.ty(*value) != *ty) {
            Some(n) => fail(&format!("type of function argument {n} does not match")),
            None => Ok(()),
        }
    }
}
