//! Copies that exchange rows and columns: the two loops that find neighbors are innermost.
//!
//! ```mlir
//! sched.copy (%c, %k, %f) in (13, 19, 17) %A[%f, %k, %c] to %T[%c, %k, %f]
//! // becomes loops over k, c, f
//! ```
//!
//! Elements of a copy may be copied in any order. Next to each other, the two loops are squares of vectors in registers
//! (`scf-transpose-copies`); with another one between them each element would be copied by itself.

use super::inside::{self, Ends};
use terrace_dialect_sched::Copy;
use terrace_dialect_sched::access::Access;
use terrace_ir::Ir;

/// Bytes of the elements of squares
const BYTES: [u32; 2] = [4, 8];

/// The variables whose loops stand innermost, outer one first; none where the copy's own order is as good
///
/// `within` has the first and last coordinates of each variable, which may depend on variables around it.
pub(super) fn of(ir: &Ir, copy: Copy, sizes: &[i64], within: &[Ends]) -> Option<[usize; 2]> {
    let from = copy.from(ir).filter(|_| copy.operator(ir).is_none())?;
    let shape = |side| ir.ty(side).shape(ir.cx());
    let read = inside::neighbors(&from.map, shape(copy.src(ir))?, sizes)?;
    let written = inside::neighbors(&copy.to(ir).map, shape(copy.dst(ir))?, sizes)?;
    let bits = ir.ty(copy.dst(ir)).scalar(ir.cx()).bit_width(ir.cx())?;
    let moving: Vec<usize> = (0..sizes.len()).filter(|n| sizes[*n] > 1).collect();
    let innermost = moving.get(moving.len().checked_sub(2)?..)?;
    let stands = innermost.contains(&read) && innermost.contains(&written);
    if read == written || stands || !BYTES.iter().any(|bytes| bytes * 8 == bits) {
        return None;
    }
    // An end may follow from variables in front only.
    let place =
        |n: usize| [read, written].iter().position(|inner| *inner == n).map_or(n, |at| sizes.len() + at);
    let uses = |end: &Access, dim: usize| end.map.results.iter().any(|expr| expr.uses_dim(dim as u32));
    let in_front =
        |n: usize, end: &Access| (0..sizes.len()).all(|dim| !uses(end, dim) || place(dim) < place(n));
    let follow = |(n, ends): (usize, &Ends)| ends.iter().flatten().all(|end| in_front(n, end));
    within.iter().enumerate().all(follow).then_some([read, written])
}
