//! The loops around a point, without what is in them.

use terrace_dialect_affine as affine;
use terrace_dialect_arith::Constant;
use terrace_dialect_memref::Dim;
use terrace_dialect_scf as scf;
use terrace_ir::{BlockId, Builder, DYNAMIC, Ir, Loc, OpId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Which loops
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `scf.for`
    For,
    /// `affine.for`
    Affine,
    /// `scf.parallel`, and `scf.for` where something is reduced
    Parallel,
}

/// Loops whose innermost body is to be filled
pub struct Nest {
    /// Their variables, from outside in
    pub variables: Vec<Value>,
    /// What goes inside goes before this op, or after all if there is no loop
    before: OpId,
    loc: Loc,
}

/// The size of a dimension
#[derive(Clone, Copy)]
enum Extent {
    Known(i64),
    Value(Value),
}

impl Nest {
    /// May loops of this kind have these extents?
    pub fn fits(ir: &Ir, op: OpId, kind: Kind, extents: &[(Value, usize)]) -> bool {
        if kind != Kind::Affine {
            return true;
        }
        let scope = affine::valid::scope(ir, op);
        let is_top =
            |value: Value| affine::valid::is_symbol(ir, value, scope) || is_outside(ir, value, scope);
        extents.iter().all(|&(value, dim)| size(ir, value, dim).is_some() || is_top(value))
    }

    /// Loops of these extents, which fit, before an op
    pub fn before(ir: &mut Ir, op: OpId, kind: Kind, extents: &[(Value, usize)], reduces: &[bool]) -> Nest {
        let loc = ir.loc(op);
        // In the order of operands: each size once.
        let mut order: Vec<usize> = (0..extents.len()).collect();
        let operands: Vec<Value> = ir.operands(op).collect();
        let place = |value: Value| operands.iter().position(|operand| *operand == value);
        order.sort_by_key(|n| (place(extents[*n].0), extents[*n].1));
        let mut sizes = vec![Extent::Known(0); extents.len()];
        for n in order {
            let (value, dim) = extents[n];
            sizes[n] = match size(ir, value, dim) {
                Some(known) => Extent::Known(known),
                None => {
                    let mut b = Builder::before(ir, op);
                    let at = constant(&mut b, dim as i64);
                    Extent::Value(Dim::build(&mut b, value, at).result(b.read()))
                }
            };
        }
        let mut nest = Nest { variables: Vec::new(), before: op, loc };
        let mut n = 0;
        while n < sizes.len() {
            let together = match kind {
                Kind::Parallel if !reduces[n] => reduces[n..].iter().take_while(|reduces| !**reduces).count(),
                _ => 1,
            };
            match kind {
                Kind::Parallel if !reduces[n] => nest.parallel(ir, op, &sizes[n..n + together]),
                Kind::Affine => nest.affine(ir, sizes[n]),
                _ => nest.ordered(ir, op, sizes[n]),
            }
            n += together;
        }
        nest
    }

    /// A builder at the innermost place
    pub fn inside<'i>(&self, ir: &'i mut Ir) -> Builder<'i> {
        let mut b = Builder::before(ir, self.before);
        b.set_loc(self.loc);
        b
    }

    fn open(&mut self, ir: &mut Ir, block: BlockId, variables: usize, end: impl FnOnce(&mut Builder<'_>)) {
        let index = ir.cx().common().index;
        self.variables.extend((0..variables).map(|_| ir.add_block_arg(block, index)).collect::<Vec<_>>());
        let mut b = Builder::at_end(ir, block);
        b.set_loc(self.loc);
        end(&mut b);
        self.before = ir.last_op(block).unwrap_or(self.before);
    }

    fn ordered(&mut self, ir: &mut Ir, op: OpId, size: Extent) {
        let [low, high, step] = bounds(ir, op, size);
        let made = scf::For::build(&mut self.inside(ir), low, high, step, &[], &[]);
        let block = ir.append_block(made.region(ir));
        self.open(ir, block, 1, |b| {
            scf::Yield::build(b, &[]);
        });
    }

    fn parallel(&mut self, ir: &mut Ir, op: OpId, sizes: &[Extent]) {
        let all: Vec<[Value; 3]> = sizes.iter().map(|size| bounds(ir, op, *size)).collect();
        let list = |n: usize| all.iter().map(|bounds| bounds[n]).collect::<Vec<_>>();
        let made = scf::Parallel::build(&mut self.inside(ir), &list(0), &list(1), &list(2), &[], &[]);
        let block = ir.append_block(made.region(ir));
        self.open(ir, block, sizes.len(), |b| {
            scf::Reduce::build(b, &[], 0);
        });
    }

    fn affine(&mut self, ir: &mut Ir, size: Extent) {
        let constant =
            |value: i64| AffineMap { dims: 0, symbols: 0, results: vec![AffineExpr::Constant(value)] };
        let mut b = self.inside(ir);
        let (operands, upper) = match size {
            Extent::Known(size) => (Vec::new(), constant(size)),
            Extent::Value(value) => {
                (vec![value], AffineMap { dims: 0, symbols: 1, results: vec![AffineExpr::Symbol(0)] })
            }
        };
        let (lower, upper) = (b.cx().map_attr(constant(0)), b.cx().map_attr(upper));
        let step = b.cx().index_attr(1);
        let made = affine::For::build(&mut b, &[], &operands, &[], lower, upper, step, &[]);
        let block = ir.append_block(made.region(ir));
        self.open(ir, block, 1, |b| {
            affine::Yield::build(b, &[]);
        });
    }
}

/// Is a value defined outside of a region, whose symbols are then its sizes?
fn is_outside(ir: &Ir, value: Value, scope: Option<terrace_ir::RegionId>) -> bool {
    let region = ir.value_block(value).and_then(|block| ir.block_region(block));
    region == scope
}

fn size(ir: &Ir, value: Value, dim: usize) -> Option<i64> {
    ir.ty(value).shape(ir.cx())?.get(dim).copied().filter(|size| *size != DYNAMIC)
}

fn constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    Constant::build(b, attr).result(b.read())
}

/// From zero to the size, by one; constants go before the op
fn bounds(ir: &mut Ir, op: OpId, size: Extent) -> [Value; 3] {
    let mut b = Builder::before(ir, op);
    let low = constant(&mut b, 0);
    let high = match size {
        Extent::Known(size) => constant(&mut b, size),
        Extent::Value(value) => value,
    };
    [low, high, constant(&mut b, 1)]
}
