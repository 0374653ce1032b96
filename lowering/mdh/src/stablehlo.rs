//! The edge `stablehlo` → `mdh`: graphs of tensors as JAX and PyTorch export them become computations.
//!
//! - `table`: every op of the two dialects with what it becomes, or with the reason why there is no road down;
//! - `scalars`: element-wise ops as `arith` and `math` on single values, in bodies and in regions; `conversions` between formats;
//! - `moves`: constants and ops that only move elements; `gathers` those at places that are values;
//! - `reductions`, `windows`, `products`: what is combined, with kept and reduced dimensions as the op has them;
//! - `control`: loops, conditions and calls on tensors, as `scf` and `func`; `counted` loops that count; `scatters` elements that
//!   are combined with what a tensor holds, one after the other.
//!
//! `stablehlo` has unsigned types, ours are signless: all values lose the sign first, and a set keeps which ones had it.
//! Start values of reductions are folded once, in front. What the road of `linalg` has already (shapes that are joined and cut, joint
//! operators, parts at places that are values) goes there.

mod control;
mod conversions;
mod counted;
mod gathers;
mod moves;
mod products;
mod reductions;
mod scalars;
mod scatters;
mod selected;
mod table;
mod windows;

use crate::codes;
use crate::tensors::{Done, few, replace, shape};
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Input, Output, View, default_name};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, BlockId, Builder, Context, Ir, OpDef, OpId, Sign, Traits, Type, TypeKind, Value};
use terrace_pass::PassCx;
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_support::{HashMap, HashSet};

/// Where ops on single values are put
struct Body<'a> {
    ir: &'a mut Ir,
    at: BlockId,
    unsigned: &'a HashSet<Value>,
}

/// The ops of `arith` and `math` that an element-wise op is, by the kind of its elements
#[derive(Clone, Copy)]
struct Defs {
    float: Option<&'static OpDef>,
    signed: Option<&'static OpDef>,
    unsigned: Option<&'static OpDef>,
    pred: Option<&'static OpDef>,
}

/// An element-wise op on single values
enum OnScalars {
    /// One op
    Same(Defs),
    /// What the function makes
    By(fn(&mut Body<'_>, OpId, &[Value]) -> Done<Value>),
}

/// What becomes of an op
enum Road {
    /// A computation on each element
    Scalar(OnScalars),
    /// Computations, views or loops on whole tensors
    Tensors(fn(&mut Edge<'_>, OpId) -> Done<()>),
    /// The end of a region: the op around it reads it
    End,
    /// There is no road, for this reason
    Gap(&'static str),
}

/// What becomes of an op of the two dialects
fn road(ir: &Ir, op: OpId) -> Option<&'static Road> {
    table::find(ir, op)
}

/// Is there an op of the two dialects anywhere? Other programs stay as they are
pub fn has_graph(unit: &Ir) -> bool {
    let mut pending: Vec<&Ir> = vec![unit];
    while let Some(unit) = pending.pop() {
        for op in unit.walk() {
            pending.extend(unit.child(op));
            if unit.is_of(op, &hlo::STABLEHLO) || unit.is_of(op, &hlo::CHLO) {
                return true;
            }
        }
    }
    false
}

/// Make computations, loops and conditions of the graphs in a tree; how many ops were converted. Calls in regions of reductions must be inlined
pub fn convert_all(cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<u64, Reported> {
    let mut converted = 0;
    // Units with functions in them, with a list: they nest.
    let mut pending: Vec<&mut Ir> = vec![unit];
    while let Some(table) = pending.pop() {
        if func::Func::cast(table, table.root()).is_some() {
            converted += convert(cx, table)?;
        }
        pending.extend(table.children_mut());
    }
    Ok(converted)
}

fn convert(cx: &mut PassCx<'_>, ir: &mut Ir) -> Result<u64, Reported> {
    let unsigned = without_signs(ir);
    let mut edge = Edge { ir, unsigned, splats: HashMap::default(), scalars: HashMap::default() };
    let ops: Vec<OpId> = edge.ir.walk_below(edge.ir.root()).collect();
    let mut converted = 0;
    for &op in &ops {
        if !edge.ir.is_alive(op) {
            continue;
        }
        let Some(road) = road(edge.ir, op) else { continue };
        let done = match road {
            Road::Scalar(_) => edge.pointwise(op),
            Road::Tensors(convert) => convert(&mut edge, op),
            // The op around it takes it away.
            Road::End => continue,
            Road::Gap(why) => Err((*why).into()),
        };
        if let Err(why) = done {
            return cx.fail(edge.ir, op, &codes::STABLEHLO, why);
        }
        converted += 1;
    }
    let made: Vec<OpId> = ir.walk_below(ir.root()).collect();
    for op in made.into_iter().rev() {
        let pure = ir.is(op, Compute::DEF) || ir.has(op, Traits::Pure) && !ir.has(op, Traits::Terminator);
        if pure && ir.num_results(op) > 0 && ir.is_unused(op) {
            ir.erase(op);
        }
    }
    Ok(converted)
}

/// The type without the sign of its elements, if it is unsigned
fn signless(cx: &Context, ty: Type) -> Option<Type> {
    let elem = ty.shape(cx).map_or(ty, |_| ty.scalar(cx));
    match elem.kind(cx) {
        TypeKind::Int { width, sign: Sign::Unsigned } if ty == elem => Some(cx.int(*width)),
        TypeKind::Int { width, sign: Sign::Unsigned } => Some(ty.with_element(cx, cx.int(*width))),
        _ => None,
    }
}

/// Takes the sign from the types of all values; those that had one
fn without_signs(ir: &mut Ir) -> HashSet<Value> {
    let cx = ir.cx_arc().clone();
    let mut values: Vec<Value> = Vec::new();
    for op in std::iter::once(ir.root()).chain(ir.walk()) {
        values.extend(ir.results(op));
        for region in ir.regions(op) {
            values.extend(ir.blocks(region).flat_map(|block| ir.block_args(block).to_vec()));
        }
    }
    let mut unsigned = HashSet::default();
    for value in values {
        if let Some(ty) = signless(&cx, ir.ty(value)) {
            ir.set_type(value, ty);
            unsigned.insert(value);
        }
    }
    let root = ir.root();
    let declared = func::Func::cast(ir, root).and_then(|func| func.function_type(ir).as_type(&cx));
    if let Some((inputs, results)) = declared.and_then(|ty| ty.as_function(&cx)) {
        let all = |types: &[Type]| -> Vec<Type> {
            types.iter().map(|ty| signless(&cx, *ty).unwrap_or(*ty)).collect()
        };
        let ty = cx.function(&all(inputs), &all(results));
        ir.set_attr(root, "function_type", Some(cx.type_attr(ty)));
    }
    unsigned
}

/// A function on its way
pub(crate) struct Edge<'a> {
    ir: &'a mut Ir,
    /// Values whose elements are read as unsigned integers
    unsigned: HashSet<Value>,
    /// Tensors with one and the same constant everywhere
    splats: HashMap<Value, Attr>,
    /// Tensors of one element that is known
    scalars: HashMap<Value, Value>,
}

/// A computation in the making: what it reads, over which dimensions
struct Points {
    block: BlockId,
    dims: Vec<Dim>,
    inputs: Vec<Input>,
    conditions: Vec<Condition>,
}

fn d(n: usize) -> AffineExpr {
    AffineExpr::Dim(n as u32)
}

impl Points {
    /// Dimensions that are all kept
    fn kept(edge: &mut Edge<'_>, sizes: &[i64]) -> Done<Points> {
        few(sizes)?;
        let dims = sizes.iter().map(|size| (*size, CombineKind::Cc));
        Ok(Points::over(edge, dims.collect()))
    }

    fn over(edge: &mut Edge<'_>, dims: Vec<(i64, CombineKind)>) -> Points {
        let dims = dims.into_iter().enumerate();
        let dims = dims.map(|(n, (size, kind))| Dim { name: default_name(n), size, kind }).collect();
        Points { block: edge.ir.create_block(), dims, inputs: Vec::new(), conditions: Vec::new() }
    }

    fn map(&self, all: Vec<AffineExpr>) -> Done<AffineMap> {
        AffineMap::new(self.dims.len() as u32, 0, all)
            .ok_or_else(|| "an index function uses more than it has".into())
    }

    fn identity(&self) -> AffineMap {
        AffineMap::identity(self.dims.len() as u32)
    }

    /// What the body gets of an element of a tensor; a constant is one in the body
    fn read(&mut self, edge: &mut Edge<'_>, value: Value, at: Vec<AffineExpr>) -> Done<Value> {
        if let Some(attr) = edge.splats.get(&value) {
            let mut b = Builder::at_end(edge.ir, self.block);
            return Ok(arith::Constant::build(&mut b, *attr).result(b.read()));
        }
        let map = self.map(at)?;
        self.input(edge, Input { value, map: Some(map), other: None, guard: None })
    }

    fn input(&mut self, edge: &mut Edge<'_>, input: Input) -> Done<Value> {
        let (cx, ty) = (edge.ir.cx(), edge.ir.ty(input.value));
        let ty = if input.map.is_some() { ty.scalar(cx) } else { ty };
        self.inputs.push(input);
        Ok(edge.ir.add_block_arg(self.block, ty))
    }

    /// The whole tensor, of which the body reads elements at places that it computes
    fn whole(&mut self, edge: &mut Edge<'_>, value: Value) -> Done<Value> {
        self.input(edge, Input { value, map: None, other: None, guard: None })
    }

    /// Puts the computation in place of the op
    fn finish(self, edge: &mut Edge<'_>, op: OpId, outputs: Vec<Output>, yields: &[Value]) {
        Yield::build(&mut Builder::at_end(edge.ir, self.block), yields);
        let ir = &mut *edge.ir;
        let results: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
        let signs: Vec<bool> = ir.results(op).map(|value| edge.unsigned.contains(&value)).collect();
        let view = View {
            name: None,
            dims: self.dims,
            inputs: self.inputs,
            outputs,
            conditions: self.conditions,
            extents: Vec::new(),
        };
        let made = replace(ir, op, &view, &results, self.block);
        for (n, unsigned) in signs.into_iter().enumerate() {
            if unsigned {
                edge.unsigned.insert(ir.result(made, n));
            }
        }
    }

    /// The same where every point gives the element at its own place
    fn whole_result(self, edge: &mut Edge<'_>, op: OpId, value: Value) {
        let outputs = vec![Output { maps: vec![self.identity()], init: None }];
        self.finish(edge, op, outputs, &[value]);
    }
}

impl Edge<'_> {
    fn sizes(&self, value: Value) -> Done<Vec<i64>> {
        shape(self.ir, value)
    }

    fn is_unsigned(&self, value: Value) -> bool {
        self.unsigned.contains(&value) || self.ir.ty(value).scalar(self.ir.cx()) == self.ir.cx().common().i1
    }

    /// A tensor with one element everywhere, before an op
    fn fill(&mut self, op: OpId, attr: Attr, ty: Type) -> Done<Value> {
        let sizes = ty.shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        few(&sizes)?;
        let block = self.ir.create_block();
        let mut b = Builder::at_end(self.ir, block);
        let value = arith::Constant::build(&mut b, attr).result(b.read());
        Yield::build(&mut b, &[value]);
        let view = View {
            name: None,
            dims: crate::tensors::named(&sizes, vec![CombineKind::Cc; sizes.len()]),
            inputs: Vec::new(),
            outputs: vec![Output { maps: vec![AffineMap::identity(sizes.len() as u32)], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let mut b = self.before(op);
        let made = view.build(&mut b, &[ty], block);
        let value = made.id();
        let value = self.ir.result(value, 0);
        self.splats.insert(value, attr);
        Ok(value)
    }

    /// A tensor with one value everywhere, before an op
    fn filled(&mut self, op: OpId, value: Value, ty: Type) -> Done<Value> {
        let sizes = ty.shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        few(&sizes)?;
        let block = self.ir.create_block();
        let elem = ty.scalar(self.ir.cx());
        let arg = self.ir.add_block_arg(block, elem);
        Yield::build(&mut Builder::at_end(self.ir, block), &[arg]);
        let view = View {
            name: None,
            dims: crate::tensors::named(&sizes, vec![CombineKind::Cc; sizes.len()]),
            inputs: vec![Input { value, map: None, other: None, guard: None }],
            outputs: vec![Output { maps: vec![AffineMap::identity(sizes.len() as u32)], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let made = view.build(&mut self.before(op), &[ty], block).id();
        Ok(self.ir.result(made, 0))
    }

    fn before(&mut self, op: OpId) -> Builder<'_> {
        let loc = self.ir.loc(op);
        let mut b = Builder::before(self.ir, op);
        b.set_loc(loc);
        b
    }

    /// Another value stands for a result
    fn forward(&mut self, from: Value, to: Value) {
        if self.unsigned.contains(&from) {
            self.unsigned.insert(to);
        }
        crate::tensors::rename(self.ir, from, to);
        self.ir.replace_all_uses(from, to);
    }

    /// The one result of an op, and the op is gone
    fn becomes(&mut self, op: OpId, value: Value) -> Done<()> {
        let from = self.ir.result(op, 0);
        self.forward(from, value);
        self.ir.erase(op);
        Ok(())
    }

    /// The only element of a tensor without dimensions, before an op
    fn only(&mut self, op: OpId, value: Value) -> Value {
        if let Some(scalar) = self.scalars.get(&value) {
            return *scalar;
        }
        let known = self.splats.get(&value).copied();
        let mut b = self.before(op);
        match known {
            Some(attr) => arith::Constant::build(&mut b, attr).result(b.read()),
            None => tensor::Extract::build(&mut b, value, &[]).result(b.read()),
        }
    }
}
