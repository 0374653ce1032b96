//! Terms of kept dimensions as a computation of their own.

use super::pair::Pair;
use super::terms::{Id, Term};
use crate::parts;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, Value};
use terrace_rewrite::{Miss, OrMiss};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation over the dimensions that the second reduction keeps, under construction
pub struct Epilogue<'a> {
    pair: &'a Pair,
    view: View,
    block: BlockId,
    /// For each dimension of the second reduction, its place among the kept ones
    coords: Vec<AffineExpr>,
    /// What stands for the first reduction's result
    instead: Value,
}

/// Can these terms be computed for each result, once some of them are known?
pub fn is_known_by_result(pair: &Pair, root: Id, known: &[Id]) -> Result<(), Miss> {
    let reduced = pair.second.dims(true);
    let plain = |id: &Id| match pair.terms.get(*id) {
        Term::Read(_) => !pair.terms.varies(*id, &reduced),
        Term::Coordinate(AffineExpr::Dim(dim)) => !reduced.contains(&(*dim as usize)),
        Term::Coordinate(place) => matches!(place, AffineExpr::Constant(_)),
        Term::Op { .. } => true,
    };
    pair.terms.below(root, known).iter().all(plain).or_miss("it uses the elements in another way, too")
}

impl<'a> Epilogue<'a> {
    /// Of no input so far
    pub fn over(ir: &mut Ir, pair: &'a Pair, instead: Value) -> Option<Epilogue<'a>> {
        let second = &pair.second.view;
        let kept = pair.second.dims(false);
        let coords: Vec<AffineExpr> = (0..second.dims.len())
            .map(|dim| {
                kept.iter().position(|other| *other == dim).map_or(0.into(), |n| AffineExpr::Dim(n as u32))
            })
            .collect();
        let dims =
            kept.iter().map(|dim| Dim { kind: CombineKind::Cc, ..second.dims[*dim].clone() }).collect();
        let view = View {
            name: second.name.clone(),
            dims,
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let mut made = Epilogue { pair, view, block: ir.create_block(), coords, instead };
        let Some(map) = made.moved(&second.outputs[0].maps[0]) else {
            ir.erase_block(made.block);
            return None;
        };
        made.view.outputs.push(Output { maps: vec![map], init: None });
        Some(made)
    }

    fn moved(&self, map: &AffineMap) -> Option<AffineMap> {
        let results = map.results.iter().map(|expr| expr.replace(&self.coords, &[]));
        AffineMap::new(self.view.dims.len() as u32, 0, results.collect::<Option<_>>()?)
    }

    /// An element of what stands where the first reduction's result stood
    pub fn element(&mut self, ir: &mut Ir, of: Value) -> Option<Value> {
        let map = self.moved(&self.pair.read)?;
        Some(self.argument(ir, Input { value: of, map: Some(map), other: None, guard: None }))
    }

    fn argument(&mut self, ir: &mut Ir, input: Input) -> Value {
        let same =
            |other: &Input| other.value == input.value && other.map == input.map && input.other.is_none();
        if let Some(n) = self.view.inputs.iter().position(same) {
            return ir.block_args(self.block)[n];
        }
        let cx = ir.cx();
        let ty = ir.ty(input.value);
        let ty = if input.map.is_some() { ty.scalar(cx) } else { ty };
        self.view.inputs.push(input);
        ir.add_block_arg(self.block, ty)
    }

    /// Where ops are added
    pub fn builder<'b>(&self, ir: &'b mut Ir) -> Builder<'b> {
        Builder::at_end(ir, self.block)
    }

    /// The value of a term; these stand for some terms. What [`is_known_by_result`] allows has one
    pub fn term(&mut self, ir: &mut Ir, root: Id, known: &[(Id, Value)]) -> Option<Value> {
        let mut values: HashMap<Id, Value> = known.iter().copied().collect();
        let but: Vec<Id> = known.iter().map(|(id, _)| *id).collect();
        for id in self.pair.terms.below(root, &but) {
            let value = match self.pair.terms.get(id).clone() {
                Term::Read(n) => {
                    let mut read = self.pair.terms.reads[n].clone();
                    if read.value == ir.result(self.pair.first.op.id(), 0) {
                        read.value = self.instead;
                    }
                    if let Some(map) = &mut read.map {
                        *map = self.moved(map)?;
                    }
                    if let Some(guard) = &mut read.guard {
                        *guard = guard.replace(&self.coords, &[])?;
                    }
                    self.argument(ir, read)
                }
                Term::Coordinate(place) => match place.replace(&self.coords, &[])? {
                    AffineExpr::Dim(dim) => parts::index(&mut self.builder(ir), dim as usize),
                    AffineExpr::Constant(value) => parts::index_constant(&mut self.builder(ir), value),
                    _ => return None,
                },
                Term::Op { op, operands } => {
                    let mut map = ValueMap::default();
                    for (old, id) in ir.operands(op).collect::<Vec<_>>().into_iter().zip(&operands) {
                        map.insert(old, *values.get(id)?);
                    }
                    let copy = ir.clone_op(None, op, &mut map);
                    ir.append(self.block, copy);
                    ir.result(copy, 0)
                }
            };
            values.insert(id, value);
        }
        values.get(&root).copied()
    }

    /// The computation, in front of the second reduction, whose result it takes the place of
    pub fn finish(self, ir: &mut Ir, value: Option<Value>) -> Option<()> {
        let Some(value) = value else {
            ir.erase_block(self.block);
            return None;
        };
        Yield::build(&mut self.builder(ir), &[value]);
        let old = self.pair.second.op;
        let ty = ir.ty(ir.result(old.id(), 0));
        let made: Compute = self.view.build(&mut Builder::before(ir, old.id()), &[ty], self.block);
        parts::replace(ir, old, made);
        Some(())
    }
}
