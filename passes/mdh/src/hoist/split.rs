//! A product in two computations.

use super::choose::Division;
use super::computed::{index_dim, members};
use super::product::Product;
use crate::access::strides;
use crate::parts;
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation over some dimensions of another one
struct Piece<'a> {
    op: Compute,
    view: &'a View,
    product: &'a Product,
    /// Dimensions in order, by their numbers in the whole
    dims: Vec<usize>,
}

/// What a piece yields: a product of values of the old body
struct Wanted {
    /// Values from left to right; none for the result of the other piece
    operands: Vec<Option<Value>>,
    /// The result of the other piece
    result: Option<Input>,
    /// A value within the operands that the result stands for
    replaces: Option<Value>,
}

/// The product of the first factors, and what becomes of the others with it; nothing has changed where it gives none
pub fn split(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    product: &Product,
    division: &Division,
) -> Option<(Compute, Compute)> {
    let places = places(ir, view, product, division);
    let dims = places.iter().copied().chain(members(division.reduced)).collect();
    let first = Piece { op, view, product, dims }.first(ir, division, places.len())?;
    let dims = (0..view.dims.len()).filter(|dim| division.reduced >> dim & 1 == 0).collect();
    let second = Piece { op, view, product, dims }.second(ir, division, &places, first)?;
    parts::replace(ir, op, second);
    Some((first, second))
}

/// Dimensions of the result between the two computations: what is contiguous in the largest operand stays so
fn places(ir: &Ir, view: &View, p: &Product, division: &Division) -> Vec<usize> {
    let used = p.dims(division.first);
    let mut places: Vec<usize> = members(used & !division.reduced).collect();
    // By dimension: elements of the largest operand that moves with it, and how far
    let mut apart = vec![(0, 0); view.dims.len()];
    for input in &view.inputs {
        let Some(map) = &input.map else { continue };
        let moves = |n: usize| map.results.iter().any(|expr| expr.uses_dim(n as u32));
        if (0..view.dims.len()).any(|n| used >> n & 1 == 0 && moves(n)) {
            continue;
        }
        let elements: i64 = ir.ty(input.value).shape(ir.cx()).unwrap_or(&[]).iter().product();
        let (strides, _) = strides(ir, ir.ty(input.value), map, view.dims.len());
        for (n, stride) in strides.into_iter().enumerate().filter(|(n, _)| moves(*n)) {
            if elements > apart[n].0 {
                apart[n] = (elements, stride.unwrap_or(0));
            }
        }
    }
    places.sort_by_key(|n| std::cmp::Reverse(apart[*n].1));
    places
}

impl Piece<'_> {
    /// The computation of the first factors; its result has as many dimensions as are kept
    fn first(&self, ir: &mut Ir, division: &Division, kept: usize) -> Option<Compute> {
        let mut made = self.only_dims();
        made.name = Some(format!("{}_first", self.view.name.as_deref().unwrap_or("product")));
        for dim in &mut made.dims[..kept] {
            dim.kind = CombineKind::Cc;
        }
        let place = (0..kept as u32).map(AffineExpr::Dim).collect();
        let maps = vec![AffineMap::new(self.dims.len() as u32, 0, place)?];
        made.outputs = vec![Output { maps, init: None }];
        let operands = match self.product.part(division.first) {
            Some(value) => vec![Some(value)],
            None => members(division.first).map(|n| Some(self.product.factors[n].value)).collect(),
        };
        let body = self.body(ir, &mut made, &Wanted { operands, result: None, replaces: None })?;
        let shape: Vec<i64> = made.dims[..kept].iter().map(|dim| dim.size).collect();
        let ty = ir.cx().tensor(&shape, self.product.ty);
        Some(made.build(&mut Builder::before(ir, self.op.id()), &[ty], body))
    }

    /// The computation of the other factors with the result of the first
    fn second(&self, ir: &mut Ir, division: &Division, places: &[usize], first: Compute) -> Option<Compute> {
        let mut made = self.only_dims();
        made.name.clone_from(&self.view.name);
        let out = &self.view.outputs[0];
        let init = match &out.init {
            Some((value, Some(own))) => Some((*value, Some(self.moved(own)?))),
            other => other.clone(),
        };
        made.outputs = vec![Output { maps: vec![self.moved(&out.maps[0])?], init }];
        let at = places.iter().map(|dim| self.coordinate(*dim)).collect();
        let map = AffineMap::new(self.dims.len() as u32, 0, at)?;
        let result =
            Some(Input { value: ir.result(first.id(), 0), map: Some(map), other: None, guard: None });
        let p = self.product;
        let wanted = match p.part(division.first).filter(|_| division.same) {
            // The same products in the same order: the result stands for its part.
            Some(part) => Wanted { operands: vec![Some(p.root)], result, replaces: Some(part) },
            None => {
                let lowest = division.first.trailing_zeros() as usize;
                let operands = (0..p.factors.len())
                    .filter(|n| *n == lowest || division.first >> n & 1 == 0)
                    .map(|n| (n != lowest).then_some(p.factors[n].value))
                    .collect();
                Wanted { operands, result, replaces: None }
            }
        };
        let body = self.body(ir, &mut made, &wanted)?;
        let ty = ir.ty(ir.result(self.op.id(), 0));
        Some(made.build(&mut Builder::before(ir, self.op.id()), &[ty], body))
    }

    fn only_dims(&self) -> View {
        let dims = self.dims.iter().map(|dim| self.view.dims[*dim].clone()).collect();
        View {
            name: None,
            dims,
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            extents: Vec::new(),
        }
    }

    /// A body that yields what is wanted; the inputs that it needs are added to the view
    fn body(&self, ir: &mut Ir, made: &mut View, wanted: &Wanted) -> Option<BlockId> {
        let old = ir.entry(self.op.body(ir))?;
        let needed = needed(ir, old, wanted);
        let block = ir.create_block();
        let mut map = ValueMap::default();
        let mut result = None;
        if let Some(input) = &wanted.result {
            made.inputs.push(input.clone());
            let arg = ir.add_block_arg(block, self.product.ty);
            result = Some(arg);
            if let Some(value) = wanted.replaces {
                map.insert(value, arg);
            }
        }
        for (arg, input) in ir.block_args(old).to_vec().into_iter().zip(&self.view.inputs) {
            if needed.contains(&arg) {
                made.inputs.push(self.input(input)?);
                let new = ir.add_block_arg(block, ir.ty(arg));
                ir.copy_value_name(arg, new);
                map.insert(arg, new);
            }
        }
        for each in ir.block_ops(old).collect::<Vec<OpId>>() {
            if !ir.results(each).any(|value| needed.contains(&value)) {
                continue;
            }
            if let Some(index) = Index::cast(ir, each) {
                let dim = index_dim(ir, index)?;
                let at = self.dims.iter().position(|own| *own == dim)?;
                let new = parts::index(&mut Builder::at_end(ir, block), at);
                map.insert(index.result(ir), new);
                continue;
            }
            let copy = ir.clone_op(None, each, &mut map);
            ir.append(block, copy);
        }
        let operand = |operand: &Option<Value>| operand.map_or(result, |value| map.get(value));
        let values: Option<Vec<Value>> = wanted.operands.iter().map(operand).collect();
        let product = self.multiplied(ir, block, &values?)?;
        Yield::build(&mut Builder::at_end(ir, block), &[product]);
        Some(block)
    }

    /// The product of some values from left to right
    fn multiplied(&self, ir: &mut Ir, block: BlockId, values: &[Value]) -> Option<Value> {
        let p = self.product;
        let flags = [p.fastmath];
        let slots = if p.fastmath.is_some() { flags.as_slice() } else { &[] };
        values.iter().copied().reduce(|product, value| {
            let mut b = Builder::at_end(ir, block);
            let (kind, operands) = (b.kind(p.times), [product, value]);
            let op = b.insert(&NewOp { operands: &operands, results: &[p.ty], slots, ..NewOp::new(kind) });
            ir.result(op, 0)
        })
    }

    /// Where a dimension of the whole is in this piece
    fn coordinate(&self, dim: usize) -> AffineExpr {
        self.dims.iter().position(|own| *own == dim).map_or(0.into(), |at| AffineExpr::Dim(at as u32))
    }

    fn moved(&self, map: &AffineMap) -> Option<AffineMap> {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(|expr| self.moved_expr(expr)).collect();
        AffineMap::new(self.dims.len() as u32, 0, results?)
    }

    fn moved_expr(&self, expr: &AffineExpr) -> Option<AffineExpr> {
        let coords: Vec<AffineExpr> = (0..self.view.dims.len()).map(|dim| self.coordinate(dim)).collect();
        expr.replace(&coords, &[])
    }

    fn input(&self, input: &Input) -> Option<Input> {
        let mut new = input.clone();
        if let Some(map) = &mut new.map {
            *map = self.moved(map)?;
        }
        if let Some(guard) = &mut new.guard {
            *guard = self.moved_expr(guard)?;
        }
        Some(new)
    }
}

/// The values of the old body that are needed for what is wanted
fn needed(ir: &Ir, old: BlockId, wanted: &Wanted) -> Vec<Value> {
    let mut needed: Vec<Value> = wanted.operands.iter().copied().flatten().collect();
    let ops: Vec<OpId> = ir.block_ops(old).collect();
    for each in ops.into_iter().rev() {
        if ir.results(each).any(|value| needed.contains(&value)) {
            needed.extend(ir.operands(each).filter(|value| Some(*value) != wanted.replaces));
        }
    }
    needed
}
