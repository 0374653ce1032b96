//! Vectors made of parts of others, and lanes from anywhere in memory.

use crate::emit::{Done, Emit};
use crate::expr::Expr;
use crate::lanes::Vector;
use crate::vector::{points, space_suffix};
use terrace_ir::{OpId, Value};

impl Emit<'_> {
    /// The integers of an attribute
    fn numbers(&self, op: OpId, name: &str) -> Vec<i64> {
        let all = self.ir.attr(op, name).and_then(|attr| crate::arith::integers(self.cx, attr));
        all.unwrap_or_default().into_iter().filter_map(|n| i64::try_from(n).ok()).collect()
    }

    /// Lanes of a vector, as expressions that may be written in any number
    fn all_lanes(&mut self, op: OpId, value: Value) -> Done<Vec<Expr>> {
        let vector = self.vector(op, self.ir.ty(value))?;
        let name = self.leaf(value).text;
        Ok((0..vector.lanes())
            .map(|n| Expr::atom(self.flavor.lane(&vector, &name, &n.to_string())))
            .collect())
    }

    pub(crate) fn elements_listed(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let vector = self.vector(op, ir.ty(ir.result(op, 0)))?;
        let lanes: Vec<Expr> =
            ir.operands(op).collect::<Vec<_>>().into_iter().map(|value| self.expr(value)).collect();
        self.listed(op, &vector, &lanes)
    }

    pub(crate) fn elements_taken(&mut self, op: OpId) -> Done {
        let lanes = self.all_lanes(op, self.ir.operand(op, 0))?;
        for (result, lane) in self.ir.results(op).zip(lanes) {
            self.bind(op, result, lane)?;
        }
        Ok(())
    }

    pub(crate) fn extract_slice(&mut self, op: OpId) -> Done {
        let source = self.ir.operand(op, 0);
        let from = self.vector(op, self.ir.ty(source))?;
        let to = self.vector(op, self.ir.ty(self.ir.result(op, 0)))?;
        let offsets = self.numbers(op, "offsets");
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

    pub(crate) fn insert_slice(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (value, into) = (ir.operand(op, 0), ir.operand(op, 1));
        let (from, to) = (self.vector(op, ir.ty(value))?, self.vector(op, ir.ty(into))?);
        let offsets = self.numbers(op, "offsets");
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

    /// Lanes of both in turn; or back
    pub(crate) fn interleave(&mut self, op: OpId) -> Done {
        let (first, second) = (self.ir.operand(op, 0), self.ir.operand(op, 1));
        let to = self.vector(op, self.ir.ty(self.ir.result(op, 0)))?;
        let (a, b) = (self.all_lanes(op, first)?, self.all_lanes(op, second)?);
        let lanes: Vec<Expr> = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
        self.listed(op, &to, &lanes)
    }

    pub(crate) fn deinterleave(&mut self, op: OpId) -> Done {
        let lanes = self.all_lanes(op, self.ir.operand(op, 0))?;
        for (n, result) in self.ir.results(op).enumerate() {
            let to = self.vector(op, self.ir.ty(result))?;
            let part: Vec<Expr> = lanes.iter().skip(n).step_by(2).cloned().collect();
            let e = self.list(&to, &part);
            self.bind(op, result, e)?;
        }
        Ok(())
    }

    /// `gather`, `scatter`: lanes at places that a vector says
    pub(crate) fn scattered(&mut self, op: OpId, write: bool) -> Done {
        let ir = self.ir;
        let (indices, mask, value) =
            (ir.operand_field(op, 2)[0], ir.operand_field(op, 3)[0], ir.operand_field(op, 4)[0]);
        if write && ir.num_results(op) > 0 {
            return self.unknown(op);
        }
        let view = self.view(ir.operand(op, 0))?;
        let [vector, places, masks] = [value, indices, mask].map(|value| Vector::of(self.cx, ir.ty(value)));
        let (Some(vector), Some(places), Some(masks)) = (vector, places, masks) else {
            return self.vector(op, ir.ty(value)).and_then(|_| self.unknown(op));
        };
        let flat = Vector { shape: vec![vector.lanes() as i64], ..vector.clone() };
        let pointer = self.pointer_to(
            op,
            &view,
            &ir.operand_field(op, 1),
            &Vector { shape: vec![1], ..vector.clone() },
        )?;
        let c_type = self.vector_type(&flat);
        let params = vec![
            self.pointer_param(&view, &vector, write),
            format!("{} places", self.vector_type(&places)),
            format!("{} mask", self.vector_type(&masks)),
            format!("{c_type} v"),
        ];
        let place = self.flavor.lane(&places, "places", "l");
        let (test, lane) = (self.flavor.lane(&masks, "mask", "l"), self.flavor.lane(&vector, "v", "l"));
        let (result, body) = match write {
            true => (
                "void",
                format!("{}\n    if ({test}) at[{place}] = {lane};", self.lanes_loop(vector.lanes())),
            ),
            false => (
                c_type.as_str(),
                self.lanes_body(&vector, &c_type, "", &format!("{test} ? at[{place}] : {lane}")),
            ),
        };
        let name = if write { "scatter" } else { "gather" };
        let wanted = format!(
            "{name}_{}_{}{}",
            vector.name(),
            places.elem.suffix(),
            space_suffix(self.flavor, view.space)
        );
        let function = self.vector_helper(&wanted, result, &params, &body);
        let args = [pointer, self.expr(indices), self.expr(mask), self.expr(value)];
        let call = Expr::call(&function, &args.iter().collect::<Vec<_>>());
        if write {
            self.flush();
            self.line(&format!("{};", call.text));
            return Ok(());
        }
        self.bind(op, ir.result(op, 0), Expr { reads: true, ..call })
    }

    /// `vector.bitcast`: the same bits in other lanes
    pub(crate) fn vector_bits(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let (from, to) = (self.vector(op, ir.ty(source))?, self.vector(op, ir.ty(result))?);
        if self.flavor != crate::Flavor::OpenMp
            || [&from, &to].iter().any(|vector| vector.elem == crate::types::Scalar::Bool)
        {
            return self.unknown(op);
        }
        self.helpers.include("#include <string.h>");
        let (from_type, to_type) = (self.vector_type(&from), self.vector_type(&to));
        let body = format!("  {to_type} r;\n  memcpy(&r, &v, sizeof r);\n  return r;");
        let wanted = format!("bits_{}_{}", from.name(), to.name());
        let function = self.vector_helper(&wanted, &to_type, &[format!("{from_type} v")], &body);
        let e = self.expr(source);
        self.bind(op, result, Expr::call(&function, &[&e]))
    }
}
