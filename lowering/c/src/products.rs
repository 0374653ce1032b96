//! Vectors of several dimensions: reductions along some of them, outer products.

use crate::emit::{Emit, Lowering, any};
use crate::expr::Expr;
use crate::literals::integers;
use crate::refusal::Done;
use crate::vector::points;
use crate::vector_type::Vector;
use terrace_dialect_vector as vector;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    MultiReduction any, |e, op| e.multi_reduction(vector::MultiReduction(op));
    OuterProduct any, |e, op| e.outer_product(vector::OuterProduct(op));
};

impl Emit<'_> {
    fn multi_reduction(&mut self, reduction: vector::MultiReduction) -> Done {
        let (ir, op) = (self.ir, reduction.id());
        let (source, acc, result) = (reduction.source(ir), reduction.acc(ir), reduction.dest(ir));
        let from = self.vector(op, ir.ty(source))?;
        let kind = reduction.kind(ir).word();
        let Some(combined) = self.helpers.combined(kind, from.elem) else { return self.unknown(op) };
        let dims = integers(self.ir.cx(), reduction.reduction_dims(ir)).unwrap_or_default();
        let to = Vector::of(self.ir.cx(), ir.ty(result));
        let (c_type, elem) = (self.helpers.vector_type(&from), self.lang.scalar(from.elem));
        let out_type = match &to {
            Some(to) => self.helpers.vector_type(to),
            None => elem.to_string(),
        };
        let mut body = String::new();
        let target = |n: usize| match &to {
            Some(to) => self.lang.lane(to, "r", &n.to_string()),
            None => "r".to_string(),
        };
        for (n, point) in points(&from.shape).enumerate() {
            let kept =
                point.iter().zip(&from.shape).enumerate().filter(|(n, _)| !dims.contains(&(*n as i128)));
            let at = kept.fold(0, |at, (_, (n, size))| at * *size as usize + n);
            let lane = self.lang.lane(&from, "v", &n.to_string());
            body += &format!(
                "  {0} = {1};\n",
                target(at),
                combined.replace("$a", &target(at)).replace("$b", &lane)
            );
        }
        let params = [format!("{c_type} v"), format!("{out_type} r")];
        let sizes: Vec<String> = from.shape.iter().map(i64::to_string).collect();
        let wanted = format!("reduce_{kind}_{}_{}", from.elem.suffix(), sizes.join("x"));
        let function = self.helpers.vector_helper(&wanted, &out_type, &params, &(body + "  return r;"));
        let args = [self.values.expr(source), self.values.expr(acc)];
        self.bind(op, result, Expr::call(&function, &args.iter().collect::<Vec<_>>()))
    }

    fn outer_product(&mut self, product: vector::OuterProduct) -> Done {
        let (ir, op) = (self.ir, product.id());
        let (left, right, result) = (product.lhs(ir), product.rhs(ir), product.result(ir));
        let acc = product.acc(ir);
        let to = self.vector(op, ir.ty(result))?;
        let a = self.vector(op, ir.ty(left))?;
        let b = Vector::of(self.ir.cx(), ir.ty(right));
        let kind = product.kind(ir).word();
        let ty = to.elem;
        let (Some(product), Some(sum)) = (self.helpers.combined("mul", ty), self.helpers.combined(kind, ty))
        else {
            return self.unknown(op);
        };
        let c_type = self.helpers.vector_type(&to);
        let mut params = vec![format!("{} a", self.helpers.vector_type(&a))];
        params.push(match &b {
            Some(b) => format!("{} b", self.helpers.vector_type(b)),
            None => format!("{} b", self.lang.scalar(ty)),
        });
        params.extend(acc.map(|_| format!("{c_type} c")));
        let width = b.as_ref().map_or(1, Vector::lanes);
        let (row, column) = if width == 1 {
            ("l".into(), "0".into())
        } else {
            (format!("l / {width}"), format!("l % {width}"))
        };
        let x = self.lang.lane(&a, "a", &row);
        let y = b.as_ref().map_or("b".to_string(), |b| self.lang.lane(b, "b", &column));
        let fill = |text: &str, a: &str, b: &str| text.replace("$a", a).replace("$b", b);
        let c = self.lang.lane(&to, "c", "l");
        let lane = match acc {
            None => fill(&product, &x, &y),
            // Floats are added without rounding the product.
            Some(_) if kind == "add" && ty.is_float() => format!("{}({x}, {y}, {c})", self.helpers.fused(ty)),
            Some(_) => fill(&sum, &format!("({})", fill(&product, &x, &y)), &c),
        };
        let body = self.helpers.lanes_body(&to, &c_type, "", &lane);
        let wanted = format!("outer_{kind}_{}x{width}_{}", a.lanes(), ty.suffix());
        let function = self.helpers.vector_helper(&wanted, &c_type, &params, &body);
        let mut args = vec![self.values.expr(left), self.values.expr(right)];
        args.extend(acc.map(|acc| self.values.expr(acc)));
        self.bind(op, result, Expr::call(&function, &args.iter().collect::<Vec<_>>()))
    }
}
