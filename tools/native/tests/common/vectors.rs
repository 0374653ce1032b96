//! Random functions on vectors and memory, as text.

use std::fmt::Write;
use terrace_support::Random;

const ELEMS: [&str; 5] = ["i8", "i32", "i64", "f32", "f64"];
const SHAPES: [&[usize]; 7] = [&[1], &[3], &[8], &[2, 3], &[4, 4], &[8, 2], &[3, 1, 2]];
/// Sizes of memory
const ROWS: usize = 5;
const COLUMNS: usize = 11;

/// A vector type, or a scalar's without sizes
#[derive(Clone, PartialEq)]
struct Ty {
    shape: Vec<usize>,
    elem: &'static str,
}

impl Ty {
    fn text(&self) -> String {
        if self.shape.is_empty() {
            return self.elem.into();
        }
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("vector<{sizes}{}>", self.elem)
    }

    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    fn is_float(&self) -> bool {
        self.elem.starts_with('f')
    }

    fn with(&self, elem: &'static str) -> Ty {
        Ty { shape: self.shape.clone(), elem }
    }
}

/// Makes `func.func @f(%x: i32, %y: f32, %i: index, %j: index)` with a few vectors as results
pub struct Vectors {
    random: Random,
    text: String,
    next: usize,
    pool: Vec<(String, Ty)>,
}

impl Vectors {
    /// From a seed; also the types of the results
    pub fn text(seed: u64) -> String {
        let mut all = Vectors { random: Random::new(seed), text: String::new(), next: 0, pool: Vec::new() };
        let scalar = |elem| Ty { shape: Vec::new(), elem };
        all.pool.push(("%x".into(), scalar("i32")));
        all.pool.push(("%y".into(), scalar("f32")));
        for elem in ELEMS {
            all.memory(elem);
        }
        for _ in 0..6 {
            all.constant();
        }
        for _ in 0..24 {
            all.op();
        }
        let results: Vec<(String, Ty)> = all.pool.iter().rev().take(6).cloned().collect();
        let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<String> = results.iter().map(|(_, ty)| ty.text()).collect();
        let (names, types) = (names.join(", "), types.join(", "));
        format!(
            "func.func @f(%x: i32, %y: f32, %i: index, %j: index) -> ({types}) {{\n%c0 = arith.constant 0 : index\n\
             %c1 = arith.constant 1 : index\n{}return {names} : {types}\n}}\n",
            all.text
        )
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn give(&mut self, ty: &Ty, text: &str) {
        let name = self.fresh();
        self.line(&format!("{name} = {text}"));
        self.pool.push((name, ty.clone()));
    }

    fn ty(&mut self) -> Ty {
        let shape = SHAPES[self.below(SHAPES.len())].to_vec();
        Ty { shape, elem: ELEMS[self.below(ELEMS.len())] }
    }

    /// A value of this type: one of the pool or a constant
    fn of(&mut self, ty: &Ty) -> String {
        let fits: Vec<String> =
            self.pool.iter().filter(|(_, own)| own == ty).map(|(name, _)| name.clone()).collect();
        if fits.is_empty() || self.below(6) == 0 {
            return self.constant_of(ty);
        }
        fits[self.below(fits.len())].clone()
    }

    fn any(&mut self, test: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let fits: Vec<(String, Ty)> = self.pool.iter().filter(|(_, ty)| test(ty)).cloned().collect();
        if fits.is_empty() { None } else { Some(fits[self.below(fits.len())].clone()) }
    }

    fn number(&mut self, elem: &str) -> String {
        let n = self.below(17) as i64 - 8;
        match elem {
            "i1" => (n > 0).to_string(),
            "f32" | "f64" => format!("{}.{}", n, ["0", "5", "25"][self.below(3)]),
            _ => n.to_string(),
        }
    }

    fn constant_of(&mut self, ty: &Ty) -> String {
        let name = self.fresh();
        if ty.shape.is_empty() {
            let number = self.number(ty.elem);
            self.line(&format!("{name} = arith.constant {number} : {}", ty.elem));
            return name;
        }
        let mut list: Vec<String> = (0..ty.count()).map(|_| self.number(ty.elem)).collect();
        for size in ty.shape.iter().rev() {
            list = list.chunks(*size).map(|row| format!("[{}]", row.join(", "))).collect();
        }
        self.line(&format!("{name} = arith.constant dense<{}> : {}", list[0], ty.text()));
        name
    }

    fn constant(&mut self) {
        let ty = self.ty();
        let name = self.constant_of(&ty);
        self.pool.push((name, ty));
    }

    /// A buffer of each element type, every element written
    fn memory(&mut self, elem: &'static str) {
        let whole = Ty { shape: vec![ROWS, COLUMNS], elem };
        let value = self.constant_of(&whole);
        let ty = format!("memref<{ROWS}x{COLUMNS}x{elem}>");
        self.line(&format!("%m{elem} = memref.alloc() : {ty}"));
        self.line(&format!("vector.store {value}, %m{elem}[%c0, %c0] : {ty}, {}", whole.text()));
    }

    fn op(&mut self) {
        match self.below(16) {
            0..3 => self.arithmetic(),
            3 => self.compare(),
            4 => self.shuffle(),
            5 => self.extract(),
            6 => self.insert(),
            7 => self.broadcast(),
            8 => self.shape_cast(),
            9 => self.transpose(),
            10 => self.reduce(),
            11 => self.fma(),
            12 => self.mask(),
            13 => self.read(),
            14 => self.write(),
            _ => self.slice(),
        }
    }

    fn arithmetic(&mut self) {
        let Some((a, ty)) = self.any(|ty| ty.elem != "i1") else { return };
        let b = self.of(&ty);
        let op = match ty.is_float() {
            true => ["addf", "subf", "mulf", "maximumf", "minnumf", "divf"][self.below(6)],
            false => ["addi", "subi", "muli", "andi", "xori", "maxsi", "minui"][self.below(7)],
        };
        self.give(&ty, &format!("arith.{op} {a}, {b} : {}", ty.text()));
    }

    fn compare(&mut self) {
        let Some((a, ty)) = self.any(|ty| ty.elem != "i1") else { return };
        let (b, c) = (self.of(&ty), self.of(&ty));
        let op = if ty.is_float() { "cmpf olt" } else { "cmpi slt" };
        let bits = ty.with("i1");
        self.give(&bits, &format!("arith.{op}, {a}, {b} : {}", ty.text()));
        let mask = self.of(&bits);
        let text = match ty.shape.is_empty() {
            true => format!("arith.select {mask}, {a}, {c} : {}", ty.text()),
            false => format!("arith.select {mask}, {a}, {c} : {}, {}", bits.text(), ty.text()),
        };
        self.give(&ty, &text);
    }

    fn shuffle(&mut self) {
        let Some((a, ty)) = self.any(|ty| !ty.shape.is_empty()) else { return };
        let b = self.of(&ty);
        let lead = 1 + self.below(6);
        let mask: Vec<String> = (0..lead).map(|_| self.below(2 * ty.shape[0]).to_string()).collect();
        let mut to = ty.clone();
        to.shape[0] = lead;
        let own = ty.text();
        self.give(&to, &format!("vector.shuffle {a}, {b} [{}] : {own}, {own}", mask.join(", ")));
    }

    /// Coordinates, some of them `%i` and `%j`, which are 0 or 1
    fn position(&mut self, shape: &[usize]) -> String {
        let one = |all: &mut Self, size: &usize| match all.below(4) {
            0 if *size > 1 => ["%i", "%j"][all.below(2)].to_string(),
            _ => all.below(*size).to_string(),
        };
        shape.iter().map(|size| one(self, size)).collect::<Vec<_>>().join(", ")
    }

    fn extract(&mut self) {
        let Some((a, ty)) = self.any(|ty| !ty.shape.is_empty()) else { return };
        let n = 1 + self.below(ty.shape.len());
        let at = self.position(&ty.shape[..n]);
        let to = Ty { shape: ty.shape[n..].to_vec(), elem: ty.elem };
        self.give(&to, &format!("vector.extract {a}[{at}] : {} from {}", to.text(), ty.text()));
    }

    fn insert(&mut self) {
        let Some((a, ty)) = self.any(|ty| !ty.shape.is_empty()) else { return };
        let n = 1 + self.below(ty.shape.len());
        let at = self.position(&ty.shape[..n]);
        let part = Ty { shape: ty.shape[n..].to_vec(), elem: ty.elem };
        let value = self.of(&part);
        self.give(&ty, &format!("vector.insert {value}, {a} [{at}] : {} into {}", part.text(), ty.text()));
    }

    fn broadcast(&mut self) {
        let Some((a, ty)) = self.any(|ty| ty.shape.len() < 3) else { return };
        let mut to = ty.clone();
        for size in to.shape.iter_mut().filter(|size| **size == 1) {
            *size = 1 + self.below(3);
        }
        to.shape.insert(0, 1 + self.below(3));
        self.give(&to, &format!("vector.broadcast {a} : {} to {}", ty.text(), to.text()));
    }

    fn shape_cast(&mut self) {
        let Some((a, ty)) =
            self.any(|ty| ty.shape.len() > 1 || ty.count() > 1 && ty.count().is_multiple_of(2))
        else {
            return;
        };
        let shape = match ty.shape.len() {
            1 => vec![2, ty.count() / 2],
            _ if self.below(2) == 0 => vec![ty.count()],
            _ => ty.shape.iter().rev().copied().collect(),
        };
        let to = Ty { shape, elem: ty.elem };
        self.give(&to, &format!("vector.shape_cast {a} : {} to {}", ty.text(), to.text()));
    }

    fn transpose(&mut self) {
        let Some((a, ty)) = self.any(|ty| ty.shape.len() > 1) else { return };
        let mut order: Vec<usize> = (0..ty.shape.len()).collect();
        for n in (1..order.len()).rev() {
            let other = self.below(n + 1);
            order.swap(n, other);
        }
        let to = Ty { shape: order.iter().map(|n| ty.shape[*n]).collect(), elem: ty.elem };
        let list: Vec<String> = order.iter().map(usize::to_string).collect();
        self.give(
            &to,
            &format!("vector.transpose {a}, [{}] : {} to {}", list.join(", "), ty.text(), to.text()),
        );
    }

    fn reduce(&mut self) {
        let Some((a, ty)) = self.any(|ty| !ty.shape.is_empty() && ty.elem != "i1") else { return };
        let kind = match ty.is_float() {
            true => ["add", "mul", "maximumf", "minnumf"][self.below(4)],
            false => ["add", "mul", "minsi", "maxui", "and", "xor"][self.below(6)],
        };
        let dims: Vec<usize> = match self.below(2) {
            0 => vec![self.below(ty.shape.len())],
            _ => (0..ty.shape.len()).collect(),
        };
        let shape: Vec<usize> =
            (0..ty.shape.len()).filter(|n| !dims.contains(n)).map(|n| ty.shape[n]).collect();
        let to = Ty { shape, elem: ty.elem };
        let acc = self.of(&to);
        let list: Vec<String> = dims.iter().map(usize::to_string).collect();
        let (from, into) = (ty.text(), to.text());
        self.give(
            &to,
            &format!("vector.multi_reduction <{kind}>, {a}, {acc} [{}] : {from} to {into}", list.join(", ")),
        );
    }

    fn fma(&mut self) {
        let Some((a, ty)) = self.any(|ty| ty.is_float() && !ty.shape.is_empty()) else { return };
        let (b, c) = (self.of(&ty), self.of(&ty));
        self.give(&ty, &format!("vector.fma {a}, {b}, {c} : {}", ty.text()));
    }

    fn mask(&mut self) {
        let ty = self.ty().with("i1");
        let bounds: Vec<&str> = ty.shape.iter().map(|_| ["%i", "%j", "%c0", "%c1"][self.below(4)]).collect();
        self.give(&ty, &format!("vector.create_mask {} : {}", bounds.join(", "), ty.text()));
    }

    /// Which memory a type is read from, with where; the type has at most two dimensions
    fn place(&mut self) -> Option<(Ty, String, String, String)> {
        let ty = self.ty();
        if ty.shape.len() > 2 {
            return None;
        }
        let memory = format!("memref<{ROWS}x{COLUMNS}x{}>", ty.elem);
        let at = [["%i", "%j", "%c0"][self.below(3)], ["%i", "%j", "%c1"][self.below(3)]].join(", ");
        Some((ty.clone(), format!("%m{}", ty.elem), at, memory))
    }

    /// A map that turns or repeats, where the type allows it
    fn map(&mut self, rank: usize, repeats: bool) -> &'static str {
        match (rank, self.below(4)) {
            (1, 1) => "{permutation_map = affine_map<(r, c) -> (r)>}",
            (1, 2) if repeats => "{permutation_map = affine_map<(r, c) -> (0)>}",
            (2, 1) => "{permutation_map = affine_map<(r, c) -> (c, r)>}",
            (2, 2) if repeats => "{permutation_map = affine_map<(r, c) -> (0, c)>}",
            _ => "",
        }
    }

    fn read(&mut self) {
        let Some((ty, name, at, memory)) = self.place() else { return };
        let pad = self.constant_of(&Ty { shape: Vec::new(), elem: ty.elem });
        let map = self.map(ty.shape.len(), true);
        self.give(&ty, &format!("vector.transfer_read {name}[{at}], {pad} {map} : {memory}, {}", ty.text()));
    }

    fn write(&mut self) {
        let Some((ty, name, at, memory)) = self.place() else { return };
        let value = self.of(&ty);
        let map = self.map(ty.shape.len(), false);
        self.line(&format!("vector.transfer_write {value}, {name}[{at}] {map} : {}, {memory}", ty.text()));
    }

    fn slice(&mut self) {
        let Some((a, ty)) = self.any(|ty| !ty.shape.is_empty()) else { return };
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for size in &ty.shape {
            let offset = self.below(*size);
            offsets.push(offset.to_string());
            sizes.push(1 + self.below(size - offset));
        }
        let to = Ty { shape: sizes.clone(), elem: ty.elem };
        let (sizes, ones): (Vec<String>, Vec<&str>) =
            sizes.iter().map(|size| (size.to_string(), "1")).unzip();
        let text = format!(
            "vector.extract_strided_slice {a} {{offsets = [{}], sizes = [{}], strides = [{}]}} : {} to {}",
            offsets.join(", "),
            sizes.join(", "),
            ones.join(", "),
            ty.text(),
            to.text()
        );
        self.give(&to, &text);
    }
}
