//! Convolutions and pooling along contiguous dimensions, by value: with stride, dilation and padding, in one to three dimensions.

use crate::common;

use common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// A window over the last dimensions of an input
#[derive(Clone, Copy, Debug)]
struct Window {
    elem: &'static str,
    /// Size, in each dimension, of the result
    out: [i64; 3],
    /// Dimensions that it moves along: the last ones
    rank: usize,
    taps: i64,
    stride: i64,
    dilation: i64,
    pad: i64,
    /// Images, channels in, channels out
    batch: i64,
    channels: i64,
    filters: i64,
}

impl Window {
    fn moved(&self) -> impl Iterator<Item = usize> {
        3 - self.rank..3
    }

    fn list(&self, one: impl Fn(usize) -> String, between: &str) -> String {
        self.moved().map(one).collect::<Vec<_>>().join(between)
    }

    /// Elements of the input along a dimension
    fn input(&self, dim: usize) -> i64 {
        ((self.out[dim] - 1) * self.stride + (self.taps - 1) * self.dilation + 1 - 2 * self.pad).max(1)
    }

    fn index(&self, dim: usize) -> String {
        format!("{} * p{dim} + {} * r{dim} - {}", self.stride, self.dilation, self.pad)
    }

    fn conditions(&self) -> String {
        let holds = |dim| format!("0 <= {} < {}", self.index(dim), self.input(dim));
        if self.pad == 0 { String::new() } else { format!("where {}", self.list(holds, ", ")) }
    }

    /// Results, then taps
    fn dims(&self, op: &str) -> [String; 2] {
        let (out, taps) = (self.out, self.taps);
        [
            self.list(|dim| format!("p{dim} in {}", out[dim]), ", "),
            self.list(|dim| format!("r{dim} in {taps} pw {op}"), ", "),
        ]
    }

    fn shape(&self, size: impl Fn(usize) -> i64) -> String {
        self.list(|dim| size(dim).to_string(), "x")
    }

    /// The extreme or the sum of each window
    fn pool(&self, op: &str) -> String {
        let Window { elem, batch: n, channels: c, .. } = *self;
        let [results, taps] = self.dims(op);
        let (x, y) = (self.shape(|dim| self.input(dim)), self.shape(|dim| self.out[dim]));
        let (x, y) = (format!("tensor<{n}x{c}x{x}x{elem}>"), format!("tensor<{n}x{c}x{y}x{elem}>"));
        let (read, place) =
            (self.list(|dim| self.index(dim), ", "), self.list(|dim| format!("p{dim}"), ", "));
        format!(
            "func.func @f(%X: {x}) -> {y} {{
  %m = mdh.compute (n in {n}, c in {c}, {results}, {taps}) {conditions}
       ins(%x = %X[n, c, {read}]) outs([n, c, {place}]) {{
    mdh.yield %x : {elem}
  }} : ({x}) -> {y}
  return %m : {y}
}}",
            conditions = self.conditions()
        )
    }

    /// The same with a value in place of elements outside
    fn pool_or_else(&self, op: &str, other: &str) -> String {
        let plain = self.pool(op).replace(&self.conditions(), "");
        plain.replace("]) outs", &format!("] else {other}) outs"))
    }

    /// A convolution, of all channels or of each by itself
    fn convolution(&self, each: bool) -> String {
        let Window { elem, batch: n, channels: c, filters: k, .. } = *self;
        let [results, taps] = self.dims("add");
        let (x, y) = (self.shape(|dim| self.input(dim)), self.shape(|dim| self.out[dim]));
        let w = self.shape(|_| self.taps);
        let (of, dims) = match each {
            true => (c, format!("n in {n}, k in {c}, {results}, {taps}")),
            false => (k, format!("n in {n}, k in {k}, {results}, c in {c} pw add, {taps}")),
        };
        let (channel, filter) = if each { ("k", "k") } else { ("c", "k, c") };
        let w = if each { format!("{c}x{w}") } else { format!("{k}x{c}x{w}") };
        let [x, w, y] =
            [format!("{n}x{c}x{x}"), w, format!("{n}x{of}x{y}")].map(|s| format!("tensor<{s}x{elem}>"));
        let (read, place) =
            (self.list(|dim| self.index(dim), ", "), self.list(|dim| format!("p{dim}"), ", "));
        let (tap, f) = (self.list(|dim| format!("r{dim}"), ", "), &elem[..1]);
        format!(
            "func.func @f(%X: {x}, %W: {w}) -> {y} {{
  %m = mdh.compute ({dims}) {conditions}
       ins(%x = %X[n, {channel}, {read}], %w = %W[{filter}, {tap}]) outs([n, k, {place}]) {{
    %v = arith.mul{f} %x, %w : {elem}
    mdh.yield %v : {elem}
  }} : ({x}, {w}) -> {y}
  return %m : {y}
}}",
            conditions = self.conditions()
        )
    }
}

/// With lanes along the filters, where a tile is turned when it is written. Is that what is chosen?
fn turned(window: Window) -> bool {
    chosen(&window.convolution(false), "").contains("; REG[")
}

/// The schedule that is chosen, whose values are right
fn chosen(text: &str, options: &str) -> String {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{target=x86-64-v4 {options}}})"), text);
    let schedule = shown(&ir);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), text);
    }
    schedule
}

const PLAIN: Window = Window {
    elem: "f32",
    out: [3, 5, 37],
    rank: 2,
    taps: 3,
    stride: 2,
    dilation: 1,
    pad: 0,
    batch: 1,
    channels: 2,
    filters: 7,
};

#[test]
fn pooling_with_stride() {
    agree(&Window { taps: 2, out: [3, 4, 40], ..PLAIN }.pool("max"));
    agree(&PLAIN.pool("max"));
    agree(&Window { elem: "f64", stride: 3, batch: 2, ..PLAIN }.pool("add"));
    agree(&Window { elem: "i32", rank: 1, out: [1, 1, 61], stride: 4, taps: 4, ..PLAIN }.pool("min"));
    agree(&Window { rank: 3, taps: 2, out: [2, 3, 17], ..PLAIN }.pool("max"));
}

#[test]
fn convolutions_with_stride() {
    agree(&PLAIN.convolution(false));
    agree(&Window { taps: 1, out: [1, 3, 28], channels: 5, filters: 16, ..PLAIN }.convolution(false));
    agree(&Window { elem: "f64", stride: 3, batch: 2, out: [1, 2, 19], ..PLAIN }.convolution(false));
    agree(&Window { rank: 1, out: [1, 1, 70], taps: 5, stride: 4, ..PLAIN }.convolution(false));
    agree(&Window { rank: 3, out: [2, 2, 16], filters: 3, ..PLAIN }.convolution(false));
    agree(&Window { stride: 1, dilation: 2, ..PLAIN }.convolution(false));
    agree(&PLAIN.convolution(true));
    // Further apart than a few elements.
    agree(&Window { stride: 5, out: [1, 2, 18], ..PLAIN }.convolution(false));
}

/// Conditions on the dimension of the lanes: some are masked
#[test]
fn windows_with_padding() {
    let padded = Window { pad: 1, stride: 1, ..PLAIN };
    agree(&padded.convolution(false));
    agree(&padded.convolution(true));
    agree(&padded.pool("max"));
    // The last lane is alone, in a vector of its own and in a tile of its own.
    agree(&Window { out: [1, 2, 33], filters: 9, ..padded }.convolution(false));
    agree(&Window { out: [1, 1, 129], channels: 1, ..padded }.convolution(false));
    agree(&Window { stride: 2, elem: "f64", ..padded }.convolution(false));
    agree(&Window { stride: 3, taps: 5, pad: 2, ..padded }.pool("add"));
    agree(&Window { dilation: 3, pad: 3, ..padded }.convolution(false));
    // So many taps that each is an iteration; rows with conditions as well.
    agree(&Window { rank: 1, taps: 19, pad: 9, out: [1, 1, 90], ..padded }.convolution(false));
    agree(&Window { filters: 1, channels: 3, out: [1, 9, 40], ..padded }.convolution(false));
    agree(&Window { rank: 3, out: [2, 2, 18], ..padded }.convolution(false));
}

#[test]
fn windows_with_short_rows() {
    let short = Window {
        elem: "f64",
        stride: 1,
        taps: 2,
        pad: 1,
        out: [1, 16, 5],
        channels: 8,
        filters: 64,
        ..PLAIN
    };
    let windows = [
        short,
        Window { out: [1, 17, 5], filters: 61, ..short },
        Window { rank: 1, out: [1, 1, 5], batch: 16, taps: 4, ..short },
    ];
    assert!(windows.map(turned).contains(&true));
}

/// Are there rows that share what they broadcast? The last tap of a window is a copy of the body then, behind loops over all others
fn shares(schedule: &str) -> bool {
    ["FOR.1,UNR.2)", "FOR.2,UNR.3)", "FOR.3,UNR.4)"].iter().any(|step| schedule.contains(step))
}

/// Steps with lanes along the filters, tiles of five rows that are turned, and the last tap as copies of the body
fn with_taps(window: &Window) -> String {
    let (rank, lanes) = (window.rank, if window.elem == "f64" { 8 } else { 16 });
    let (row, first, dims) = (rank + 1, rank + 2, 2 * rank + 3);
    let step = |n: usize, what: &[(usize, String)], place: &str, core: &[(usize, String)]| {
        let tuple = |all: &[(usize, String)]| {
            let word =
                |dim: usize| all.iter().find(|(own, _)| *own == dim).map_or("^", |(_, word)| word.as_str());
            (0..dims).map(word).collect::<Vec<_>>().join(",")
        };
        format!("\"{n}: ({}) ({place}) ({})\"", tuple(what), tuple(core))
    };
    let all = |dims: &[usize]| dims.iter().map(|dim| (*dim, "1".to_owned())).collect::<Vec<_>>();
    let loops = |dims: &[usize]| {
        dims.iter().enumerate().map(|(n, dim)| (*dim, format!("FOR.{}", n + 1))).collect::<Vec<_>>()
    };
    let axes = (2..rank + 3).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let turned = (3..rank + 3).map(|n| format!("{n},")).collect::<String>();
    let (panel, tile) =
        (format!("^,L2[1/{w},{axes},1%{w}] ; ^", w = 2 * lanes), format!("^,^ ; REG[1,{turned}2]"));
    let outer: Vec<usize> = [0].into_iter().chain(2..row).collect();
    let reduced: Vec<usize> = (first..dims).collect();
    let mut taps = loops(&reduced);
    taps.last_mut().expect("there is a tap").1 = format!("UNR.{}", reduced.len());
    let one = |dim: usize, word: &str| vec![(dim, word.to_owned())];
    let vectors = [one(1, &lanes.to_string()), one(row, "1")].concat();
    [
        step(1, &one(1, &format!("{}~pad", 2 * lanes)), &panel, &one(1, "FOR.1")),
        step(2, &all(&outer), "^,^ ; ^", &loops(&outer)),
        step(3, &one(row, "5~peel"), &tile, &one(row, "FOR.1")),
        step(4, &all(&reduced), "^,^ ; ^", &taps),
        step(5, &vectors, "^,^ ; ^", &[one(1, "UNR.2"), one(row, "UNR.1")].concat()),
        step(6, &one(1, "1"), "^,^ ; ^", &one(1, "VEC.x")),
    ]
    .join(", ")
}

/// Zeros around images: in one to three dimensions, with stride and dilation, of several types, at odd sizes
#[test]
fn rows_share_what_windows_broadcast() {
    let short = Window { stride: 1, pad: 1, out: [1, 3, 13], channels: 5, filters: 35, batch: 2, ..PLAIN };
    let windows = [
        short,
        Window { filters: 32, out: [1, 2, 14], batch: 1, channels: 7, ..short },
        Window { stride: 2, ..short },
        Window { dilation: 2, pad: 2, ..short },
        Window { pad: 0, ..short },
        Window { taps: 5, pad: 2, channels: 3, ..short },
        Window { rank: 1, out: [1, 1, 15], taps: 5, pad: 2, ..short },
        Window { rank: 3, out: [2, 2, 7], channels: 3, batch: 1, ..short },
        Window { elem: "f64", filters: 17, ..short },
        Window { elem: "i32", ..short },
    ];
    for window in windows {
        let zero = if window.elem.starts_with('f') { "] else 0.0, %w" } else { "] else 0, %w" };
        let plain = window.convolution(false).replace(&window.conditions(), "").replace("], %w", zero);
        let given = format!("]) attributes {{mdh.schedule = [{}]}} {{\n", with_taps(&window));
        let text = plain.replacen("]) {\n", &given, 1);
        assert_ne!(plain, text);
        let schedule = chosen(&text, "");
        assert!(shares(&schedule) && schedule.contains("; REG["), "{schedule}");
        chosen(&plain, "units=1");
    }
}

/// What follows a convolution is done in its tiles, which are not turned for that
#[test]
fn turned_tiles_need_a_result_that_nothing_follows() {
    let layer = |end: &str| {
        format!(
            "func.func @f(%X: tensor<8x64x112x112xf32>, %W: tensor<192x64x3x3xf32>) -> tensor<8x192x112x112xf32> {{
  %m = mdh.compute (n in 8, k in 192, y in 112, x in 112, c in 64 pw add, r in 3 pw add, s in 3 pw add)
       ins(%x = %X[n, c, y + r - 1, x + s - 1] else 0.0, %w = %W[k, c, r, s]) outs([n, k, y, x]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<8x64x112x112xf32>, tensor<192x64x3x3xf32>) -> tensor<8x192x112x112xf32>
{end}
}}"
        )
    };
    let scheduled = |text: &str| {
        let mut ir = parse(text);
        lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4 units=1})", text);
        shown(&ir)
    };
    let alone = scheduled(&layer("  return %m : tensor<8x192x112x112xf32>"));
    assert!(alone.contains("; REG[") && shares(&alone), "{alone}");
    let followed = scheduled(&layer(
        "  %e = mdh.compute (n in 8, k in 192, y in 112, x in 112) ins(%a = %m[n, k, y, x]) outs([n, k, y, x]) {
    %zero = arith.constant 0.0 : f32
    %v = arith.maximumf %a, %zero : f32
    mdh.yield %v : f32
  } : (tensor<8x192x112x112xf32>) -> tensor<8x192x112x112xf32>
  return %e : tensor<8x192x112x112xf32>",
    ));
    assert!(!followed.contains("; REG["), "{followed}");
}

/// Elements outside are a value: lanes outside are masked
#[test]
fn windows_with_values_outside() {
    let padded = Window { pad: 1, ..PLAIN };
    agree(&padded.pool_or_else("max", "-9.0"));
    agree(&Window { stride: 1, ..padded }.pool_or_else("add", "1.0"));
    agree(&Window { stride: 3, elem: "f64", out: [1, 3, 21], ..padded }.pool_or_else("max", "-9.0"));
    agree(
        &Window { rank: 1, stride: 4, taps: 5, pad: 3, out: [1, 1, 50], ..padded }.pool_or_else("add", "2.0"),
    );
}

#[test]
fn random_windows() {
    let mut r = Random::new(7);
    for _ in 0..12 {
        let mut small = |most: usize| 1 + r.below(most) as i64;
        let rank = small(3) as usize;
        let (taps, stride, dilation) = (small(3), small(4), small(2));
        let window = Window {
            out: [small(2), small(3), small(if rank == 3 { 20 } else { 40 })],
            rank,
            taps,
            stride,
            dilation,
            pad: small(3) % taps,
            batch: small(2),
            channels: small(2),
            filters: small(6),
            ..PLAIN
        };
        let window = Window { elem: ["f32", "f64", "i32"][r.below(3)], ..window };
        match r.below(3) {
            0 => agree(&window.pool("max")),
            1 => agree(&window.convolution(true)),
            _ => agree(&window.convolution(false)),
        }
    }
}
