//! Copies before the loops: start values and neutral elements, and the launches that make them.

use crate::nest::{Done, Nest, Sink};
use crate::scalar;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, CopySpec, Level, LoopSpec};
use terrace_ir::{InsertPoint, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Threads of a launch that only copies
const LINE: i64 = 128;

/// Most blocks along the second and third axis
const ACROSS: i64 = 65_535;

impl Nest<'_> {
    /// Start values, or neutral elements where contributions meet in memory or may be missing
    pub(crate) fn fill(&mut self, at: InsertPoint, sinks: &[Sink]) -> Done<()> {
        let empty = self.view.dims.iter().any(|dim| dim.size == 0);
        for (n, out) in self.view.outputs.iter().enumerate() {
            if self.ir.ty(self.dests[n]).shape(self.ir.cx()).is_some_and(|shape| shape.contains(&0)) {
                continue;
            }
            if let (Some(start), Some((_, own))) = (self.starts[n], &out.init) {
                match own {
                    _ if sinks[n].direct || start == self.dests[n] => {}
                    None => self.copy_all(at, start, self.dests[n]),
                    Some(own) => {
                        for map in &out.maps {
                            self.copy_kept(at, start, own, self.dests[n], map)?;
                        }
                    }
                }
            } else if self.reduces() && (empty || self.geometry.leaves_out(n) || sinks[n].combine) {
                let value = self.neutral(at, n)?;
                self.copy_all(at, value, self.dests[n]);
            }
        }
        Ok(())
    }

    /// The neutral element of an output
    pub(crate) fn neutral(&mut self, at: InsertPoint, out: usize) -> Done<Value> {
        let id = self.yields.place.iter().position(|place| *place == (out, 0)).unwrap_or(0);
        if !self.reduces() {
            // Nothing is combined with it: what a tile has beyond the result is there, and is left out when the tile is written.
            let (cx, ty) = (self.ir.cx(), self.ir.ty(self.dests[out]));
            let elem = ty.element(cx).unwrap_or(cx.common().f32);
            let zero = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
            return Ok(scalar::constant(&mut self.b(at), zero));
        }
        let Some(identity) = self.yields.identity[id] else {
            return Err("an operator without identity: nothing stands for what is missing".into());
        };
        Ok(scalar::constant(&mut self.b(at), identity))
    }

    /// A copy before the loops: as it is, or on a device with a grid a launch of its own
    fn place_copy(&mut self, at: InsertPoint, spec: &CopySpec) {
        if !self.plan.kernel {
            spec.build(&mut self.b(at));
            return;
        }
        let last = spec.domain.len().checked_sub(1);
        let size = |n: usize| spec.domain[n].max(0);
        let threads = last.map_or(1, |n| LINE.min(size(n).max(1)));
        // Long dimensions are no second or third axis: these have fewer blocks.
        let spread: Vec<usize> =
            (0..spec.domain.len()).rev().filter(|n| Some(*n) == last || size(*n) <= ACROSS).take(3).collect();
        let mut grid = [1; 3];
        for (axis, n) in spread.iter().enumerate() {
            let tile = if axis == 0 { threads } else { 1 };
            grid[axis] = (size(*n) as u64).div_ceil(tile as u64).max(1) as i64;
        }
        let name = format!("{}_start", self.view.name.as_deref().unwrap_or("compute"));
        let kernel = sched::Kernel::make(&mut self.b(at), &name, grid, [threads, 1, 1]);
        let body = kernel.body(self.ir);
        let mut at = InsertPoint::End(self.ir.entry(body).expect("just built with a block"));
        let mut dims = Dims::default();
        let mut coords: Vec<AffineExpr> = Vec::new();
        let mut order: Vec<(usize, i64, Level)> = Vec::new();
        for (axis, n) in spread.iter().copied().enumerate() {
            order.push((n, if axis == 0 { threads } else { 1 }, Level::Block(sched::Axis::ALL[axis])));
        }
        order.extend((0..spec.domain.len()).filter(|n| !spread.contains(n)).map(|n| (n, 1, Level::Seq)));
        order.extend(last.filter(|_| threads > 1).map(|n| (n, 0, Level::Thread(sched::Axis::X))));
        coords.resize(spec.domain.len(), 0.into());
        for (n, tile, level) in order {
            let mut one =
                LoopSpec { extent: size(n), tile, dim: Some(n as i64), level, ..Default::default() };
            if tile == 0 {
                (one.extent, one.tile) = (threads, 1);
                let left = AffineExpr::sub(AffineExpr::Constant(size(n)), coords[n].clone());
                let cut = size(n) % threads != 0;
                let access = if cut { dims.clone().access(vec![left]) } else { None };
                one.limit = access.map(|access| sched::Bound { map: access.map, values: access.values });
            }
            let inner = one.build(&mut self.b(at));
            let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
            let iv = dims.value(self.ir.block_args(block)[0]);
            coords[n] = AffineExpr::add(coords[n].clone(), iv);
            at = self.inside(inner);
        }
        let place = |access: &Access| {
            let results: Option<Vec<AffineExpr>> =
                access.map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            results.and_then(|results| dims.clone().access(results))
        };
        let (from, to) = (spec.from.as_ref().and_then(place), place(&spec.to));
        let value = match from {
            Some(from) => {
                let mut b = self.b(at);
                let read = sched::Read::make(&mut b, spec.src, &from, None).id();
                b.read().result(read, 0)
            }
            None => spec.src,
        };
        if let Some(to) = to {
            sched::Write::make(&mut self.b(at), value, spec.dst, &to, None);
        }
    }

    /// Every element of a buffer, from a buffer of its shape or from a value
    pub(crate) fn copy_all(&mut self, at: InsertPoint, from: Value, to: Value) {
        let spec = CopySpec::whole(self.ir, from, to);
        self.place_copy(at, &spec);
    }

    /// For every kept coordinate an element from one place to another
    pub(crate) fn copy_kept(
        &mut self,
        at: InsertPoint,
        from: Value,
        source: &AffineMap,
        to: Value,
        target: &AffineMap,
    ) -> Done<()> {
        let dims = &self.view.dims;
        let kept: Vec<usize> = (0..dims.len()).filter(|n| dims[*n].kind.kept()).collect();
        let place = |n: usize| kept.iter().position(|m| *m == n);
        let coords: Vec<AffineExpr> =
            (0..dims.len()).map(|n| place(n).map_or(0.into(), |at| AffineExpr::Dim(at as u32))).collect();
        let access = |map: &AffineMap| {
            let results: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            let map = AffineMap::new(kept.len() as u32, 0, results?)?;
            Some(Access { map, values: Vec::new() })
        };
        let too_deep = "an index function is too deep";
        let domain = kept.iter().map(|n| dims[*n].size).collect();
        let (read, written) = (access(source).ok_or(too_deep)?, access(target).ok_or(too_deep)?);
        let spec = CopySpec {
            names: kept.iter().map(|n| dims[*n].name.clone()).collect(),
            ..CopySpec::new(domain, (from, Some(read)), (to, written))
        };
        self.place_copy(at, &spec);
        Ok(())
    }
}
