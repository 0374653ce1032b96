//! `mdh-form`: convolutions in other forms have the same values, and Winograd's are within the stated bound.

use crate::common::*;
use terrace_dialect_test::values::{interpreter, numbers, shown, types};
use terrace_interp::RtValue;
use terrace_ir::{Ir, Type};
use terrace_passes_mdh::convolutions::matrices;
use terrace_support::Random;

/// A convolution of two dimensions in one of several notations
#[derive(Clone, Copy)]
struct Conv {
    elem: &'static str,
    batch: i64,
    groups: i64,
    channels: i64,
    filters: i64,
    size: [i64; 2],
    taps: [i64; 2],
    stride: i64,
    dilation: i64,
    pad: i64,
    /// Orders of the folds over channels and taps
    order: [&'static str; 3],
    /// Flags of the product
    flags: &'static str,
    borders: Borders,
    layout: Layout,
}

/// How a border of zeros is stated
#[derive(Clone, Copy, PartialEq)]
enum Borders {
    Else,
    Where,
    /// Conditions at the far ends, another value than zero at the near ones
    Mixed,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    First,
    Last,
}

const CONV: Conv = Conv {
    elem: "f32",
    batch: 1,
    groups: 1,
    channels: 5,
    filters: 3,
    size: [5, 7],
    taps: [3, 3],
    stride: 1,
    dilation: 1,
    pad: 1,
    order: [""; 3],
    flags: "",
    borders: Borders::Else,
    layout: Layout::First,
};

impl Conv {
    fn outs(&self) -> [i64; 2] {
        [0, 1].map(|n| {
            (self.size[n] + 2 * self.pad - (self.dilation * (self.taps[n] - 1) + 1)) / self.stride + 1
        })
    }

    fn text(&self) -> String {
        let Conv { elem, batch: n, groups: g, channels: c, filters: k, size: [h, w], taps: [r, s], .. } =
            *self;
        let Conv { stride, dilation, pad, order: [of_c, of_r, of_s], flags, .. } = *self;
        let [y, x] = self.outs();
        let subscript = |at: &str, tap: &str| format!("{stride} * {at} + {dilation} * {tap} - {pad}");
        let (along, across) = (subscript("y", "r"), subscript("x", "s"));
        let [zero, two] = if elem.starts_with('f') { ["0.0", "2.0"] } else { ["0", "2"] };
        let (tail, conditions) = match self.borders {
            Borders::Else => (format!(" else {zero}"), String::new()),
            Borders::Where => (String::new(), format!(" where 0 <= {along} < {h}, 0 <= {across} < {w}")),
            Borders::Mixed => (format!(" else {two}"), format!(" where {along} < {h}, {across} < {w}")),
        };
        let times = if elem.starts_with('f') { "mulf" } else { "muli" };
        let (image, weights, result) = match self.layout {
            Layout::First => (
                format!("{n}x{g}x{c}x{h}x{w}"),
                format!("{g}x{k}x{c}x{r}x{s}"),
                format!("{n}x{g}x{k}x{y}x{x}"),
            ),
            Layout::Last => (
                format!("{n}x{h}x{w}x{g}x{c}"),
                format!("{r}x{s}x{g}x{c}x{k}"),
                format!("{n}x{y}x{x}x{g}x{k}"),
            ),
        };
        let (ins, outs) = match self.layout {
            Layout::First => (
                format!("%a = %X[n, g, c, {along}, {across}]{tail}, %b = %F[g, k, c, r, s]"),
                "n, g, k, y, x",
            ),
            Layout::Last => (
                format!("%b = %F[r, s, g, c, k], %a = %X[n, {along}, {across}, g, c]{tail}"),
                "n, y, x, g, k",
            ),
        };
        let types = match self.layout {
            Layout::First => format!("tensor<{image}x{elem}>, tensor<{weights}x{elem}>"),
            Layout::Last => format!("tensor<{weights}x{elem}>, tensor<{image}x{elem}>"),
        };
        format!(
            "func.func @f(%X: tensor<{image}x{elem}>, %F: tensor<{weights}x{elem}>) -> tensor<{result}x{elem}> {{
  %0 = mdh.compute \"conv\" (n in {n}, g in {g}, k in {k}, y in {y}, x in {x}, c in {c} pw add{of_c}, r in {r} pw add{of_r}, s in {s} pw add{of_s}){conditions} ins({ins}) outs([{outs}]) {{
    %p = arith.{times} %a, %b{flags} : {elem}
    mdh.yield %p : {elem}
  }} : ({types}) -> tensor<{result}x{elem}>
  return %0 : tensor<{result}x{elem}>
}}"
        )
    }

    /// The form has the same values, also lowered with a chosen schedule
    fn agrees(&self, form: &str) -> String {
        agrees(&self.text(), form)
    }

    /// Why a form is refused
    fn refused(&self, form: &str) -> String {
        let text = self.text();
        let pipeline = format!("func.func(mdh-form{{form={form}}})");
        HARNESS.run(&mut parse(&text), &pipeline).expect_err(&format!("{form} should be refused\n{text}"))
    }
}

/// The form of a text has the same values, also lowered with a chosen schedule
fn agrees(text: &str, form: &str) -> String {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-form{{form={form}}})"), text);
    let found = shown(&ir);
    same(&wanted, &as_it_is(&ir, "f"), &format!("{form}\n{text}\n{found}"));
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v3},mdh-to-sched)", text);
    same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{form}, scheduled\n{text}\n{found}"));
    found
}

/// Shapes that exercise remainders, strides, dilations, groups, batches, both layouts
fn shapes() -> Vec<Conv> {
    let conv = CONV;
    vec![
        conv,
        Conv { layout: Layout::Last, borders: Borders::Else, ..conv },
        Conv { elem: "i32", batch: 2, stride: 2, size: [13, 7], borders: Borders::Where, ..conv },
        Conv { batch: 3, groups: 2, dilation: 2, pad: 2, channels: 3, ..conv },
        Conv {
            layout: Layout::Last,
            taps: [5, 2],
            stride: 3,
            pad: 2,
            channels: 17,
            filters: 9,
            size: [7, 11],
            ..conv
        },
        Conv { taps: [1, 3], channels: 1, filters: 9, pad: 0, size: [1, 13], order: [" source"; 3], ..conv },
    ]
}

#[test]
fn implicit_products_read_the_image_in_place() {
    for conv in shapes() {
        let found = conv.agrees("implicit-gemm");
        assert_eq!(found.matches("mdh.compute").count(), 1, "{found}");
        // One dimension alone has no quotient.
        assert!(found.contains("floordiv") || conv.channels * conv.taps[0] == 1, "{found}");
    }
    // Weights that hold taps and channels side by side are seen as rows.
    assert!(CONV.agrees("implicit-gemm").contains("tensor.collapse_shape"), "rows");
    Conv { borders: Borders::Where, ..CONV }.agrees("implicit-gemm");
}

#[test]
fn copied_windows_are_an_operand_of_a_product() {
    for conv in shapes() {
        let found = conv.agrees("im2col");
        assert_eq!(found.matches("mdh.compute").count(), 2, "{found}");
    }
    let found = CONV.agrees("im2col");
    assert!(found.contains("c_r_s in 45"), "{found}");
}

#[test]
fn channels_in_blocks() {
    for conv in shapes() {
        for form in ["nchwc-8", "nchwc-16"] {
            let found = conv.agrees(form);
            assert_eq!(found.matches("mdh.compute").count(), 4, "{found}");
        }
    }
    let borders = Conv { borders: Borders::Where, ..CONV };
    assert!(borders.agrees("nchwc-8").contains("where"), "conditions stay");
    let found = Conv { flags: " fastmath<nnan,nsz>", channels: 9, ..borders }.agrees("nchwc-8");
    assert!(!found.contains("pw add) where"), "{found}");
}

#[test]
fn conditions_and_values_outside_stay_together() {
    let mixed = Conv { borders: Borders::Mixed, ..CONV };
    for flags in ["", " fastmath<nnan,nsz>"] {
        let conv = Conv { flags, ..mixed };
        conv.agrees("implicit-gemm");
        for form in ["nchwc-8", "nchwc-16"] {
            let found = conv.agrees(form);
            assert!(found.contains("else 2."), "{found}");
        }
    }
}

#[test]
fn start_values_stay_where_no_point_writes() {
    for (place, shape, start, starts) in [
        ("k, y, x", "9x5x7", "%S", "9x5x7"),
        ("k, y, x", "9x5x7", "%S[k]", "9"),
        ("k + 1, 2 * y + 1, x", "11x12x7", "%S", "11x12x7"),
    ] {
        let (image, weights) = ("tensor<5x5x7xf32>", "tensor<9x5x3x3xf32>");
        let (result, starts) = (format!("tensor<{shape}xf32>"), format!("tensor<{starts}xf32>"));
        let text = format!(
            "func.func @f(%X: {image}, %F: {weights}, %S: {starts}) -> {result} {{
  %0 = mdh.compute \"conv\" (k in 9, y in 5, x in 7, c in 5 pw add, r in 3 pw add, s in 3 pw add) ins(%a = %X[c, y + r - 1, x + s - 1] else 0.0, %b = %F[k, c, r, s]) outs([{place}] into {start}) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : ({image}, {weights}, {starts}) -> {result}
  return %0 : {result}
}}"
        );
        for form in ["implicit-gemm", "im2col", "nchwc-8"] {
            agrees(&text, form);
        }
    }
}

#[test]
fn one_order_of_the_source_is_that_of_all_terms() {
    for order in [["", " source", ""], ["", "", " source"], [" free", " source", ""]] {
        for form in ["implicit-gemm", "im2col"] {
            let found = Conv { order, ..CONV }.agrees(form);
            assert!(found.contains("c_r_s in 45 pw add source"), "{found}");
        }
    }
    let found = Conv { order: [" free", "", ""], ..CONV }.agrees("im2col");
    assert!(found.contains("c_r_s in 45 pw add)"), "{found}");
}

#[test]
fn names_that_are_taken_or_missing() {
    let text = CONV.text();
    let taken = text
        .replace("k in ", "c_r_s in ")
        .replace("[g, k, c", "[g, c_r_s, c")
        .replace("g, k, y", "g, c_r_s, y");
    for form in ["implicit-gemm", "im2col"] {
        let found = agrees(&taken, form);
        assert!(found.contains("c_r_s_ in 45"), "{found}");
    }
    // Tools call a computation without a name `compute`.
    let text = text.replace("\"conv\" ", "");
    let mut ir = parse(&text);
    lower(&mut ir, "func.func(mdh-form{form=im2col compute=compute})", &text);
    let found = shown(&ir);
    assert_eq!(found.matches("mdh.compute").count(), 2, "{found}");
}

#[test]
fn what_has_no_form_says_why() {
    let borders = Conv { borders: Borders::Where, ..CONV };
    for (conv, form, why) in [
        (CONV, "winograd-2", "mdh.approximate"),
        (borders, "im2col", "may be no number"),
        (Conv { borders: Borders::Mixed, ..CONV }, "im2col", "another value than zero"),
        (Conv { order: [" invariant"; 3], ..CONV }, "implicit-gemm", "states the bracket"),
    ] {
        let said = conv.refused(form);
        assert!(said.contains(why) && said.contains("E0678"), "{said}");
    }
}

/// Results for operands that are drawn from −1 to 1, as numbers of `f32`
fn of_drawn(ir: &Ir) -> Vec<f64> {
    let (types, _) = types(ir, "f");
    let operand = |(n, ty): (usize, &Type)| {
        let mut random = Random::of(&[n as u64, 5]);
        let count = ty.shape(ir.cx()).expect("a tensor").iter().product::<i64>();
        let wide = ty.scalar(ir.cx()).bit_width(ir.cx()) == Some(64);
        let mut one = || {
            let value = (2.0 * random.unit() - 1.0) as f32;
            if wide { RtValue::f64(value.into()) } else { RtValue::f32(value) }
        };
        RtValue::Vector((0..count).map(|_| one()).collect())
    };
    let args = types.iter().enumerate().map(operand).collect();
    let found = interpreter(ir).call("f", args).unwrap_or_else(|trap| panic!("{}", trap.message));
    found.iter().flat_map(numbers).map(|number| number.expect("a number")).collect()
}

/// The largest difference of results in `f32` from those in `f64`, in units of ε times channels
fn error(conv: Conv, form: &str) -> f64 {
    let narrow = conv.text();
    let exact = of_drawn(&parse(&Conv { elem: "f64", ..conv }.text()));
    let mut ir = parse(&narrow);
    if !form.is_empty() {
        lower(&mut ir, &format!("func.func(mdh-form{{form={form} approximate=winograd}})"), &narrow);
    }
    let found = of_drawn(&ir);
    let worst = exact.iter().zip(&found).map(|(e, f)| (e - f).abs()).fold(0.0, f64::max);
    worst / (f64::from(f32::EPSILON) * conv.channels as f64)
}

#[test]
fn errors_of_winograd_are_within_its_bound() {
    for (form, m) in [("winograd-2", matrices::TWO), ("winograd-4", matrices::FOUR)] {
        for channels in [1, 5, 40] {
            let conv = Conv { channels, size: [13, 10], filters: 3, ..CONV };
            let (direct, found) = (error(conv, ""), error(conv, form));
            let bound = m.bound(2, channels);
            println!("{form}, {channels} channels: {found:.2}, as written {direct:.2}, bound {bound:.0}");
            assert!(found <= bound, "{form}, {channels} channels: {found} > {bound}");
        }
    }
}

#[test]
fn tiles_of_winograd_have_remainders_and_borders() {
    let conv = Conv { channels: 4, filters: 3, size: [9, 11], ..CONV };
    for form in ["winograd-2", "winograd-4"] {
        for conv in [
            conv,
            Conv { layout: Layout::Last, ..conv },
            Conv { batch: 2, groups: 3, size: [4, 5], ..conv },
            Conv { pad: 0, size: [3, 14], ..conv },
            Conv { borders: Borders::Where, pad: 2, size: [1, 2], ..conv },
        ] {
            let found = error(conv, form);
            let m = if form == "winograd-2" { matrices::TWO } else { matrices::FOUR };
            assert!(found <= m.bound(2, conv.channels), "{form}: {found}\n{}", conv.text());
            // The values of the loops, too: those of small integers are exact but for sixths.
            let text = conv.text();
            let mut ir = parse(&text);
            let pipeline = format!("func.func(mdh-form{{form={form} approximate=winograd}})");
            lower(&mut ir, &pipeline, &text);
            let wanted = as_it_is(&ir, "f");
            lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v3},mdh-to-sched)", &text);
            let found = lowered(&ir, "f", &text, wanted.len());
            for (a, b) in wanted.iter().flatten().zip(found.iter().flatten()) {
                let (a, b) = (a.expect("a number"), b.expect("a number"));
                assert!((a - b).abs() < 1e-3, "{form}: {b} instead of {a}\n{text}");
            }
        }
    }
}
