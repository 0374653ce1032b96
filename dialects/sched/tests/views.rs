//! Views of one memory: a loop of tasks is refused where two of its iterations meet in an element, by whatever name, and only there.

use terrace_diag::Diags;
use terrace_ir::Context;
use terrace_support::Random;
use terrace_text::ParseOptions;

const ROWS: i64 = 5;
const COLUMNS: i64 = 3;
/// Elements of the memory
const ALL: i64 = 64;

/// A view, and where its elements are
struct View {
    /// What makes it, for a name
    made: String,
    ty: String,
    /// Where element (x, y) of task i is
    at: [i64; 4],
    sizes: [i64; 2],
    /// It is made by each task
    inside: bool,
}

fn view(r: &mut Random, name: &str) -> View {
    loop {
        let sizes = [1 + r.below(5) as i64, 1 + r.below(4) as i64];
        let strides = [r.below(12) as i64 - 2, r.below(6) as i64 - 1];
        let offset = r.below(20) as i64;
        let by = if r.below(5) < 2 { r.below(9) as i64 } else { 0 };
        let at = [offset, by, strides[0], strides[1]];
        let far = [0, sizes[0] - 1].map(|x| [0, sizes[1] - 1].map(|y| x * strides[0] + y * strides[1]));
        let far = far.as_flattened();
        let (least, most) = (far.iter().min().expect("four"), far.iter().max().expect("four"));
        if offset + least < 0 || offset + most + by * (ROWS - 1) >= ALL {
            continue;
        }
        let [n, m] = sizes;
        let [s, t] = strides;
        if by == 0 {
            let ty = format!("memref<{n}x{m}xf32, strided<[{s}, {t}], offset: {offset}>>");
            let made = format!(
                "  %{name} = memref.reinterpret_cast %A to offset: [{offset}], sizes: [{n}, {m}], strides: [{s}, {t}] : memref<{ALL}xf32> to {ty}\n"
            );
            return View { made, ty, at, sizes, inside: false };
        }
        let ty = format!("memref<{n}x{m}xf32, strided<[{s}, {t}], offset: ?>>");
        let start = spelled(r, &format!("{name}o"), [by, 0, offset]);
        let made = format!(
            "{start}    %{name} = memref.reinterpret_cast %A to offset: [%{name}o], sizes: [{n}, {m}], strides: [{s}, {t}] : memref<{ALL}xf32> to {ty}\n"
        );
        return View { made, ty, at, sizes, inside: true };
    }
}

/// Ops that give a number of elements for each iteration, `a · i + b · j + c`, in one of many ways
fn spelled(r: &mut Random, name: &str, [a, b, c]: [i64; 3]) -> String {
    let constant = |end: &str, number: i64| format!("    %{name}{end} = arith.constant {number} : index\n");
    let numbers = [constant("a", a), constant("b", b), constant("c", c)].concat();
    let sum = |ty: &str, [i, j]: [&str; 2], made: &str| {
        format!(
            "    %{name}x = arith.muli {i}, %{name}a : {ty}
    %{name}y = arith.muli %{name}b, {j} : {ty}
    %{name}z = arith.addi %{name}x, %{name}y : {ty}
    %{made} = arith.addi %{name}c, %{name}z : {ty}\n"
        )
    };
    match r.below(7) {
        0 => format!(
            "    %{name} = affine.apply affine_map<(d0, d1) -> (d0 * {a} + d1 * {b} + {c})>(%i, %j)\n"
        ),
        1 => format!(
            "{numbers}    %{name}p = affine.apply affine_map<(d0)[s0] -> (d0 * {b} + s0)>(%j)[%{name}c]
    %{name} = affine.apply affine_map<(d0)[s0] -> (s0 + d0 * {a})>(%i)[%{name}p]\n"
        ),
        // Counted from the last row.
        2 => format!(
            "{numbers}{}    %{name}r = arith.subi %{name}l, %i : index
    %{name}s = arith.muli %{name}r, %{name}a : index
    %{name}t = arith.muli %{name}b, %j : index
    %{name}u = arith.subi %{name}e, %{name}s : index
    %{name} = arith.addi %{name}u, %{name}t : index\n",
            [constant("l", ROWS - 1), constant("e", a * (ROWS - 1) + c)].concat()
        ),
        // In 64 bits.
        3 => {
            let wide = numbers.replace(" : index", " : i64");
            let casts =
                ["i", "j"].map(|v| format!("    %{name}w{v} = arith.index_cast %{v} : index to i64\n"));
            let [i, j] = ["i", "j"].map(|v| format!("%{name}w{v}"));
            let sum = sum("i64", [&i, &j], &format!("{name}s"));
            format!("{wide}{}{sum}    %{name} = arith.index_cast %{name}s : i64 to index\n", casts.concat())
        }
        // As the index of a point in a box; parts of an index that is the point.
        4 if a > 0 => format!(
            "{numbers}    %{name}t = arith.muli %{name}b, %j : index
    %{name}s = arith.addi %{name}t, %{name}c : index
    %{name} = affine.linearize_index [%i, %{name}s] by ({ROWS}, {a}) : index\n"
        ),
        5 => format!(
            "{numbers}    %{name}l = affine.linearize_index disjoint [%i, %j] by ({ROWS}, {COLUMNS}) : index
    %{name}h:2 = affine.delinearize_index %{name}l into ({ROWS}, {COLUMNS}) : index, index
{}",
            sum("index", [&format!("%{name}h#0"), &format!("%{name}h#1")], name)
        ),
        _ => format!("{numbers}{}", sum("index", ["%i", "%j"], name)),
    }
}

/// Subscripts inside of a view: multiples of the loops' variables, and a constant each
fn subscripts(r: &mut Random, view: &View) -> [[i64; 3]; 2] {
    view.sizes.map(|size| {
        loop {
            let own = [r.below(3) as i64 - 1, r.below(3) as i64 - 1, r.below(size as u64) as i64];
            let all = (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| own[0] * i + own[1] * j + own[2]));
            if all.clone().all(|at| (0..size).contains(&at)) {
                return own;
            }
        }
    })
}

/// The element that an iteration uses
fn place(view: &View, at: &[[i64; 3]; 2], i: i64, j: i64) -> i64 {
    let [x, y] = at.map(|[a, b, c]| a * i + b * j + c);
    view.at[0] + view.at[1] * i + view.at[2] * x + view.at[3] * y
}

/// Subscripts as they are, or as values that ops compute, and these ops
fn text_of(r: &mut Random, name: &str, at: &[[i64; 3]; 2]) -> (String, String) {
    let mut ops = String::new();
    let mut one = |n: usize, at: [i64; 3]| {
        if r.below(2) == 0 {
            let [a, b, c] = at;
            return format!("{a} * %i + {b} * %j + {c}");
        }
        let name = format!("{name}{n}");
        ops += &spelled(r, &name, at);
        format!("%{name}")
    };
    let all = [one(0, at[0]), one(1, at[1])].join(", ");
    (all, ops)
}

/// What the verifier says of it
pub(crate) fn said(text: &str) -> Vec<String> {
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL].concat());
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    if let Some(ir) = parsed {
        diags.append(terrace_ir::verify::verify(&ir, 1));
    }
    diags.iter().map(|diag| format!("{} {}", diag.code.map_or("", |code| code.id), diag.message)).collect()
}

#[test]
fn what_meets_by_any_name_is_refused() {
    let mut r = Random::new(11);
    let (mut met, mut apart) = (0, 0);
    for _ in 0..800 {
        let [v, w] = [view(&mut r, "v"), view(&mut r, "w")];
        let [to, from] = [subscripts(&mut r, &v), subscripts(&mut r, &w)];
        let [outside, inside] = [false, true]
            .map(|inside| [&v, &w].map(|view| if view.inside == inside { &*view.made } else { "" }).concat());
        let (read, reading) = text_of(&mut r, "f", &from);
        let (written, writing) = text_of(&mut r, "t", &to);
        let text = format!(
            "func.func @f(%A: memref<{ALL}xf32>) {{
{outside}  sched.for (%i in {ROWS} by 1 dim 0 : task, %j in {COLUMNS} by 1 dim 1 ordered) {{
{inside}{reading}{writing}    %x = sched.read %w[{read}] : {}
    sched.write %x, %v[{written}] : {}
  }}
  return
}}",
            w.ty, v.ty
        );
        let points = || (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j)));
        let meet = points().any(|(i, j)| {
            points().filter(|(other, _)| *other != i).any(|(m, n)| {
                let written = place(&v, &to, i, j);
                written == place(&v, &to, m, n) || written == place(&w, &from, m, n)
            })
        });
        let said = said(&text);
        let refused = said.iter().any(|said| said.starts_with("E0657"));
        assert_eq!(refused, meet, "{said:?}\n{text}");
        assert!(refused || said.is_empty(), "{said:?}\n{text}");
        *if meet { &mut met } else { &mut apart } += 1;
    }
    assert!(met > 50 && apart > 50, "{met} meet, {apart} do not");
}
