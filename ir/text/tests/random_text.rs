//! Programs written at random from the grammar, as text: what is parsed and printed is parsed to the same again.
//!
//! The generator of `dialects/test` makes IR from tables of ops. This one knows no op: it writes names, types, attributes,
//! locations, blocks and regions in all the ways that the grammar allows, the ugly ones too.

use crate::toy::{lenient, parse_with};
use terrace_support::Random;
use terrace_text::{ParseOptions, PrintOptions, print};

const FLOATS: &[&str] =
    &["f16", "bf16", "f32", "f64", "tf32", "f80", "f128", "f8E5M2", "f8E4M3FN", "f4E2M1FN"];
const WORDS: &[&str] =
    &["x", "i32", "true", "loc", "dense", "_", "a.b", "e1", "f32x", "unit", "x4", "affine_map"];
const QUOTED: &[&str] = &[
    "\"\"",
    "\"a b\"",
    "\"\\22\"",
    "\"\\0A\\09\"",
    "\"żółw\"",
    "\"💧\"",
    "\"\\\\\"",
    "\"// no comment\"",
    "\"}\"",
    "\"#loc\"",
    "\"\\00\"",
    "\"\\E2\\82\\AC\"",
    "\"%0\"",
    "\"^bb0\"",
];
const OPAQUE: &[&str] =
    &["<>", "<a>", "<[({<>})]>", "<\">\">", "<i32, [1, 2]>", "<a -> b>", ".b<c>", "<?x3>", "<-1>"];

struct Writer {
    random: Random,
    out: String,
    values: u32,
    depth: u32,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer { random: Random::new(seed), out: String::new(), values: 0, depth: 0 }
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u64) as usize
    }

    fn one<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn maybe(&mut self) -> bool {
        self.below(3) == 0
    }

    /// A few things with commas between
    fn list(&mut self, most: usize, mut item: impl FnMut(&mut Writer) -> String) -> String {
        let count = self.below(most + 1);
        (0..count).map(|_| item(self)).collect::<Vec<_>>().join(", ")
    }

    /// Something smaller, or a leaf where it is deep enough
    fn inner(&mut self, item: fn(&mut Writer) -> String, leaf: fn(&mut Writer) -> String) -> String {
        if self.depth > 2 {
            return leaf(self);
        }
        self.depth += 1;
        let text = item(self);
        self.depth -= 1;
        text
    }

    fn int_type(&mut self) -> String {
        let sign = self.one(&["i", "si", "ui"]);
        let width = [1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257][self.below(14)];
        format!("{sign}{width}")
    }

    fn scalar(&mut self) -> String {
        match self.below(3) {
            0 => self.int_type(),
            1 => "index".into(),
            _ => self.one(FLOATS).into(),
        }
    }

    fn shape(&mut self, dynamic: bool) -> String {
        let count = self.below(4);
        let size = |w: &mut Writer| match w.below(5) {
            0 if dynamic => "?x".to_string(),
            1 => "1x".to_string(),
            2 if dynamic => "0x".to_string(),
            _ => format!("{}x", 1 + w.below(1000)),
        };
        (0..count).map(|_| size(self)).collect()
    }

    fn ty(&mut self) -> String {
        let small = |w: &mut Writer| w.inner(Writer::ty, Writer::scalar);
        match self.below(13) {
            0 => "none".into(),
            1 => format!("tuple<{}>", self.list(3, small)),
            2 => format!("({}) -> ({})", self.list(3, small), self.list(3, small)),
            3 => format!("complex<{}>", self.one(FLOATS)),
            4 => {
                let sizes: Vec<String> = (0..self.below(4))
                    .map(|_| {
                        if self.maybe() {
                            format!("[{}]x", 1 + self.below(9))
                        } else {
                            format!("{}x", 1 + self.below(9))
                        }
                    })
                    .collect();
                format!("vector<{}{}>", sizes.concat(), self.scalar())
            }
            5 => {
                let encoding = if self.maybe() {
                    format!(", {}", self.inner(Writer::attr, Writer::leaf))
                } else {
                    String::new()
                };
                format!("tensor<{}{}{encoding}>", self.shape(true), self.scalar())
            }
            6 => format!("tensor<*x{}>", self.scalar()),
            7 => format!("memref<{}{}>", self.shape(true), self.scalar()),
            8 => {
                let space = self.one(&["", ", 1", ", \"near\"", ", 3 : i32", ", #s.p<1>"]);
                format!("memref<4x?x{}, strided<[?, 1], offset: ?>{space}>", self.scalar())
            }
            9 => format!(
                "memref<4x5x{}, affine_map<(d0, d1) -> (d1 floordiv 3, d0 * -2 + d1 mod 7)>>",
                self.scalar()
            ),
            10 => format!("!{}{}", self.one(&["foo", "a_b", "x0"]), self.one(OPAQUE)),
            _ => self.scalar(),
        }
    }

    fn digits(&mut self) -> String {
        let count = 1 + self.below(60);
        let mut text: String = (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect();
        if text.len() > 1 && text.starts_with('0') {
            text.replace_range(0..1, "1");
        }
        text
    }

    fn leaf(&mut self) -> String {
        match self.below(8) {
            0 => "unit".into(),
            1 => self.one(&["true", "false"]).into(),
            2 => self.one(QUOTED).into(),
            3 => format!("{} : i{}", self.digits(), 256 + self.below(9)),
            4 => format!("-{} : si{}", self.digits(), 256 + self.below(9)),
            5 => self
                .one(&[
                    "1.0",
                    "-0.0",
                    "1.0e300",
                    "5.0e-324",
                    "0x7FF8000000000001 : f64",
                    "0x7FC00001 : f32",
                    "0xFF80 : bf16",
                ])
                .into(),
            6 => self.symbol(),
            _ => self
                .one(&[
                    "0",
                    "-1",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "0xFF : i8",
                    "-128 : i8",
                    "255 : ui8",
                ])
                .into(),
        }
    }

    fn symbol(&mut self) -> String {
        let name = |w: &mut Writer| match w.maybe() {
            true => format!("@{}", w.one(&QUOTED[1..])),
            false => format!("@{}", w.one(&["f", "a.b", "_", "x$y.z", "loc"])),
        };
        let count = 1 + self.below(3);
        (0..count).map(|_| name(self)).collect::<Vec<_>>().join("::")
    }

    fn entries(&mut self) -> String {
        let count = self.below(4);
        let mut keys: Vec<String> = Vec::new();
        for _ in 0..count {
            let key = if self.maybe() { self.one(&QUOTED[1..]) } else { self.one(WORDS) }.to_string();
            // A name may be there once; quotes make no other name.
            if !keys.iter().any(|other| other.trim_matches('"') == key.trim_matches('"')) {
                keys.push(key);
            }
        }
        let entry = |key: String, w: &mut Writer| match w.below(4) {
            0 => key,
            _ => format!("{key} = {}", w.inner(Writer::attr, Writer::leaf)),
        };
        keys.into_iter().map(|key| entry(key, self)).collect::<Vec<_>>().join(", ")
    }

    fn attr(&mut self) -> String {
        let small = |w: &mut Writer| w.inner(Writer::attr, Writer::leaf);
        match self.below(14) {
            0 => format!("[{}]", self.list(4, small)),
            1 => format!("{{{}}}", self.entries()),
            2 => self.ty(),
            3 => self
                .one(&[
                    "affine_map<() -> ()>",
                    "affine_map<(d0)[s0, s1] -> (d0 ceildiv 4 + s1, -s0, 3)>",
                    "affine_map<(i, j) -> (i - j * 5, (i mod 2) floordiv 3)>",
                    "affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 * 2 == 0)>",
                    "affine_set<() : (0 == 0)>",
                ])
                .into(),
            4 => self
                .one(&[
                    "dense<1> : tensor<2x3xi32>",
                    "dense<[[1, -2], [3, 4]]> : tensor<2x2xi7>",
                    "dense<> : tensor<0x4xf32>",
                    "dense<[true, false, true]> : vector<3xi1>",
                    "dense<0x7FC00000> : tensor<f32>",
                    "dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>",
                    "dense<\"0x01020304\"> : tensor<4xi8>",
                    "dense<[\"a\", \"\\22\", \"ż\"]> : tensor<3x!foo<s>>",
                    "dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>",
                    "dense<3> : tensor<2xindex>",
                    "sparse<[[0, 1], [2, 3]], [1, 2]> : tensor<3x4xi32>",
                    "sparse<0, 1.0> : tensor<1xf32>",
                ])
                .into(),
            5 => self
                .one(&[
                    "array<i8>",
                    "array<i64: 1, -2>",
                    "array<i1: true, false>",
                    "array<f32: 1.0, 0x7F800000>",
                    "array<i16: -32768>",
                ])
                .into(),
            6 => format!("distinct[{}]<{}>", self.values + 1000, self.leaf()),
            7 => format!("loc({})", self.location()),
            8 => format!("#{}{}", self.one(&["foo", "a_b", "x0"]), self.one(OPAQUE)),
            9 => {
                self.one(&["strided<[]>", "strided<[1, ?, -3], offset: ?>", "strided<[7], offset: 5>"]).into()
            }
            _ => self.leaf(),
        }
    }

    fn location(&mut self) -> String {
        let small = |w: &mut Writer| w.inner(Writer::location, |_| "unknown".into());
        match self.below(7) {
            0 => format!("{}:{}:{}", self.one(&QUOTED[1..]), self.below(100), self.below(100)),
            1 => "\"f.mlir\":1:2 to :7".into(),
            2 => "\"f.mlir\":1:2 to 3:7".into(),
            3 => format!("{}({})", self.one(&["\"name\"", "\"ż\""]), small(self)),
            4 => format!("callsite({} at {})", small(self), small(self)),
            5 => {
                let metadata = if self.maybe() {
                    format!("<{}>", self.inner(Writer::attr, Writer::leaf))
                } else {
                    String::new()
                };
                format!("fused{metadata}[{}, {}]", small(self), small(self))
            }
            _ => "unknown".into(),
        }
    }

    fn trailing(&mut self) -> String {
        if self.maybe() { format!(" loc({})", self.location()) } else { String::new() }
    }

    /// A name for so many results, or arguments, that no other has
    fn name(&mut self) -> String {
        self.values += 1;
        let n = self.values;
        match self.below(4) {
            0 => format!("%{n}"),
            1 => format!("%v{n}"),
            2 => format!("%$-._{n}_"),
            _ => format!("%arg{n}"),
        }
    }

    /// A block's ops; `known` are values with types that they may use, also those defined further down
    fn ops(&mut self, known: &mut Vec<(String, String)>, blocks: usize) {
        let count = 1 + self.below(4);
        // What is defined below may be used above.
        let mut heads: Vec<(String, Vec<String>)> = Vec::new();
        for _ in 0..count {
            let results: Vec<String> = (0..self.below(4)).map(|_| self.ty()).collect();
            let name = if results.is_empty() { String::new() } else { self.name() };
            for (n, ty) in results.iter().enumerate() {
                let text = if results.len() == 1 { name.clone() } else { format!("{name}#{n}") };
                known.push((text, ty.clone()));
            }
            heads.push((name, results));
        }
        for (at, (name, results)) in heads.iter().enumerate() {
            match results.len() {
                0 => {}
                1 => self.out += &format!("{name} = "),
                count => self.out += &format!("{name}:{count} = "),
            }
            let op = self.one(&["\"foo.op\"", "\"x\"", "\"a.b.c\"", "\"od d.ż\""]);
            let used: Vec<(String, String)> = (0..self.below(4))
                .filter_map(|_| known.get(self.below(known.len().max(1))).cloned())
                .collect();
            let operands = used.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(", ");
            let types = used.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>().join(", ");
            self.out += &format!("{op}({operands})");
            if at + 1 == heads.len() && blocks > 1 {
                let to: Vec<String> =
                    (0..1 + self.below(2)).map(|_| format!("^bb{}", 1 + self.below(blocks - 1))).collect();
                self.out += &format!("[{}]", to.join(", "));
            }
            if self.maybe() {
                let entries = self.entries();
                self.out += &format!(" <{{{entries}}}>");
            }
            if self.depth < 3 && self.maybe() {
                self.out += " (";
                let count = 1 + self.below(2);
                for n in 0..count {
                    self.out += if n > 0 { ", " } else { "" };
                    self.depth += 1;
                    self.region(&known.clone());
                    self.depth -= 1;
                }
                self.out.push(')');
            }
            if self.maybe() {
                let entries = self.entries();
                self.out += &format!(" {{{entries}}}");
            }
            let trailing = self.trailing();
            self.out += &format!(" : ({types}) -> ({}){trailing}\n", results.join(", "));
        }
    }

    fn region(&mut self, around: &[(String, String)]) {
        self.out += "{\n";
        let blocks = if self.maybe() { 1 + self.below(3) } else { 1 };
        let mut known = around.to_vec();
        for n in 0..blocks {
            if n > 0 || self.maybe() {
                // A branch is to a block of no arguments: its operands are no matter of the grammar.
                let args: Vec<String> = (0..self.below(3))
                    .map(|_| {
                        let (name, ty) = (self.name(), self.ty());
                        known.push((name.clone(), ty.clone()));
                        format!("{name}: {ty}{}", self.trailing())
                    })
                    .collect();
                self.out += &format!("^bb{n}");
                if !args.is_empty() {
                    self.out += &format!("({})", args.join(", "));
                }
                self.out += ":\n";
            }
            self.ops(&mut known, blocks);
        }
        self.out.push('}');
    }
}

/// A program, written at random
pub fn text_of(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    writer.ops(&mut Vec::new(), 1);
    writer.out
}

/// The text of a program, parsed and printed
fn again(text: &str, options: &PrintOptions, threads: usize) -> String {
    let options_in = ParseOptions { threads, parallel_from: 0, ..lenient() };
    let (ir, errors) = parse_with(text, &options_in);
    let ir = ir.filter(|_| errors.is_empty()).unwrap_or_else(|| panic!("{}\n{text}", errors.join("\n")));
    let mut out = String::new();
    print(&ir, options, &mut out);
    out
}

#[test]
fn random_text_comes_back() {
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let located = PrintOptions { debuginfo: true, ..PrintOptions::default() };
    let local = PrintOptions { local_scope: true, ..PrintOptions::default() };
    for seed in 0..120 {
        let text = text_of(seed);
        let first = again(&text, &generic, 1);
        // Printed in any form, it is the same program.
        for form in [&generic, &located, &local, &PrintOptions::default()] {
            let printed = again(&text, form, 1);
            assert_eq!(again(&printed, form, 1), printed, "seed {seed}\n{text}");
            assert_eq!(again(&printed, &generic, 1), first, "seed {seed}\n{text}");
            assert_eq!(again(&printed, form, 4), printed, "seed {seed}, on four threads\n{text}");
        }
    }
}
