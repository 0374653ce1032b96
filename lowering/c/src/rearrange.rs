//! Vectors built from parts of others, and lanes from anywhere in memory.

use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::Expr;
use crate::literals::integers;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::vector::points;
use crate::vector_type::Vector;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, Context, OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { vector:
    Deinterleave any, |e, op| e.deinterleave(vector::Deinterleave(op));
    ExtractStridedSlice any, |e, op| e.extract_slice(vector::ExtractStridedSlice(op));
    FromElements any, |e, op| e.vector_of_elements(vector::FromElements(op));
    Gather any, |e, op| e.gather(vector::Gather(op));
    InsertStridedSlice any, |e, op| e.insert_slice(vector::InsertStridedSlice(op));
    Interleave any, |e, op| e.interleave(vector::Interleave(op));
    Scatter to_memory, |e, op| e.scatter(vector::Scatter(op));
    ShapeCast any, |e, op| e.shape_cast(vector::ShapeCast(op));
    Shuffle any, |e, op| e.vector_shuffle(vector::Shuffle(op));
    ToElements any, |e, op| e.elements_of_vector(vector::ToElements(op));
    Transpose any, |e, op| e.transpose(vector::Transpose(op));
};

pub(crate) static HOST: &[Lowering] = rows! { vector:
    BitCast whole_bytes, |e, op| e.vector_bits(vector::BitCast(op));
};

fn to_memory(c: &Check<'_>, op: OpId) -> Checked {
    if c.ir.num_results(op) == 0 { Ok(()) } else { Err(Refusal::from("")) }
}

/// Masks are bytes in C and bits in the IR
fn whole_bytes(c: &Check<'_>, op: OpId) -> Checked {
    let cast = vector::BitCast(op);
    let both = [cast.source(c.ir), cast.result(c.ir)].map(|value| Vector::of(c.cx(), c.ir.ty(value)));
    let bits = both.iter().flatten().any(|vector| vector.elem == Scalar::Bool);
    if bits && both.iter().all(Option::is_some) { Err(Refusal::from("")) } else { Ok(()) }
}

/// The integers of an attribute
fn numbers(cx: &Context, attr: Attr) -> Vec<i64> {
    let all = integers(cx, attr).unwrap_or_default();
    all.into_iter().filter_map(|n| i64::try_from(n).ok()).collect()
}

/// Lanes at places that a vector says
struct Places {
    base: Value,
    offsets: Vec<Value>,
    indices: Value,
    mask: Value,
    /// What is written, or what stays where nothing is read
    value: Value,
}

impl Emit<'_> {
    /// Lanes of a vector, as expressions that may be written in any number
    fn all_lanes(&mut self, op: OpId, value: Value) -> Done<Vec<Expr>> {
        let vector = self.vector(op, self.ir.ty(value))?;
        let name = self.leaf(value).text;
        Ok((0..vector.lanes()).map(|n| Expr::atom(self.lang.lane(&vector, &name, &n.to_string()))).collect())
    }

    fn vector_of_elements(&mut self, list: vector::FromElements) -> Done {
        let vector = self.vector(list.id(), self.ir.ty(list.dest(self.ir)))?;
        let lanes: Vec<Expr> =
            list.elements(self.ir).into_iter().map(|value| self.values.expr(value)).collect();
        self.listed(list.id(), &vector, &lanes)
    }

    fn elements_of_vector(&mut self, elements: vector::ToElements) -> Done {
        let lanes = self.all_lanes(elements.id(), elements.source(self.ir))?;
        for (result, lane) in elements.elements(self.ir).into_iter().zip(lanes) {
            self.bind(elements.id(), result, lane)?;
        }
        Ok(())
    }

    fn shape_cast(&mut self, cast: vector::ShapeCast) -> Done {
        let e = self.values.expr(cast.source(self.ir));
        self.bind(cast.id(), cast.result(self.ir), e)
    }

    fn extract_slice(&mut self, slice: vector::ExtractStridedSlice) -> Done {
        let (ir, op, source) = (self.ir, slice.id(), slice.source(self.ir));
        let from = self.vector(op, ir.ty(source))?;
        let to = self.vector(op, ir.ty(slice.result(ir)))?;
        let offsets = numbers(self.ir.cx(), slice.offsets(ir));
        let numbers: Vec<usize> = points(&to.shape)
            .map(|point| {
                let at = point.iter().zip(&from.shape).enumerate();
                at.fold(0, |sum, (n, (at, size))| {
                    sum * *size as usize + at + offsets.get(n).map_or(0, |offset| *offset as usize)
                })
            })
            .collect();
        self.picked(op, source, &numbers)
    }

    fn insert_slice(&mut self, slice: vector::InsertStridedSlice) -> Done {
        let (ir, op) = (self.ir, slice.id());
        let (value, into) = (slice.value(ir), slice.dest(ir));
        let (from, to) = (self.vector(op, ir.ty(value))?, self.vector(op, ir.ty(into))?);
        let offsets = numbers(self.ir.cx(), slice.offsets(ir));
        let (given, old) = (self.all_lanes(op, value)?, self.all_lanes(op, into)?);
        let lead = to.shape.len().saturating_sub(from.shape.len());
        let lanes: Vec<Expr> = points(&to.shape)
            .enumerate()
            .map(|(n, point)| {
                let mut at = Some(0usize);
                for (dim, place) in point.iter().enumerate() {
                    let offset = offsets.get(dim).map_or(0, |offset| *offset as usize);
                    let size = if dim < lead { 1 } else { from.shape[dim - lead] as usize };
                    let inside = place.checked_sub(offset).filter(|place| *place < size);
                    at = at.zip(inside).map(|(at, place)| at * size + place);
                }
                at.and_then(|at| given.get(at)).unwrap_or(&old[n]).clone()
            })
            .collect();
        self.listed(op, &to, &lanes)
    }

    /// Lanes of both, alternating
    fn interleave(&mut self, interleave: vector::Interleave) -> Done {
        let (ir, op) = (self.ir, interleave.id());
        let to = self.vector(op, ir.ty(interleave.result(ir)))?;
        let a = self.all_lanes(op, interleave.lhs(ir))?;
        let b = self.all_lanes(op, interleave.rhs(ir))?;
        let lanes: Vec<Expr> = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
        self.listed(op, &to, &lanes)
    }

    /// Every other lane, from the first and from the second on
    fn deinterleave(&mut self, deinterleave: vector::Deinterleave) -> Done {
        let (ir, op) = (self.ir, deinterleave.id());
        let lanes = self.all_lanes(op, deinterleave.source(ir))?;
        for (n, result) in [deinterleave.res1(ir), deinterleave.res2(ir)].into_iter().enumerate() {
            let to = self.vector(op, ir.ty(result))?;
            let part: Vec<Expr> = lanes.iter().skip(n).step_by(2).cloned().collect();
            let e = self.helpers.list(&to, &part);
            self.bind(op, result, e)?;
        }
        Ok(())
    }

    fn vector_shuffle(&mut self, shuffle: vector::Shuffle) -> Done {
        let (ir, op) = (self.ir, shuffle.id());
        let (first, second) = (shuffle.v1(ir), shuffle.v2(ir));
        let (a, b) = (self.vector(op, ir.ty(first))?, self.vector(op, ir.ty(second))?);
        let to = self.vector(op, ir.ty(shuffle.vector(ir)))?;
        let mask = shuffle.mask(ir).as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        let (x, y) = (self.leaf(first).text, self.leaf(second).text);
        // Leading dimensions are chosen; what lies below goes along.
        let rows = a.shape.first().copied().unwrap_or(1).max(1) as usize;
        let below = a.lanes() / rows;
        let mut lanes = Vec::new();
        for row in mask {
            let row = usize::try_from(row).unwrap_or(0);
            for n in 0..below {
                lanes.push(Expr::atom(match row < rows {
                    true => self.lang.lane(&a, &x, &(row * below + n).to_string()),
                    false => self.lang.lane(&b, &y, &((row - rows) * below + n).to_string()),
                }));
            }
        }
        self.listed(op, &to, &lanes)
    }

    fn transpose(&mut self, transpose: vector::Transpose) -> Done {
        let (ir, op, source) = (self.ir, transpose.id(), transpose.vector(self.ir));
        let from = self.vector(op, ir.ty(source))?;
        let to = self.vector(op, ir.ty(transpose.result(ir)))?;
        let order = transpose.permutation(ir).as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        if order.len() != from.shape.len() || to.shape.len() != from.shape.len() {
            return self.unknown(op);
        }
        let numbers: Vec<usize> = points(&to.shape)
            .map(|point| {
                let mut at = vec![0; point.len()];
                for (n, dim) in order.iter().enumerate() {
                    if let Some(place) = usize::try_from(*dim).ok().and_then(|dim| at.get_mut(dim)) {
                        *place = point[n];
                    }
                }
                at.iter().zip(&from.shape).fold(0, |sum, (n, size)| sum * *size as usize + n)
            })
            .collect();
        self.picked(op, source, &numbers)
    }
    fn gather(&mut self, gather: vector::Gather) -> Done {
        let (ir, op) = (self.ir, gather.id());
        let (base, offsets, indices, mask) =
            (gather.base(ir), gather.offsets(ir), gather.indices(ir), gather.mask(ir));
        let call =
            self.scattered(op, &Places { base, offsets, indices, mask, value: gather.pass_thru(ir) }, false)?;
        self.bind(op, gather.result(ir), Expr { reads: true, ..call })
    }

    fn scatter(&mut self, scatter: vector::Scatter) -> Done {
        let (ir, op) = (self.ir, scatter.id());
        let (base, offsets, indices, mask) =
            (scatter.base(ir), scatter.offsets(ir), scatter.indices(ir), scatter.mask(ir));
        let call =
            self.scattered(op, &Places { base, offsets, indices, mask, value: scatter.value(ir) }, true)?;
        self.flush();
        self.text.line(&format!("{};", call.text));
        Ok(())
    }

    /// The call of a helper that reads or writes lanes at places that a vector says
    fn scattered(&mut self, op: OpId, at: &Places, write: bool) -> Done<Expr> {
        let (ir, Places { base, offsets, indices, mask, value }) = (self.ir, at);
        let view = self.values.view(*base)?;
        let [vector, places, masks] =
            [value, indices, mask].map(|value| Vector::of(self.ir.cx(), ir.ty(*value)));
        let (Some(vector), Some(places), Some(masks)) = (vector, places, masks) else {
            return self.vector(op, ir.ty(*value)).and_then(|_| self.unknown(op));
        };
        let flat = Vector { shape: vec![vector.lanes() as i64], ..vector.clone() };
        let pointer = self.pointer_to(op, &view, offsets, &Vector { shape: vec![1], ..vector.clone() })?;
        let c_type = self.helpers.vector_type(&flat);
        let params = vec![
            self.helpers.pointer_param(&view, &vector, write),
            format!("{} places", self.helpers.vector_type(&places)),
            format!("{} mask", self.helpers.vector_type(&masks)),
            format!("{c_type} v"),
        ];
        let place = self.lang.lane(&places, "places", "l");
        let (test, lane) = (self.lang.lane(&masks, "mask", "l"), self.lang.lane(&vector, "v", "l"));
        let (result, body) = match write {
            true => (
                "void",
                format!("{}\n    if ({test}) at[{place}] = {lane};", self.helpers.lanes_loop(vector.lanes())),
            ),
            false => (
                c_type.as_str(),
                self.helpers.lanes_body(&vector, &c_type, "", &format!("{test} ? at[{place}] : {lane}")),
            ),
        };
        let name = if write { "scatter" } else { "gather" };
        let suffix = self.lang.space_suffix(view.space);
        let wanted = format!("{name}_{}_{}{suffix}", vector.name(), places.elem.suffix());
        let function = self.helpers.vector_helper(&wanted, result, &params, &body);
        let args = [pointer, self.values.expr(*indices), self.values.expr(*mask), self.values.expr(*value)];
        Ok(Expr::call(&function, &args.iter().collect::<Vec<_>>()))
    }

    /// `vector.bitcast`: the same bits in other lanes
    fn vector_bits(&mut self, cast: vector::BitCast) -> Done {
        let (ir, op) = (self.ir, cast.id());
        let (source, result) = (cast.source(ir), cast.result(ir));
        let (from, to) = (self.vector(op, ir.ty(source))?, self.vector(op, ir.ty(result))?);
        self.helpers.include("#include <string.h>");
        let (from_type, to_type) = (self.helpers.vector_type(&from), self.helpers.vector_type(&to));
        let body = format!("  {to_type} r;\n  memcpy(&r, &v, sizeof r);\n  return r;");
        let wanted = format!("bits_{}_{}", from.name(), to.name());
        let function = self.helpers.vector_helper(&wanted, &to_type, &[format!("{from_type} v")], &body);
        let e = self.values.expr(source);
        self.bind(op, result, Expr::call(&function, &[&e]))
    }
}
