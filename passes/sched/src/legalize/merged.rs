//! Copies that exchange rows and columns, where several variables together go through neighbors on both sides: one variable for them.
//!
//! ```mlir
//! sched.copy (%c, %s, %r, %k) in (512, 3, 3, 32) %B[%k + %x, %c, %s, %r] to %P[%c, %s, %r, %k]
//! // becomes a copy between views
//! sched.copy (%c, %k) in (4608, 32) %Bv[%k + %x, %c] to %Pv[%c, %k]
//! ```
//!
//! Rows of three elements have no squares (`scf-transpose-copies`), rows of 4608 have.

use super::VECTOR_BYTES;
use terrace_dialect_memref::CollapseShape;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Copy, CopySpec, NONTEMPORAL};
use terrace_dialect_shapes::reassociation;
use terrace_ir::{Builder, Ir, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Vectors of a row that outweigh what they leave over
const VECTORS: i64 = 4;

/// One side of a copy: the map, and the shape of the buffer
struct Side {
    access: Access,
    shape: Vec<i64>,
}

impl Side {
    fn of(ir: &Ir, buffer: Value, access: Access) -> Option<Side> {
        let TypeKind::MemRef { shape, layout: None, .. } = ir.ty(buffer).kind(ir.cx()) else { return None };
        Some(Side { access, shape: shape.to_vec() })
    }

    /// The one index that a variable is in, with a coefficient of one and no other variable of so many
    fn axis(&self, variable: usize, sizes: &[i64]) -> Option<usize> {
        let results = &self.access.map.results;
        let mut used = (0..results.len()).filter(|axis| results[*axis].uses_dim(variable as u32));
        let axis = used.next().filter(|_| used.next().is_none())?;
        let alone = (0..sizes.len()).all(|n| n == variable || !results[axis].uses_dim(n as u32));
        let one = terrace_analysis::coefficient_of(&results[axis], variable as u32) == Some(1);
        (alone && one).then_some(axis)
    }

    /// Does a variable go through all of a row, and does the next row begin where another variable has its next value?
    fn goes_on(&self, [outer, inner]: [usize; 2], sizes: &[i64]) -> bool {
        let axes = self.axis(outer, sizes).zip(self.axis(inner, sizes));
        axes.is_some_and(|(outer, axis)| {
            let whole = self.access.map.results[axis] == AffineExpr::Dim(inner as u32);
            axis == outer + 1 && whole && self.shape[axis] == sizes[inner]
        })
    }

    fn neighbors(&self, sizes: &[i64]) -> Option<usize> {
        let last = self.shape.iter().rposition(|size| *size != 1)?;
        (0..sizes.len()).find(|n| self.axis(*n, sizes) == Some(last))
    }

    /// A view with the two axes as one, and the access to it
    fn joined(
        &self,
        b: &mut Builder<'_>,
        buffer: Value,
        [outer, inner]: [usize; 2],
        sizes: &[i64],
    ) -> Option<(Value, Access)> {
        let axis = self.axis(outer, sizes)?;
        let groups: Vec<Vec<i64>> = (0..self.shape.len() as i64)
            .filter(|n| *n != axis as i64 + 1)
            .map(|n| if n == axis as i64 { vec![n, n + 1] } else { vec![n] })
            .collect();
        let mut shape = self.shape.clone();
        let row = shape.remove(axis + 1);
        shape[axis] = shape[axis].checked_mul(row)?;
        // The outer variable counts elements of all rows now, and the inner one is gone.
        let place = |n: u32| match n as usize {
            n if n == outer || n == inner => 0.into(),
            n => AffineExpr::Dim((n - usize::from(n > inner)) as u32),
        };
        let map = &self.access.map;
        let places: Vec<AffineExpr> = (0..map.dims).map(place).collect();
        let mut results: Vec<AffineExpr> =
            map.results.iter().map(|expr| expr.replace(&places, &[])).collect::<Option<_>>()?;
        results.remove(axis + 1);
        let variable = AffineExpr::Dim((outer - usize::from(outer > inner)) as u32);
        results[axis] = AffineExpr::add(AffineExpr::mul(results[axis].clone(), row.into()), variable);
        let map = AffineMap::new(map.dims - 1, 0, results)?;
        let (elem, space) = match b.read().ty(buffer).kind(b.cx()) {
            TypeKind::MemRef { elem, space, .. } => (*elem, *space),
            _ => return None,
        };
        let ty = b.cx().ty(TypeKind::MemRef { shape: shape.into(), elem, layout: None, space });
        let groups = reassociation::of_groups(b.cx(), &groups);
        let view = CollapseShape::build(b, buffer, groups, ty).result(b.read());
        Some((view, Access { map, values: self.access.values.clone() }))
    }
}

/// The same copy with one variable in place of two, where it exchanges rows and columns
pub(super) fn of(ir: &mut Ir, copy: Copy, sizes: &[i64]) -> Option<Copy> {
    let (src, dst) = (copy.src(ir), copy.dst(ir));
    let from = Side::of(ir, src, copy.from(ir)?)?;
    let to = Side::of(ir, dst, copy.to(ir))?;
    let (read, written) = (from.neighbors(sizes)?, to.neighbors(sizes)?);
    if read == written || copy.operator(ir).is_some() {
        return None;
    }
    let bytes = i64::from(ir.ty(dst).scalar(ir.cx()).bit_width(ir.cx())?.div_ceil(8)).max(1);
    // Long rows, and those of whole vectors, have squares as they are.
    let short = |inner: usize| {
        let row = sizes[inner].saturating_mul(bytes);
        row < VECTORS * VECTOR_BYTES && row % VECTOR_BYTES != 0
    };
    let pair = [read, written].into_iter().find_map(|inner| {
        let goes_on = |outer: &usize| [&from, &to].iter().all(|one| one.goes_on([*outer, inner], sizes));
        (0..sizes.len()).filter(|_| short(inner)).find(goes_on).map(|outer| [outer, inner])
    })?;
    let mut spec = CopySpec::of(ir, copy);
    let (loc, past) = (ir.loc(copy.0), ir.discardable(copy.0, NONTEMPORAL));
    let mut b = Builder::before(ir, copy.0);
    b.set_loc(loc);
    let (src, from) = from.joined(&mut b, src, pair, sizes)?;
    let (dst, to) = to.joined(&mut b, dst, pair, sizes)?;
    let [outer, inner] = pair;
    spec.domain[outer] = spec.domain[outer].checked_mul(spec.domain[inner])?;
    spec.domain.remove(inner);
    if spec.names.len() == sizes.len() {
        spec.names.remove(inner);
    }
    (spec.src, spec.from, spec.dst, spec.to) = (src, Some(from), dst, to);
    let made = spec.build(&mut b);
    ir.set_discardable(made.0, NONTEMPORAL, past);
    ir.erase(copy.0);
    Some(made)
}
