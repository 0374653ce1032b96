//! Extents that are known at run time: one lowering for all of them. The interpreter runs the computation as it is, with its schedule, and as
//! loops; what is behind the end is poison, so that nothing may read it.

use crate::common::*;

use terrace_dialect_test::Numbers;
use terrace_dialect_test::values::{element, fill, interpreter, numbers, read, shown, types};
use terrace_interp::RtValue;
use terrace_ir::{Ir, Type};

/// A reduction of a tensor: which axes are reduced, and of which dimension an extent is known at run time only
#[derive(Debug)]
struct Case {
    shape: Vec<i64>,
    reduced: Vec<bool>,
    /// Of kept dimensions, and of reduced ones
    open: [Option<usize>; 2],
    operator: &'static str,
    start: bool,
}

fn joined(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

impl Case {
    fn extents(&self) -> Vec<usize> {
        self.open.iter().flatten().copied().collect()
    }

    fn tensor(&self, dims: impl Iterator<Item = usize>) -> String {
        let sizes: String = dims.map(|n| format!("{}x", self.shape[n])).collect();
        format!("tensor<{sizes}f32>")
    }

    fn text(&self) -> String {
        let all = || 0..self.shape.len();
        let kept = || all().filter(|n| !self.reduced[*n]);
        let kind = |n: usize| if self.reduced[n] { format!(" pw {}", self.operator) } else { String::new() };
        let open = self.extents();
        let extents = joined(open.iter().map(|n| format!("%n{n} <= {}", self.shape[*n])));
        let ends = joined(open.iter().map(|n| format!("d{n} < %n{n}")));
        let (given, result) = (self.tensor(all()), self.tensor(kept()));
        let (start, started, ty) = match self.start {
            true => (", %Y: ".to_owned() + &result, " into %Y", format!(", {result}")),
            false => Default::default(),
        };
        format!(
            "func.func @f(%X: {given}{start}{}) -> {result} {{
  %y = mdh.compute ({}) extents({extents}) where {ends} ins(%x = %X[{}]) outs([{}]{started}) {{
    %s = arith.mulf %x, %x : f32
    mdh.yield %s : f32
  }} : ({given}{ty}{}) -> {result}
  return %y : {result}
}}",
            open.iter().map(|n| format!(", %n{n}: index")).collect::<String>(),
            joined(all().map(|n| format!("d{n} in {}{}", self.shape[n], kind(n)))),
            joined(all().map(|n| format!("d{n}"))),
            joined(kept().map(|n| format!("d{n}"))),
            ", index".repeat(open.len()),
        )
    }

    /// Elements of an argument; those behind an end are poison
    fn elements(&self, ir: &Ir, arg: usize, ty: Type, extents: &[i64]) -> Vec<RtValue> {
        let shape = ty.shape(ir.cx()).unwrap_or(&[]);
        let of = |dim: usize| if arg == 0 { Some(dim) } else { None };
        let count = shape.iter().product::<i64>();
        let one = |at: i64| {
            let mut left = at;
            let mut inside = true;
            for dim in (0..shape.len()).rev() {
                let own = of(dim).and_then(|dim| self.extents().iter().position(|open| *open == dim));
                inside &= own.is_none_or(|own| left % shape[dim] < extents[own]);
                left /= shape[dim];
            }
            let elem = ir.cx().common().f32;
            if inside { element(ir.cx(), elem, at as usize, arg) } else { RtValue::Poison }
        };
        (0..count).map(one).collect()
    }

    fn as_it_is(&self, ir: &Ir, extents: &[i64]) -> Numbers {
        let (inputs, _) = types(ir, "f");
        let mut open = extents.iter();
        let args = inputs.iter().enumerate().map(|(n, ty)| match ty.is_index(ir.cx()) {
            true => RtValue::index(*open.next().expect("an extent each")),
            false => RtValue::Vector(self.elements(ir, n, *ty, extents).into()),
        });
        let found = interpreter(ir).call("f", args.collect());
        found.unwrap_or_else(|trap| panic!("as it is: {}", trap.message)).iter().map(numbers).collect()
    }

    fn lowered(&self, ir: &Ir, extents: &[i64]) -> Result<Numbers, String> {
        let (inputs, _) = types(ir, "f");
        let (mut open, mut machine) = (extents.iter(), interpreter(ir));
        let (mut args, mut found) = (Vec::new(), Vec::new());
        for (n, ty) in inputs.iter().enumerate() {
            let shape = ty.shape(ir.cx()).unwrap_or(&[]);
            args.push(match ty.is_index(ir.cx()) {
                true => RtValue::index(*open.next().expect("an extent each")),
                false if n + 1 < inputs.len() => {
                    RtValue::MemRef(fill(&mut machine, shape, &self.elements(ir, n, *ty, extents)))
                }
                false => {
                    found.push((shape, fill(&mut machine, shape, &[])));
                    RtValue::MemRef(found[0].1.clone())
                }
            });
        }
        machine.call("f", args).map_err(|trap| format!("{}: {}", trap.code.id, trap.message))?;
        Ok(found.iter().map(|(shape, view)| read(&mut machine, shape, view)).collect())
    }

    /// One lowering for each device has the values of all extents
    fn agrees(&self, targets: &[&str], numbers: &[i64]) {
        let text = self.text();
        let source = parse(&text);
        for target in targets {
            let mut ir = parse(&text);
            let first = match *target {
                "" => String::new(),
                "canonical" => "mdh-canonicalize-reductions,mdh-schedule{target=x86-64-v4},".into(),
                _ => format!("mdh-schedule{{target={target}}},"),
            };
            for step in [format!("func.func({first}mdh-to-sched)"), DOWN.to_string()] {
                lower(&mut ir, &step, &text);
                for n in numbers {
                    let open = self.extents();
                    let extents: Vec<i64> = open
                        .iter()
                        .enumerate()
                        .map(|(at, dim)| (n + 3 * at as i64).min(self.shape[*dim]))
                        .collect();
                    let what = format!("`{target}`, {step}, {extents:?}\n{text}");
                    let found = self.lowered(&ir, &extents).unwrap_or_else(|trap| panic!("{trap}: {what}"));
                    same(&self.as_it_is(&source, &extents), &found, &what);
                }
            }
        }
    }
}

/// Each set of axes of each rank, with each choice of dimensions whose extent is open
fn cases(rank: usize, shape: impl Fn(usize) -> i64) -> Vec<Case> {
    let mut all = Vec::new();
    for set in 1u32..1 << rank {
        let reduced: Vec<bool> = (0..rank).map(|n| set & 1 << n != 0).collect();
        let of = |wanted: bool| {
            let dims = (0..rank).filter(|n| reduced[*n] == wanted).map(Some);
            dims.chain([None]).collect::<Vec<_>>()
        };
        for kept in of(false) {
            for folded in of(true) {
                if kept.is_none() && folded.is_none() {
                    continue;
                }
                let n = all.len();
                all.push(Case {
                    shape: (0..rank).map(&shape).collect(),
                    reduced: reduced.clone(),
                    open: [kept, folded],
                    operator: if n % 3 == 0 { "max" } else { "add" },
                    start: n % 2 == 1,
                });
            }
        }
    }
    all
}

#[test]
fn all_sets_of_axes_on_a_processor() {
    for rank in 1..=2 {
        for case in cases(rank, |n| [37, 20][n]) {
            case.agrees(&["", "x86-64-v4", "openmp"], &[0, 1, 15, 17, 37]);
        }
    }
    for case in cases(3, |n| [3, 18, 5][n]) {
        case.agrees(&["x86-64-v4"], &[0, 1, 2, 17, 18]);
    }
}

#[test]
fn all_sets_of_axes_on_a_grid() {
    for case in cases(2, |n| [67, 20][n]) {
        case.agrees(&["cuda", "opencl"], &[0, 1, 31, 33, 67]);
    }
    for case in cases(3, |n| [3, 18, 5][n]) {
        case.agrees(&["cuda"], &[0, 2, 17]);
    }
}

#[test]
fn canonical_forms_have_open_ends() {
    for case in cases(3, |n| [3, 10, 5][n]).iter().chain(&cases(4, |n| [3, 2, 4, 3][n])) {
        case.agrees(&["canonical"], &[0, 1, 3]);
    }
}

/// The outermost dimension of a group may be open: one form of rows, with whole rows left out
#[test]
fn open_ends_of_groups_are_outermost() {
    let form = |reduced: [bool; 4], open| {
        let case =
            Case { shape: vec![6, 5, 4, 3], reduced: reduced.into(), open, operator: "add", start: false };
        let text = case.text();
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-canonicalize-reductions)", &text);
        shown(&ir)
    };
    let rows = form([false, true, false, true], [Some(0), Some(1)]);
    assert!(
        rows.contains("(i in 24, j in 15 pw add) extents(%n0 <= 6, %n1 <= 5) where i < 4 * %n0, j < 3 * %n1"),
        "{rows}"
    );
    let inner = form([true, false, true, true], [None, Some(2)]);
    assert!(inner.contains("j in 72 pw add) extents(%n2 <= 4) where j < 18 * %n2"), "{inner}");
    let not = form([false, true, false, true], [Some(2), None]);
    assert!(not.contains("d0 in 6, d1 in 5 pw add, d2 in 4"), "{not}");
}

/// Tasks and blocks that share a reduction
#[test]
fn many_take_part() {
    let case = |reduced: [bool; 2], open| Case {
        shape: vec![300, 257],
        reduced: reduced.into(),
        open,
        operator: "add",
        start: false,
    };
    for one in [
        case([true, true], [None, Some(0)]),
        case([true, false], [None, Some(0)]),
        case([false, true], [Some(0), None]),
    ] {
        one.agrees(&["openmp"], &[129, 300]);
    }
    case([true, true], [None, Some(1)]).agrees(&["cuda"], &[100]);
}

#[test]
fn what_is_beyond_the_bound_stops_the_program() {
    let case =
        Case { shape: vec![9], reduced: vec![true], open: [None, Some(0)], operator: "add", start: false };
    let text = case.text();
    let mut ir = parse(&text);
    let beyond = |ir: &Ir| case.lowered(ir, &[10]).expect_err("10 rows of 9");
    lower(&mut ir, "func.func(mdh-to-sched)", &text);
    assert!(beyond(&ir).contains("M-EXTENT: n0 is from 0 to 9"), "{}", beyond(&ir));
    lower(&mut ir, DOWN, &text);
    assert!(beyond(&ir).contains("M-EXTENT: n0 is from 0 to 9"), "{}", beyond(&ir));
}
