//! Random statements of `arith` and `math` on scalars and vectors.

use super::{Maker, Ty, float, width};

impl Maker<'_> {
    pub(super) fn arith(&mut self) {
        let ty = self.any();
        let (a, b) = (self.of(ty), self.of(ty));
        if float(ty) {
            return self.float_arith(ty, &a, &b);
        }
        match self.r.below(30) {
            0..=14 => {
                let op = self.r.pick(&[
                    "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
                    "addi", "muli",
                ]);
                let flags = match op {
                    "addi" | "subi" | "muli" if self.r.below(12) == 0 => {
                        self.r.pick(&[" overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"])
                    }
                    _ => "",
                };
                self.define(ty, &format!("arith.{op} {a}, {b}{flags} : {ty}"));
            }
            15..=17 => self.shift(ty, &a, b),
            18..=20 => self.divide(ty, &a, b),
            21..=23 if !ty.starts_with("vector") => self.compare(ty),
            24..=26 => self.select(ty),
            27 if !ty.starts_with("vector") && ty != "index" => {
                let op = self.r.pick(&["addui_extended", "mulsi_extended", "mului_extended"]);
                let name = self.fresh();
                let types = if op == "addui_extended" { format!("{ty}, i1") } else { ty.to_owned() };
                self.line(&format!("{name}:2 = arith.{op} {a}, {b} : {types}"));
                self.pool.push((format!("{name}#0"), ty));
                self.pool.push((format!("{name}#1"), if op == "addui_extended" { "i1" } else { ty }));
            }
            _ => {
                self.constant(ty);
            }
        }
    }

    pub(super) fn float_arith(&mut self, ty: Ty, a: &str, b: &str) {
        match self.r.below(12) {
            0..=7 => {
                let op = self
                    .r
                    .pick(&["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf", "divf"]);
                self.define(ty, &format!("arith.{op} {a}, {b} : {ty}"));
            }
            8 => {
                self.define(ty, &format!("arith.negf {a} : {ty}"));
            }
            9 if !ty.starts_with("vector") => self.compare(ty),
            _ => self.select(ty),
        }
    }

    pub(super) fn shift(&mut self, ty: Ty, a: &str, b: String) {
        // A shift by less than the width, mostly.
        let op = self.r.pick(&["shli", "shrsi", "shrui"]);
        let by = match width(ty) {
            w if w > 1 && self.r.below(8) > 0 && !ty.starts_with("vector") => {
                let c = self.r.below(w as i64).min((1i64 << (w - 1).min(40)) - 1);
                self.define(ty, &format!("arith.constant {c} : {ty}"))
            }
            _ => b,
        };
        self.define(ty, &format!("arith.{op} {a}, {by} : {ty}"));
    }

    pub(super) fn divide(&mut self, ty: Ty, a: &str, b: String) {
        let op = self.r.pick(&["divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"]);
        // Divisors are odd, mostly.
        let by = match ty {
            "i1" => b,
            _ if self.r.below(10) > 0 => {
                let value = if ty.starts_with("vector") { "dense<1>" } else { "1" };
                let one = self.define(ty, &format!("arith.constant {value} : {ty}"));
                self.define(ty, &format!("arith.ori {b}, {one} : {ty}"))
            }
            _ => b,
        };
        if ty == "i1" {
            return;
        }
        self.define(ty, &format!("arith.{op} {a}, {by} : {ty}"));
    }

    pub(super) fn compare(&mut self, ty: Ty) {
        let (a, b) = (self.of(ty), self.of(ty));
        let (op, kind) = if float(ty) {
            let kind = self.r.pick(&[
                "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
                "uno",
            ]);
            ("cmpf", kind)
        } else {
            ("cmpi", self.r.pick(&["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]))
        };
        self.define("i1", &format!("arith.{op} {kind}, {a}, {b} : {ty}"));
    }

    pub(super) fn select(&mut self, ty: Ty) {
        let (c, a, b) = (self.of("i1"), self.of(ty), self.of(ty));
        self.define(ty, &format!("arith.select {c}, {a}, {b} : {ty}"));
    }

    pub(super) fn convert(&mut self) {
        let plain: Vec<Ty> = self.types.clone();
        let (from, to) = (self.r.pick(&plain), self.r.pick(&plain));
        let a = self.of(from);
        let op = match (float(from), float(to)) {
            (true, true) if width(from) < width(to) => "extf",
            (true, true) if width(from) > width(to) => "truncf",
            (true, true) => return,
            (true, false) if to != "index" && to != "i1" => self.r.pick(&["fptosi", "fptoui"]),
            (false, true) if from != "index" => self.r.pick(&["sitofp", "uitofp"]),
            (false, false) if from == "index" && to != "index" || to == "index" && from != "index" => {
                self.r.pick(&["index_cast", "index_castui"])
            }
            (false, false) if from == to => return,
            (false, false) if width(from) < width(to) => self.r.pick(&["extsi", "extui"]),
            (false, false) if width(from) > width(to) => "trunci",
            (false, false) => return,
            _ if (from, to) == ("f32", "i32") => "bitcast",
            _ => return,
        };
        self.define(to, &format!("arith.{op} {a} : {from} to {to}"));
    }

    pub(super) fn math(&mut self) {
        let ty = self.any();
        let (a, b, c) = (self.of(ty), self.of(ty), self.of(ty));
        if float(ty) {
            let op = self.r.pick(&[
                "absf",
                "floor",
                "ceil",
                "trunc",
                "roundeven",
                "round",
                "copysign",
                "fma",
                "sqrt",
            ]);
            match op {
                "copysign" => self.define(ty, &format!("math.copysign {a}, {b} : {ty}")),
                "fma" => self.define(ty, &format!("math.fma {a}, {b}, {c} : {ty}")),
                _ => self.define(ty, &format!("math.{op} {a} : {ty}")),
            };
        } else if ty != "index" {
            let op = self.r.pick(&["absi", "ctlz", "cttz", "ctpop"]);
            self.define(ty, &format!("math.{op} {a} : {ty}"));
        }
    }
}
