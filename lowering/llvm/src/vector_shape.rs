//! `vector`: elements in another order or shape, and combining along dimensions.

use crate::check::any;
use crate::emit::{Emitter, Lowering};
use crate::form::VectorForm;
use crate::raw::{Opcode, V};
use crate::vector::{combine, is_float, kind, lane, row_at, row_point, under_mask};
use terrace_dialect_vector as vector;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    MultiReduction any, multi_reduction;
    OuterProduct any, outer_product;
    ShapeCast any, shape_cast;
    Shuffle any, shuffle;
    Step any, step;
    Transpose any, transpose;
};

fn step(e: &mut Emitter<'_>, op: OpId) {
    let lanes = e.vector_of(e.ir.result(op, 0)).lanes();
    let all: Vec<V> = (0..lanes).map(|n| e.ll.const_i64(n.into())).collect();
    e.set_result(op, 0, vec![e.ll.const_vector(&all)]);
}

/// Rows of leading elements; for one dimension lanes of two rows
fn shuffle(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::Shuffle(op);
    let (first, second) = (op_.v1(e.ir), op_.v2(e.ir));
    let (a, b) = (e.vector_of(first), e.vector_of(second));
    let (a_parts, b_parts) = (e.get(first), e.get(second));
    let places = op_.places(e.ir).to_vec();
    if a.shape.len() > 1 {
        let each = a.shape[1..a.shape.len() - 1].iter().product::<i64>() as usize;
        let poison = e.ll.poison(e.part_type(first));
        let all = [&a_parts[..], &b_parts[..]].concat();
        let rows = places.iter().flat_map(|at| {
            (0..each).map(|n| if *at < 0 { poison } else { all[*at as usize * each + n] }).collect::<Vec<V>>()
        });
        let rows: Vec<V> = rows.collect();
        return e.set_result(op, 0, rows);
    }
    let row = if a.lanes() == b.lanes() {
        e.ll.shuffle(a_parts[0], b_parts[0], &places)
    } else {
        // LLVM shuffles rows of one length: the shorter one is padded.
        let wide = a.lanes().max(b.lanes());
        let (x, y) = (widen(e, a_parts[0], a.lanes(), wide), widen(e, b_parts[0], b.lanes(), wide));
        let shift = i64::from(wide - a.lanes());
        let places: Vec<i64> =
            places.iter().map(|at| if *at >= i64::from(a.lanes()) { at + shift } else { *at }).collect();
        e.ll.shuffle(x, y, &places)
    };
    e.set_result(op, 0, vec![row]);
}

/// A row with poison lanes behind
fn widen(e: &Emitter<'_>, row: V, lanes: u32, wide: u32) -> V {
    if lanes == wide {
        return row;
    }
    let places: Vec<i64> = (0..i64::from(wide)).map(|n| if n < i64::from(lanes) { n } else { -1 }).collect();
    e.ll.shuffle(row, e.ll.poison(e.ll.type_of(row)), &places)
}

/// Two rows of one length behind each other
fn join(e: &Emitter<'_>, a: V, b: V, lanes: u32) -> V {
    let places: Vec<i64> = (0..2 * i64::from(lanes)).collect();
    e.ll.shuffle(a, b, &places)
}

/// The same elements in rows of another length
fn regroup(e: &Emitter<'_>, to: &VectorForm, rows: &[V], from_lanes: u32) -> Vec<V> {
    let to_lanes = to.lanes();
    if from_lanes == to_lanes {
        return rows.to_vec();
    }
    if from_lanes.is_multiple_of(to_lanes) {
        let cut = |row: &V, n: u32| {
            let places: Vec<i64> = (0..to_lanes).map(|lane| i64::from(n * to_lanes + lane)).collect();
            e.ll.shuffle(*row, e.ll.poison(e.ll.type_of(*row)), &places)
        };
        return rows.iter().flat_map(|row| (0..from_lanes / to_lanes).map(move |n| cut(row, n))).collect();
    }
    if to_lanes.is_multiple_of(from_lanes) && (to_lanes / from_lanes).is_power_of_two() {
        let (mut rows, mut lanes) = (rows.to_vec(), from_lanes);
        while lanes < to_lanes {
            rows = rows.chunks(2).map(|pair| join(e, pair[0], pair[1], lanes)).collect();
            lanes *= 2;
        }
        return rows;
    }
    let all: Vec<V> = rows.iter().flat_map(|row| (0..from_lanes).map(|n| lane(e, *row, n.into()))).collect();
    from_elements(e, to, all)
}

/// A vector of single elements
pub(crate) fn from_elements(e: &Emitter<'_>, to: &VectorForm, all: Vec<V>) -> Vec<V> {
    let poison = e.ll.poison(e.ll.vector(e.elem_type(to.elem), to.lanes()));
    all.chunks(to.lanes() as usize)
        .map(|row| {
            (0i64..)
                .zip(row)
                .fold(poison, |vector, (n, one)| e.ll.insert_element(vector, *one, e.ll.const_i64(n)))
        })
        .collect()
}

fn shape_cast(e: &mut Emitter<'_>, op: OpId) {
    let source = vector::ShapeCast(op).source(e.ir);
    let (from, to) = (e.vector_of(source), e.vector_of(e.ir.result(op, 0)));
    let rows = regroup(e, &to, &e.get(source), from.lanes());
    e.set_result(op, 0, rows);
}

fn transpose(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::Transpose(op);
    let (source, order) = (op_.vector(e.ir), op_.order(e.ir).to_vec());
    let (from, to) = (e.vector_of(source), e.vector_of(op_.result(e.ir)));
    let parts = e.get(source);
    let rows = transposed(e, &from, &to, &parts, &order);
    e.set_result(op, 0, rows);
}

/// Coordinates in the operand of a point of the result
fn back(order: &[i64], point: &[i64]) -> Vec<i64> {
    let mut own = vec![0; point.len()];
    for (to, from) in order.iter().enumerate() {
        own[*from as usize] = point[to];
    }
    own
}

fn transposed(e: &Emitter<'_>, from: &VectorForm, to: &VectorForm, parts: &[V], order: &[i64]) -> Vec<V> {
    let rank = from.shape.len();
    if rank < 2 {
        return parts.to_vec();
    }
    if order[rank - 1] == rank as i64 - 1 {
        // Rows as such go to other places.
        let row = |n: usize| {
            let point = row_point(&to.shape, n);
            let own = back(&order[..rank - 1], &point);
            parts[row_at(&from.shape, &own)]
        };
        return (0..to.parts()).map(row).collect();
    }
    let plain: Vec<i64> = from.shape.iter().copied().filter(|size| *size != 1).collect();
    let moved: Vec<i64> = order.iter().copied().filter(|n| from.shape[*n as usize] != 1).collect();
    if moved.is_sorted() {
        return regroup(e, to, parts, from.lanes());
    }
    if let [m, n] = plain[..]
        && m.count_ones() == 1
        && n.count_ones() == 1
        && from.lanes() == n as u32
    {
        return regroup(e, to, &interleaved(e, parts, n as u32), n as u32);
    }
    let mut all = Vec::with_capacity(to.count());
    for row in 0..to.parts() {
        for n in 0..i64::from(to.lanes()) {
            let point = [&row_point(&to.shape, row)[..], &[n]].concat();
            let own = back(order, &point);
            all.push(lane(e, parts[row_at(&from.shape, &own[..rank - 1])], own[rank - 1]));
        }
    }
    from_elements(e, to, all)
}

/// A matrix of powers of two, transposed as one sequence of elements
///
/// One stage interleaves the first half of the sequence with the second: the number of an element is rotated left by one
/// bit. After as many stages as the row number has bits, it stands behind the column number.
fn interleaved(e: &Emitter<'_>, rows: &[V], lanes: u32) -> Vec<V> {
    let (half, lanes) = (rows.len() / 2, i64::from(lanes));
    let mut rows = rows.to_vec();
    let pair =
        |first: i64| -> Vec<i64> { (0..lanes).map(|n| (first + n) / 2 + (first + n) % 2 * lanes).collect() };
    for _ in 0..rows.len().trailing_zeros() {
        rows = (0..half)
            .flat_map(|n| [pair(0), pair(lanes)].map(|places| e.ll.shuffle(rows[n], rows[n + half], &places)))
            .collect();
    }
    rows
}

/// In row order, the accumulator first
fn multi_reduction(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::MultiReduction(op);
    let (source, acc) = (op_.source(e.ir), op_.acc(e.ir));
    let from = e.vector_of(source);
    let (parts, mut result) = (e.get(source), e.get(acc).to_vec());
    let gone = op_.dims(e.ir).to_vec();
    let rank = from.shape.len();
    let keeps = |n: usize| !gone.contains(&(n as i64));
    let to = e.vector_of(acc);
    let how = combine(kind(e, op), is_float(from.elem));
    let own = |point: &[i64]| -> Vec<i64> {
        point.iter().enumerate().filter(|(n, _)| keeps(*n)).map(|(_, at)| *at).collect()
    };
    if keeps(rank - 1) {
        for (n, part) in parts.iter().enumerate() {
            let point = own(&row_point(&from.shape, n));
            let at = row_at(&to.shape, &point);
            let combined = how.two(e, result[at], *part, 0);
            result[at] = under(e, n, combined, result[at]);
        }
        return e.set_result(op, 0, result);
    }
    let is_vector = e.is_vector(acc);
    let mut all: Vec<V> = if is_vector {
        let lanes = i64::from(to.lanes());
        result.iter().flat_map(|row| (0..lanes).map(|n| lane(e, *row, n)).collect::<Vec<V>>()).collect()
    } else {
        result
    };
    for (n, part) in parts.iter().enumerate() {
        let point = own(&row_point(&from.shape, n));
        let at = row_at(&to.shape, &point);
        let part = under_mask(e, kind(e, op), from.elem, *part, n);
        all[at] = how.row(e, from.elem, part, Some(all[at]), 0);
    }
    let parts = if is_vector { from_elements(e, &to, all) } else { all };
    e.set_result(op, 0, parts);
}

/// Each element of the first times the second, combined with the accumulator's row
fn outer_product(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::OuterProduct(op);
    let (lhs, rhs) = (op_.lhs(e.ir), op_.rhs(e.ir));
    let left = e.vector_of(lhs);
    let float = is_float(left.elem);
    let name = kind(e, op);
    let how = combine(name, float);
    let acc = op_.acc(e.ir).map(|acc| e.get(acc));
    let (a, b) = (e.one(lhs), e.one(rhs));
    let rows: Vec<(V, V)> = if e.is_vector(rhs) {
        let lanes = e.vector_of(rhs).lanes();
        (0..i64::from(left.lanes())).map(|n| (e.ll.splat(lane(e, a, n), lanes), b)).collect()
    } else {
        vec![(a, e.ll.splat(b, left.lanes()))]
    };
    let product = if float { Opcode::LLVMFMul } else { Opcode::LLVMMul };
    let one = |(n, (x, y)): (usize, &(V, V))| match acc.as_ref().map(|acc| acc[n]) {
        Some(acc) if float && name == "add" => {
            e.ll.intrinsic("llvm.fmuladd", &[e.ll.type_of(*x)], &[*x, *y, acc])
        }
        Some(acc) => how.two(e, e.ll.bin(product, *x, *y), acc, 0),
        None => e.ll.bin(product, *x, *y),
    };
    let kept = |n: usize, row: V| {
        let old = acc.as_ref().map_or_else(|| e.ll.poison(e.ll.type_of(row)), |acc| acc[n]);
        under(e, n, row, old)
    };
    let parts: Vec<V> = rows.iter().enumerate().map(|(n, row)| kept(n, one((n, row)))).collect();
    e.set_result(op, 0, parts);
}

/// A row where a mask around the op is set, else another
fn under(e: &Emitter<'_>, n: usize, row: V, other: V) -> V {
    e.under.as_ref().map_or(row, |under| e.ll.select(under.mask[n], row, other))
}
