//! Copies that threads of a block or a warp run together: each every n-th element, in the order of their numbers.

use crate::codes;
use crate::emit::{Emit, Res};
use crate::state::Grid;
use terrace_analysis::Range;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_sched::{Copy, Per};
use terrace_ir::{OpId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

impl Emit<'_> {
    /// A copy that the threads of the block run together, each every n-th element
    pub fn collective(&mut self, op: OpId) -> Res<()> {
        let copy = Copy(op);
        let Some(threads) = self.grid.as_ref().map(Grid::threads) else {
            return self.refuse(
                op,
                &codes::COLLECTIVE,
                "is run by a block, but there is no kernel around it",
                "",
            );
        };
        let owner = copy.owner(self.ir).unwrap_or(Per::Block);
        let members = match owner {
            Per::Block => threads,
            Per::Warp => self.grid.as_ref().map_or(1, |grid| grid.subgroup.min(threads)),
            Per::Cluster => {
                return self.refuse(
                    op,
                    &codes::COLLECTIVE,
                    "is run by a cluster of blocks, and `gpu` has no barrier for these",
                    "copy `per block`, or use one kernel before",
                );
            }
            Per::Task => {
                return self.refuse(
                    op,
                    &codes::COLLECTIVE,
                    "is run by a task, but stands in a kernel",
                    "say `per block`",
                );
            }
        };
        let sizes = copy.sizes(self.ir);
        let total = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).unwrap_or(i64::MAX);
        if total == 0 {
            return Ok(());
        }
        let id = if owner == Per::Warp { self.lane_number() } else { self.linear_id() };
        self.depth += 1;
        let (step, end) = (self.index(members), self.index(total));
        let done = if total < members {
            let mine = self.compare(CmpIPredicate::Slt, id, end);
            self.choose(mine, &[], &mut |e| e.element(copy, &sizes, id).map(|()| Vec::new()), &mut |_| {
                Ok(Vec::new())
            })
            .map(|_| ())
        } else if total == members {
            self.element(copy, &sizes, id)
        } else {
            self.loop_over([id, end, step], &[], &mut |e, iv, _| {
                e.declare(iv, Range::below(total));
                e.element(copy, &sizes, iv).map(|()| Vec::new())
            })
            .map(|_| ())
        };
        self.depth -= 1;
        done
    }

    /// The element of a copy with this number, row-major
    fn element(&mut self, copy: Copy, sizes: &[i64], number: Value) -> Res<()> {
        let op = copy.0;
        let mut leaves = Vec::with_capacity(sizes.len());
        let mut inner: i64 = 1;
        for size in sizes.iter().rev() {
            let tile = AffineExpr::floor_div(AffineExpr::Dim(0), AffineExpr::Constant(inner));
            leaves.push(AffineExpr::modulo(tile, AffineExpr::Constant(*size)));
            inner = inner.saturating_mul(*size);
        }
        leaves.reverse();
        let over = |map: &AffineMap, values: &[Value]| {
            let mut leaves = leaves.clone();
            leaves.extend((0..values.len()).map(|n| AffineExpr::Dim(1 + n as u32)));
            let exprs = map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<Vec<_>>>();
            let map = AffineMap::new(1 + values.len() as u32, 0, exprs?)?;
            let mut all = vec![number];
            all.extend_from_slice(values);
            Some((map, all))
        };
        let value = match copy.from(self.ir) {
            Some(from) => {
                let Some((map, values)) = over(&from.map, &from.values) else { return Ok(()) };
                let place = self.place(&map, &values);
                let (memory, shape, elem) = self.memory(op, copy.src(self.ir))?;
                let padding = match copy.padding(self.ir).map(|padding| self.get(padding)) {
                    Some(val) => self.scalar(val),
                    None => None,
                };
                self.read_one(memory, &shape, elem, &place, padding, None)?
            }
            None => {
                let val = self.get(copy.src(self.ir));
                self.whole(val)
            }
        };
        let to = copy.to(self.ir);
        let Some((map, values)) = over(&to.map, &to.values) else { return Ok(()) };
        let place = self.place(&map, &values);
        let (memory, shape, _) = self.memory(op, copy.dst(self.ir))?;
        let operator = copy.operator(self.ir);
        let clip = copy.clip(self.ir).is_some();
        // Blocks that split a reduction meet in what their copies merge into.
        let atomic = match operator {
            Some(_) => self.check_teams(op, copy.dst(self.ir))?,
            None => false,
        };
        self.write_one(op, value, memory, &shape, &place, operator.as_ref(), clip, None, (atomic, None))
    }
}
