//! Folds and rules of `vector` against the interpreter: random functions on vectors, before and after `canonicalize`.
//!
//! Half of the vectors are constants, half come in as arguments, so both folds and rules have something to do. What traps
//! or is poison before may be anything after. The numbers come from a fixed seed.

use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_vector as vector;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_rewrite::Greedy;
use terrace_rewrite::canonicalize::CanonicalRules;
use terrace_support::Random;

/// A type: no shape for a scalar
#[derive(Clone, PartialEq, Debug)]
struct Ty {
    shape: Option<Vec<usize>>,
    elem: &'static str,
}

impl Ty {
    fn vector(shape: &[usize], elem: &'static str) -> Ty {
        Ty { shape: Some(shape.to_vec()), elem }
    }

    fn shape(&self) -> &[usize] {
        self.shape.as_deref().unwrap_or(&[])
    }

    fn count(&self) -> usize {
        self.shape().iter().product()
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.shape {
            None => f.write_str(self.elem),
            Some(shape) => {
                f.write_str("vector<")?;
                shape.iter().try_for_each(|size| write!(f, "{size}x"))?;
                write!(f, "{}>", self.elem)
            }
        }
    }
}

const SHAPES: &[&[usize]] =
    &[&[1], &[2], &[4], &[6], &[2, 2], &[1, 4], &[2, 3], &[3, 2], &[4, 1], &[2, 1, 3], &[2, 2, 2], &[8]];

/// A function in the making
struct Making<'a> {
    random: &'a mut Random,
    text: String,
    values: Vec<(String, Ty)>,
    count: usize,
}

impl Making<'_> {
    fn new_name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn emit(&mut self, ty: Ty, op: String) {
        let name = self.new_name();
        self.text.push_str(&format!("  {name} = {op}\n"));
        self.values.push((name, ty));
    }

    fn line(&mut self, op: String) {
        self.text.push_str(&format!("  {op}\n"));
    }

    fn number(&mut self, elem: &str) -> String {
        match elem {
            "i1" => ["true", "false"][self.random.below(2)].into(),
            "f32" => format!("{}.5", self.random.below(9) - 4),
            _ => format!("{}", self.random.below(9) - 2),
        }
    }

    fn constant(&mut self, ty: &Ty) -> (String, Ty) {
        let op = match &ty.shape {
            None if ty.elem == "i1" => format!("arith.constant {}", self.number("i1")),
            None => format!("arith.constant {} : {}", self.number(ty.elem), ty.elem),
            Some(_) if self.random.below(2) == 0 => {
                format!("arith.constant dense<{}> : {ty}", self.number(ty.elem))
            }
            Some(shape) => {
                let mut text = String::new();
                self.nested(shape, ty.elem, &mut text);
                format!("arith.constant dense<{text}> : {ty}")
            }
        };
        self.emit(ty.clone(), op);
        self.values.last().expect("just added").clone()
    }

    fn nested(&mut self, shape: &[usize], elem: &str, text: &mut String) {
        let Some((&size, rest)) = shape.split_first() else {
            text.push_str(&self.number(elem));
            return;
        };
        text.push('[');
        for n in 0..size {
            text.push_str(if n > 0 { ", " } else { "" });
            self.nested(rest, elem, text);
        }
        text.push(']');
    }

    /// A value that a test accepts
    fn any(&mut self, test: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let fit: Vec<usize> = (0..self.values.len()).filter(|n| test(&self.values[*n].1)).collect();
        // Later values more often, so that chains grow.
        let at = fit.len().checked_sub(1 + self.random.below(fit.len().min(5)))?;
        Some(self.values[fit[at]].clone())
    }

    /// A value of a type: one that is there or a constant
    fn of(&mut self, ty: &Ty) -> String {
        let wanted = ty.clone();
        match self.any(|other| *other == wanted) {
            Some((name, _)) if self.random.below(4) > 0 => name,
            _ => self.constant(ty).0,
        }
    }

    fn position(&mut self, shape: &[usize]) -> String {
        let parts: Vec<String> = shape
            .iter()
            .map(|size| match self.random.below(8) {
                0 => self.of(&Ty { shape: None, elem: "index" }),
                1 if self.random.below(4) == 0 => "-1".into(),
                _ => self.random.below(*size).to_string(),
            })
            .collect();
        format!("[{}]", parts.join(", "))
    }

    fn mask(&mut self, shape: &[usize]) -> String {
        let ty = Ty::vector(shape, "i1");
        let op = match self.random.below(4) {
            0 => {
                let bounds: Vec<String> =
                    shape.iter().map(|_| self.of(&Ty { shape: None, elem: "index" })).collect();
                format!("vector.create_mask {} : {ty}", bounds.join(", "))
            }
            1 => {
                let zero = self.random.below(3) == 0;
                let bounds: Vec<String> = shape
                    .iter()
                    .map(|size| if zero { 0 } else { 1 + self.random.below(*size) }.to_string())
                    .collect();
                format!("vector.constant_mask [{}] : {ty}", bounds.join(", "))
            }
            2 => format!("arith.constant dense<{}> : {ty}", self.number("i1")),
            _ => return self.of(&ty),
        };
        self.emit(ty, op);
        self.values.last().expect("just added").0.clone()
    }

    /// Add an op; nothing where no value fits
    fn step(&mut self) -> Option<()> {
        let is_data = |ty: &Ty| ty.elem != "i1" && ty.elem != "index";
        let last = self.values.last().filter(|(_, ty)| ty.shape.is_some() && is_data(ty)).cloned();
        let (v, ty) = match last {
            // Chains, so that rules that look through an op find one.
            Some(last) if self.random.below(2) == 0 => last,
            _ => self.any(|ty| ty.shape.is_some() && is_data(ty))?,
        };
        let (elem, shape) = (ty.elem, ty.shape().to_vec());
        let scalar = Ty { shape: None, elem };
        let add = if elem == "f32" { "arith.addf" } else { "arith.addi" };
        match self.random.below(27) {
            0 => {
                let lead = [&[2][..], &[], &[1, 2]][self.random.below(3)];
                let to: Vec<usize> = lead
                    .iter()
                    .copied()
                    .chain(shape.iter().map(|size| if *size == 1 { 2 } else { *size }))
                    .collect();
                let to = Ty::vector(&to, elem);
                self.emit(to.clone(), format!("vector.broadcast {v} : {ty} to {to}"));
            }
            1 => {
                let x = self.of(&scalar);
                let line = Ty::vector(&shape[shape.len() - 1..], elem);
                self.emit(line.clone(), format!("vector.broadcast {x} : {elem} to {line}"));
                let line_name = self.values.last()?.0.clone();
                self.emit(ty.clone(), format!("vector.broadcast {line_name} : {line} to {ty}"));
            }
            2 | 3 => {
                let deep = self.random.below(shape.len() + 1);
                let to = match &shape[deep..] {
                    [] => scalar,
                    rest => Ty::vector(rest, elem),
                };
                let at = self.position(&shape[..deep]);
                self.emit(to.clone(), format!("vector.extract {v}{at} : {to} from {ty}"));
            }
            4 | 5 => {
                let deep = self.random.below(shape.len() + 1);
                let from = match &shape[deep..] {
                    [] => scalar,
                    rest => Ty::vector(rest, elem),
                };
                let x = self.of(&from);
                let at = self.position(&shape[..deep]);
                self.emit(ty.clone(), format!("vector.insert {x}, {v} {at} : {from} into {ty}"));
            }
            6 => {
                let other = self.of(&ty);
                let len = [shape[0], 1 + self.random.below(4)][self.random.below(2)];
                let start = self.random.below(2) * shape[0];
                let straight = self.random.below(2) == 0;
                let mask: Vec<String> = (0..len)
                    .map(|n| {
                        if straight { (start + n) % (2 * shape[0]) } else { self.random.below(2 * shape[0]) }
                    })
                    .map(|at| at.to_string())
                    .collect();
                let mut to = shape.clone();
                to[0] = len;
                self.emit(
                    Ty::vector(&to, elem),
                    format!("vector.shuffle {v}, {other} [{}] : {ty}, {ty}", mask.join(", ")),
                );
            }
            7 | 8 => {
                let fit: Vec<&&[usize]> =
                    SHAPES.iter().filter(|other| other.iter().product::<usize>() == ty.count()).collect();
                let to = Ty::vector(fit.get(self.random.below(fit.len())).copied()?, elem);
                self.emit(to.clone(), format!("vector.shape_cast {v} : {ty} to {to}"));
            }
            9 | 10 => {
                let (mut v, mut ty) = (v, ty);
                for _ in 0..1 + self.random.below(2) {
                    let mut order: Vec<usize> = (0..shape.len()).collect();
                    for n in (1..order.len()).rev() {
                        let other = self.random.below(n + 1);
                        order.swap(n, other);
                    }
                    let to: Vec<usize> = order.iter().map(|dim| ty.shape()[*dim]).collect();
                    let to = Ty::vector(&to, elem);
                    self.emit(to.clone(), format!("vector.transpose {v}, {order:?} : {ty} to {to}"));
                    (v, ty) = self.values.last()?.clone();
                }
            }
            11 => {
                let (mut offsets, mut sizes, mut to) = (Vec::new(), Vec::new(), shape.clone());
                for size in to.iter_mut() {
                    let offset = self.random.below(*size);
                    *size = 1 + self.random.below(*size - offset);
                    offsets.push(offset);
                    sizes.push(*size);
                }
                let to = Ty::vector(&to, elem);
                let ones = vec![1; sizes.len()];
                self.emit(to.clone(), format!("vector.extract_strided_slice {v} {{offsets = {offsets:?}, sizes = {sizes:?}, strides = {ones:?}}} : {ty} to {to}"));
            }
            12 => {
                let (mut offsets, mut part) = (Vec::new(), shape.clone());
                for size in part.iter_mut() {
                    let offset = self.random.below(*size);
                    *size = 1 + self.random.below(*size - offset);
                    offsets.push(offset);
                }
                let from = Ty::vector(&part, elem);
                let x = self.of(&from);
                let ones = vec![1; part.len()];
                self.emit(ty.clone(), format!("vector.insert_strided_slice {x}, {v} {{offsets = {offsets:?}, strides = {ones:?}}} : {from} into {ty}"));
            }
            13 => {
                let names: Vec<String> = (0..ty.count()).map(|_| self.new_name()).collect();
                let last = names.last()?.clone();
                self.line(format!("{} = vector.to_elements {v} : {ty}", names.join(", ")));
                let mut back = names.clone();
                match self.random.below(3) {
                    0 => back.reverse(),
                    1 => back.fill(names[0].clone()),
                    _ => {}
                }
                self.values.push((last, scalar));
                self.emit(ty.clone(), format!("vector.from_elements {} : {ty}", back.join(", ")));
            }
            14 => {
                let other = self.of(&ty);
                let mut to = shape.clone();
                *to.last_mut()? *= 2;
                let to = Ty::vector(&to, elem);
                self.emit(to.clone(), format!("vector.interleave {v}, {other} : {ty} -> {to}"));
            }
            15 => {
                let mut to = shape.clone();
                let last = to.last_mut()?;
                if *last % 2 != 0 {
                    return None;
                }
                *last /= 2;
                let to = Ty::vector(&to, elem);
                let (a, b) = (self.new_name(), self.new_name());
                self.line(format!("{a}, {b} = vector.deinterleave {v} : {ty} -> {to}"));
                self.values.push((a, to.clone()));
                self.values.push((b, to));
            }
            16 => {
                let to = Ty::vector(&shape, if elem == "f32" { "i32" } else { "f32" });
                self.emit(to.clone(), format!("vector.bitcast {v} : {ty} to {to}"));
            }
            17 => {
                let other = self.of(&ty);
                let mask = self.mask(&shape);
                self.emit(
                    ty.clone(),
                    format!("arith.select {mask}, {v}, {other} : {}, {ty}", Ty::vector(&shape, "i1")),
                );
            }
            18 => {
                let other = self.of(&ty);
                self.emit(ty.clone(), format!("{add} {v}, {other} : {ty}"));
            }
            19 => {
                let kind = if elem == "f32" { "maximumf" } else { "minsi" };
                let dims: Vec<usize> = (0..shape.len()).filter(|_| self.random.below(2) == 0).collect();
                let rest: Vec<usize> =
                    (0..shape.len()).filter(|dim| !dims.contains(dim)).map(|dim| shape[dim]).collect();
                let to = if rest.is_empty() { scalar } else { Ty::vector(&rest, elem) };
                let acc = self.of(&to);
                self.emit(
                    to.clone(),
                    format!("vector.multi_reduction <{kind}>, {v}, {acc} {dims:?} : {ty} to {to}"),
                );
            }
            20 if shape.len() == 1 => {
                let op = format!("vector.reduction <add>, {v} : {ty} into {elem}");
                if self.random.below(2) == 0 {
                    let mask = self.mask(&shape);
                    let mask_ty = Ty::vector(&shape, "i1");
                    self.emit(scalar, format!("vector.mask {mask} {{ {op} }} : {mask_ty} -> {elem}"));
                } else {
                    self.emit(scalar, op);
                }
            }
            21 if shape.len() == 1 => {
                let (w, other) = self.any(|ty| ty.shape().len() == 1 && ty.elem == elem)?;
                let to = Ty::vector(&[shape[0], other.shape()[0]], elem);
                let acc = self.of(&to);
                self.emit(to, format!("vector.outerproduct {v}, {w}, {acc} : {ty}, {other}"));
            }
            22 => {
                let at = self.place();
                let mask = self.mask(&shape);
                let mask_ty = Ty::vector(&shape, "i1");
                let memory = memory(elem);
                match self.random.below(4) {
                    0 => self.line(format!(
                        "vector.maskedstore %{elem}{at}, {mask}, {v} : {memory}, {mask_ty}, {ty}"
                    )),
                    1 if shape.len() == 1 => {
                        self.line(format!(
                            "vector.compressstore %{elem}{at}, {mask}, {v} : {memory}, {mask_ty}, {ty}"
                        ));
                    }
                    2 if shape.len() == 1 => self.emit(
                        ty.clone(),
                        format!(
                            "vector.expandload %{elem}{at}, {mask}, {v} : {memory}, {mask_ty}, {ty} into {ty}"
                        ),
                    ),
                    _ => self.emit(
                        ty.clone(),
                        format!(
                            "vector.maskedload %{elem}{at}, {mask}, {v} : {memory}, {mask_ty}, {ty} into {ty}"
                        ),
                    ),
                }
            }
            23 => {
                let (at, pad) = (self.place(), self.of(&scalar));
                let mask = self.mask(&shape);
                self.emit(
                    ty.clone(),
                    format!("vector.transfer_read %{elem}{at}, {pad}, {mask} : {}, {ty}", memory(elem)),
                );
            }
            24 => {
                let (at, mask) = (self.place(), self.mask(&shape));
                self.line(format!("vector.transfer_write {v}, %{elem}{at}, {mask} : {ty}, {}", memory(elem)));
            }
            25 => {
                let indices = Ty::vector(&shape, "index");
                let (at, mask, by) = (self.place(), self.mask(&shape), self.of(&indices));
                let mask_ty = Ty::vector(&shape, "i1");
                if self.random.below(3) == 0 {
                    self.line(format!(
                        "vector.scatter %{elem}{at} [{by}], {mask}, {v} : {}, {indices}, {mask_ty}, {ty}",
                        memory(elem)
                    ));
                    return Some(());
                }
                self.emit(ty.clone(), format!("vector.gather %{elem}{at} [{by}], {mask}, {v} : {}, {indices}, {mask_ty}, {ty} into {ty}", memory(elem)));
            }
            26 => {
                let dim = self.random.below(shape.len());
                let mut rest = shape.clone();
                rest.remove(dim);
                if rest.is_empty() {
                    return None;
                }
                let initial = Ty::vector(&rest, elem);
                let start = self.of(&initial);
                let (a, b) = (self.new_name(), self.new_name());
                let inclusive = self.number("i1");
                self.line(format!("{a}, {b} = vector.scan <add>, {v}, {start} {{inclusive = {inclusive}, reduction_dim = {dim} : i64}} : {ty}, {initial}"));
                self.values.push((a, ty.clone()));
                self.values.push((b, initial));
            }
            _ => return None,
        }
        Some(())
    }

    fn place(&mut self) -> String {
        let at: Vec<String> = (0..3).map(|_| self.of(&Ty { shape: None, elem: "index" })).collect();
        format!("[{}]", at.join(", "))
    }
}

fn memory(elem: &str) -> String {
    format!("memref<4x6x8x{elem}>")
}

const ARGS: &[(&str, &[usize], &str)] =
    &[("%a", &[4], "i32"), ("%b", &[2, 3], "i32"), ("%c", &[2, 2], "f32"), ("%d", &[6], "f32")];

/// Rules that random functions seldom meet
const RARE: &str = "\
func.func @f(%a: vector<4xi32>, %b: vector<2x3xi32>, %c: vector<2x2xf32>, %d: vector<6xf32>, %n: index)
    -> (i32, vector<3x2xindex>) {
  %t = vector.transpose %b, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %e = vector.extract %t[2, 1] : i32 from vector<3x2xi32>
  %s = vector.broadcast %n : index to vector<2x3xindex>
  %u = vector.transpose %s, [1, 0] : vector<2x3xindex> to vector<3x2xindex>
  return %e, %u : i32, vector<3x2xindex>
}
";

fn function(random: &mut Random, name: &str) -> String {
    let mut args: Vec<String> = Vec::new();
    let mut values = Vec::new();
    for (arg, shape, elem) in ARGS {
        let ty = Ty::vector(shape, elem);
        args.push(format!("{arg}: {ty}"));
        values.push((arg.to_string(), ty));
    }
    args.push("%n: index".into());
    values.push(("%n".into(), Ty { shape: None, elem: "index" }));
    let mut making = Making { random, text: String::new(), values, count: 0 };
    making.line("%zero = arith.constant 0 : index".into());
    for elem in ["i32", "f32"] {
        let all = Ty::vector(&[4, 6, 8], elem);
        let (value, _) = making.constant(&all);
        making.values.pop();
        making.line(format!("%{elem} = memref.alloc() : {}", memory(elem)));
        // By way of a cast that forgets sizes.
        let open = format!("memref<?x6x?x{elem}>");
        making.line(format!("%{elem}_open = memref.cast %{elem} : {} to {open}", memory(elem)));
        making.line(format!("vector.store {value}, %{elem}_open[%zero, %zero, %zero] : {open}, {all}"));
        let row = Ty::vector(&[8], elem);
        making.line(format!("%{elem}_row = vector.load %{elem}_open[%zero, %zero, %zero] : {open}, {row}"));
        making.line(format!("vector.store %{elem}_row, %{elem}_open[%zero, %zero, %zero] : {open}, {row}"));
    }
    let steps = 4 + making.random.below(14);
    for _ in 0..steps {
        making.step();
        // Elements multiply: what is large is forgotten.
        making.values.retain(|(_, ty)| ty.count() <= 24 && ty.shape().len() <= 3);
    }
    let results: Vec<(String, Ty)> = making.values.iter().rev().take(4).cloned().collect();
    let names: Vec<String> = results.iter().map(|(name, _)| name.clone()).collect();
    let types: Vec<String> = results.iter().map(|(_, ty)| ty.to_string()).collect();
    format!(
        "func.func @{name}({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
        args.join(", "),
        types.join(", "),
        making.text,
        names.join(", "),
        types.join(", ")
    )
}

fn inputs(random: &mut Random) -> Vec<RtValue> {
    let mut all: Vec<RtValue> = ARGS
        .iter()
        .map(|(_, shape, elem)| {
            let count = shape.iter().product();
            let each = (0..count).map(|_| {
                let n = random.below(200) - 100;
                if *elem == "f32" { RtValue::f32(n as f32 / 4.0) } else { RtValue::int(n.into(), 32) }
            });
            RtValue::Vector(each.collect())
        })
        .collect();
    all.push(RtValue::index(random.below(6) as i64 - 1));
    all
}

/// Is `after` as good as `before`, element by element? NaNs count as one
fn refined(before: &RtValue, after: &RtValue) -> bool {
    match (before, after) {
        (RtValue::Poison, _) => true,
        (RtValue::Vector(a), RtValue::Poison) => a.iter().all(|each| *each == RtValue::Poison),
        (RtValue::Vector(a), RtValue::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| refined(a, b))
        }
        (RtValue::Float { .. }, RtValue::Float { .. }) => {
            let nan = |value: &RtValue| value.as_f64().is_some_and(f64::is_nan);
            before == after || nan(before) && nan(after)
        }
        _ => before == after,
    }
}

fn run(ir: &Ir, args: &[RtValue]) -> Option<Vec<RtValue>> {
    Interpreter::new(ir, Options::default()).call("f", args.to_vec()).ok()
}

#[test]
fn canonical_functions_give_the_same_values() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    let (mut compared, mut before_ops, mut after_ops) = (0, 0, 0);
    let mut applied = std::collections::BTreeSet::new();
    let mut gone: BTreeMap<String, i64> = BTreeMap::new();
    for round in 0..800 {
        let text = if round == 0 { RARE.to_owned() } else { function(&mut random, "f") };
        let cx: Arc<Context> = Context::new(&[
            &terrace_dialect_builtin::BUILTIN,
            &terrace_dialect_arith::ARITH,
            &terrace_dialect_func::FUNC,
            &terrace_dialect_memref::MEMREF,
            &terrace_dialect_ub::UB,
            &terrace_dialect_vector::VECTOR,
        ]);
        let source = cx.sources().add("vectors.mlir", text.clone());
        let mut diags = Diags::default();
        let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
        let messages = terrace_diag::render_all(diags.iter(), cx.sources(), false);
        let before = ir.filter(|_| !diags.has_errors()).unwrap_or_else(|| panic!("{messages}\n{text}"));
        let errors = verify(&before, 1);
        let messages = terrace_diag::render_all(errors.iter(), cx.sources(), false);
        assert!(!errors.has_errors(), "{messages}\n{text}");
        let mut after = before.clone_unit();
        let functions: Vec<&mut Ir> = after.children_mut().collect();
        for function in functions {
            let outcome = Greedy::canonical(&cx, &[]).run(function);
            assert!(outcome.diverged.is_none(), "round {round} does not end\n{text}");
            applied.extend(outcome.applied.into_keys());
        }
        let mut shown = String::new();
        terrace_text::print(&after, &Default::default(), &mut shown);
        let errors = verify(&after, 1);
        let messages = terrace_diag::render_all(errors.iter(), cx.sources(), false);
        assert!(!errors.has_errors(), "round {round}: {messages}\n{text}\n{shown}");
        for (text, sign, total) in [(&text, 1, &mut before_ops), (&shown, -1, &mut after_ops)] {
            for word in text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_') {
                if word.starts_with("vector.") {
                    *gone.entry(word.into()).or_default() += sign;
                    *total += 1;
                }
            }
        }
        for _ in 0..3 {
            let args = inputs(&mut random);
            let Some(wanted) = run(&before, &args) else { continue };
            let given = run(&after, &args).unwrap_or_else(|| panic!("round {round} traps\n{text}\n{shown}"));
            let same = wanted.len() == given.len() && wanted.iter().zip(&given).all(|(a, b)| refined(a, b));
            let show = |all: &[RtValue]| {
                all.iter().map(terrace_interp::text::value_text).collect::<Vec<_>>().join(", ")
            };
            assert!(same, "round {round}: {} became {}\n{text}\n{shown}", show(&wanted), show(&given));
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} runs decide something");
    let rules = vector::VECTOR.ops.iter().filter_map(|op| op.interface::<CanonicalRules>());
    let names: Vec<&str> = rules.flat_map(|rules| (rules.0)()).map(|rule| rule.name()).collect();
    let missed: Vec<&&str> = names.iter().filter(|name| !applied.contains(*name)).collect();
    assert!(missed.is_empty(), "never applied: {missed:?}");
    assert!(after_ops * 4 < before_ops * 3, "of {before_ops} ops {after_ops} are left: {gone:?}");
}
