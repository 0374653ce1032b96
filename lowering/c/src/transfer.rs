//! `vector.transfer_read`, `transfer_write`: loops over the lanes with the tests that no `in_bounds` makes superfluous.

use crate::buffer::View;
use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::refusal::Done;
use crate::values::Val;
use crate::vector_type::Vector;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, OpId, Value};
use terrace_lowering_table::rows;
use terrace_support::affine::AffineExpr;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    TransferRead any, |e, op| e.transfer_read(vector::TransferRead(op));
    TransferWrite any, |e, op| e.transfer_write(vector::TransferWrite(op));
};

/// What both transfers have
struct Transfer {
    op: OpId,
    indices: Vec<Value>,
    mask: Option<Value>,
    map: Attr,
    in_bounds: Attr,
}

/// One transfer: loops, the element, and what has to hold for it to be touched
struct Walk {
    /// Variables of the loops with their number of iterations
    loops: Vec<(String, i64)>,
    element: String,
    lane: String,
    test: Option<String>,
}

/// Number of a lane, row by row
fn flat(outer: &str, size: i64, name: &str) -> String {
    match outer {
        "" => name.to_string(),
        outer if outer.contains(' ') => format!("({outer}) * {size} + {name}"),
        outer => format!("{outer} * {size} + {name}"),
    }
}

impl Emit<'_> {
    fn walk(&mut self, transfer: &Transfer, view: &View, vector: &Vector) -> Done<Walk> {
        let Transfer { op, indices, mask, map, in_bounds } = transfer;
        let map = map.as_affine_map(self.ir.cx()).cloned();
        let along: Vec<Option<usize>> = map.map_or(Vec::new(), |map| {
            let dim = |result: &AffineExpr| match result {
                AffineExpr::Dim(dim) => Some(*dim as usize),
                _ => None,
            };
            map.results.iter().map(dim).collect()
        });
        let promises = in_bounds.as_array(self.ir.cx()).unwrap_or(&[]);
        let promises: Vec<bool> =
            promises.iter().map(|attr| attr.as_i64(self.ir.cx()).is_some_and(|n| n != 0)).collect();
        let mut at: Vec<Expr> = Vec::new();
        for index in indices {
            at.push(self.leaf(*index));
        }
        let (mut loops, mut tests, mut number) = (Vec::new(), Vec::new(), String::new());
        self.text.names.push();
        for (n, size) in vector.shape.iter().enumerate() {
            let name = self.text.names.fresh(&format!("l{n}"));
            number = flat(&number, *size, &name);
            if let Some(dim) = along.get(n).copied().flatten().filter(|dim| *dim < at.len()) {
                at[dim] = match at[dim].text.as_str() {
                    "0" => Expr::atom(&name),
                    _ => Expr::binary("+", prec::SUM, &at[dim], &Expr::atom(&name)),
                };
                if promises.get(n) != Some(&true) {
                    let size = view.sizes[dim].expr();
                    if self.range(indices[dim]).0 < 0 {
                        tests.push(format!("{} >= 0", at[dim].text));
                    }
                    tests.push(format!("{} < {}", at[dim].text, size.text));
                }
            }
            loops.push((name, *size));
        }
        if let Some(mask) = mask {
            let masks = self.vector(*op, self.ir.ty(*mask))?;
            let name = self.leaf(*mask).text;
            // Its dimensions are those of memory, in their order.
            let mut order: Vec<(usize, usize)> =
                along.iter().enumerate().filter_map(|(n, dim)| Some(((*dim)?, n))).collect();
            order.sort_unstable();
            let mut number = String::new();
            for (_, n) in order {
                let (l, size) = &loops[n];
                number = flat(&number, *size, l);
            }
            let number = if number.is_empty() { "0".into() } else { number };
            tests.push(self.lang.lane(&masks, &name, &number));
        }
        let element = self.element(view, &at).text;
        let lane = if number.is_empty() { "0".to_string() } else { number };
        Ok(Walk { loops, element, lane, test: (!tests.is_empty()).then(|| tests.join(" && ")) })
    }

    /// The loops around one line
    fn walked(&mut self, walk: &Walk, line: &str) {
        for (name, size) in &walk.loops {
            self.text.line(&format!("for (int {name} = 0; {name} < {size}; {name}++)"));
            self.text.depth += 1;
        }
        self.text.line(line);
        self.text.depth -= walk.loops.len();
        self.text.names.pop();
    }

    fn transfer_read(&mut self, read: vector::TransferRead) -> Done {
        let (ir, op, result) = (self.ir, read.id(), read.vector(self.ir));
        let vector = self.vector(op, ir.ty(result))?;
        let view = self.values.view(read.base(ir))?;
        let padding = self.leaf(read.padding(ir));
        let name = self.name(result);
        let (map, in_bounds) = (read.permutation_map(ir), read.in_bounds(ir));
        let transfer = Transfer { op, indices: read.indices(ir), mask: read.mask(ir), map, in_bounds };
        let walk = self.walk(&transfer, &view, &vector)?;
        let c_type = self.helpers.vector_type(&vector);
        self.text.line(&format!("{c_type} {name};"));
        let lane = self.lang.lane(&vector, &name, &walk.lane);
        let line = match &walk.test {
            Some(test) => format!("{lane} = {test} ? {} : {};", walk.element, padding.text),
            None => format!("{lane} = {};", walk.element),
        };
        self.walked(&walk, &line);
        self.values.set(result, Val::Expr(Expr::atom(name)));
        Ok(())
    }

    fn transfer_write(&mut self, write: vector::TransferWrite) -> Done {
        let (ir, op, value) = (self.ir, write.id(), write.value_to_store(self.ir));
        let vector = self.vector(op, ir.ty(value))?;
        let view = self.values.view(write.base(ir))?;
        let name = self.leaf(value).text;
        self.flush();
        let (map, in_bounds) = (write.permutation_map(ir), write.in_bounds(ir));
        let transfer = Transfer { op, indices: write.indices(ir), mask: write.mask(ir), map, in_bounds };
        let walk = self.walk(&transfer, &view, &vector)?;
        let lane = self.lang.lane(&vector, &name, &walk.lane);
        let line = match &walk.test {
            Some(test) => format!("if ({test}) {} = {lane};", walk.element),
            None => format!("{} = {lane};", walk.element),
        };
        self.walked(&walk, &line);
        Ok(())
    }
}
