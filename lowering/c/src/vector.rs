//! Ops of `vector`: loads, stores, masks, lanes in another order. Each is a helper function or a few lines.

use crate::Flavor;
use crate::emit::{Done, Emit};
use crate::expr::{Expr, prec};
use crate::lanes::Vector;
use crate::memref::{Dim, Space, View};
use crate::types::Scalar;
use terrace_dialect_upstream::arith::FastMathFlags;
use terrace_ir::{AttrKind, DYNAMIC, DenseData, OpId, Value};

/// Suffix of helpers that take pointers to this memory
pub(crate) fn space_suffix(flavor: Flavor, space: Space) -> &'static str {
    match (flavor, space) {
        (Flavor::OpenCl, Space::Workgroup) => "_local",
        (Flavor::OpenCl, Space::Private) => "_private",
        (Flavor::OpenCl, Space::Constant) => "_constant",
        _ => "",
    }
}

impl Emit<'_> {
    /// An op of `vector`
    pub fn vector_op(&mut self, op: OpId, name: &str) -> Done {
        match name {
            "load" | "maskedload" => self.vector_load(op, name),
            "store" | "maskedstore" => self.vector_store(op, name),
            "broadcast" => self.broadcast(op),
            "extract" => self.extract(op),
            "insert" => self.insert(op),
            "reduction" => self.reduction_op(op),
            "create_mask" | "constant_mask" => self.mask(op, name),
            "step" => {
                let vector = self.vector(op, self.ir.ty(self.ir.result(op, 0)))?;
                let numbers: Vec<Expr> = (0..vector.lanes()).map(|n| Expr::atom(n.to_string())).collect();
                self.listed(op, &vector, &numbers)
            }
            "shuffle" => self.shuffle_op(op),
            "shape_cast" => {
                let e = self.expr(self.ir.operand(op, 0));
                self.bind(op, self.ir.result(op, 0), e)
            }
            "transpose" => self.transpose(op),
            "from_elements" => self.elements_listed(op),
            "to_elements" => self.elements_taken(op),
            "extract_strided_slice" => self.extract_slice(op),
            "insert_strided_slice" => self.insert_slice(op),
            "interleave" => self.interleave(op),
            "deinterleave" => self.deinterleave(op),
            "gather" => self.scattered(op, false),
            "scatter" => self.scattered(op, true),
            "bitcast" => self.vector_bits(op),
            "transfer_read" => self.transfer_read(op),
            "transfer_write" => self.transfer_write(op),
            "multi_reduction" => self.multi_reduction(op),
            "outerproduct" => self.outer_product(op),
            _ => self.unknown(op),
        }
    }

    /// `arith.constant` of a vector
    pub fn vector_constant(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let vector = self.vector(op, ir.ty(ir.result(op, 0)))?;
        let value = ir.attr(op, "value").map(|attr| attr.kind(self.cx).clone());
        let Some(AttrKind::Dense { ty, data }) = value else { return self.unknown(op) };
        let bytes = terrace_ir::show::elem_bytes(self.cx, ty.scalar(self.cx));
        let mut spell = |raw: &[u8]| {
            let mut wide = [0; 8];
            wide.get_mut(..raw.len())?.copy_from_slice(raw);
            let bits = u64::from_le_bytes(wide);
            Some(match vector.elem {
                Scalar::Bool => self.integer(Scalar::Bool, i128::from(bits & 1)),
                Scalar::Int(width) => {
                    let shift = 64 - width;
                    self.integer(vector.elem, i128::from((bits << shift) as i64 >> shift))
                }
                elem => self.float(elem, bits),
            })
        };
        let all: Option<Vec<Expr>> = match &data {
            DenseData::Splat(raw) => spell(raw).map(|e| vec![e]),
            DenseData::Raw(raw) if bytes > 0 => raw.chunks(bytes).map(spell).collect(),
            _ => None,
        };
        match all.as_deref() {
            Some([one]) if matches!(data, DenseData::Splat(_)) => {
                let e = self.splat(&vector, one);
                self.bind(op, ir.result(op, 0), e)
            }
            Some(all) => self.listed(op, &vector, all),
            None => self.unknown(op),
        }
    }

    /// All lanes are this number
    pub(crate) fn splat(&mut self, vector: &Vector, e: &Expr) -> Expr {
        let c_type = self.vector_type(vector);
        if self.flavor == Flavor::OpenCl && self.flavor.has(vector) {
            return Expr::new(format!("({c_type})({})", e.text), prec::UNARY).with(&[e]);
        }
        let body = match (self.flavor, self.flavor.has(vector), vector.elem.is_float()) {
            _ if self.flavor.widens(vector.elem) => self.lanes_body(vector, &c_type, "", "x"),
            // Operators take a number for a vector of it.
            (Flavor::OpenMp, true, true) => format!("  return x - ({c_type}){{0}};"),
            (Flavor::OpenMp, true, false) => format!("  return x | ({c_type}){{0}};"),
            _ => self.lanes_body(vector, &c_type, "", "x"),
        };
        let param = format!("{} x", self.flavor.lane_type(vector));
        let function = self.vector_helper(&format!("splat_{}", vector.name()), &c_type, &[param], &body);
        Expr::call(&function, &[e])
    }

    /// A vector of these lanes
    pub(crate) fn list(&mut self, vector: &Vector, lanes: &[Expr]) -> Expr {
        let c_type = self.vector_type(vector);
        let parts: Vec<&Expr> = lanes.iter().collect();
        let texts: Vec<&str> = lanes.iter().map(|e| e.text.as_str()).collect();
        let texts = texts.join(", ");
        let text = match (self.flavor, self.flavor.has(vector)) {
            (Flavor::OpenCl, true) => format!("({c_type})({texts})"),
            (Flavor::Cuda, _) => format!("{c_type}{{{{{texts}}}}}"),
            (_, true) => format!("({c_type}){{{texts}}}"),
            (_, false) => format!("({c_type}){{{{{texts}}}}}"),
        };
        Expr::new(text, prec::UNARY).with(&parts)
    }

    pub(crate) fn listed(&mut self, op: OpId, vector: &Vector, lanes: &[Expr]) -> Done {
        let e = self.list(vector, lanes);
        self.bind(op, self.ir.result(op, 0), e)
    }

    /// Lanes of these numbers of a vector
    pub(crate) fn picked(&mut self, op: OpId, source: Value, numbers: &[usize]) -> Done {
        let ir = self.ir;
        let from = self.vector(op, ir.ty(source))?;
        let name = self.leaf(source).text;
        let lanes: Vec<Expr> =
            numbers.iter().map(|n| Expr::atom(self.flavor.lane(&from, &name, &n.to_string()))).collect();
        match Vector::of(self.cx, ir.ty(ir.result(op, 0))) {
            Some(to) => self.listed(op, &to, &lanes),
            None => match lanes.into_iter().next() {
                Some(lane) => self.bind(op, ir.result(op, 0), lane),
                None => self.unknown(op),
            },
        }
    }

    /// The first element that an access reaches, as a pointer
    pub(crate) fn pointer_to(
        &mut self,
        op: OpId,
        view: &View,
        indices: &[Value],
        vector: &Vector,
    ) -> Done<Expr> {
        let rows =
            vector.shape.len() > 1 && vector.shape[..vector.shape.len() - 1].iter().any(|size| *size != 1);
        let innermost = view.strides.last().is_none_or(|stride| *stride == Dim::Const(1));
        if rows || !innermost {
            return self.no_op(op, "its lanes do not lie one after another", "vectors of one dimension do");
        }
        let indices: Vec<Expr> = indices.iter().map(|index| self.expr(*index)).collect();
        let place = self.element(view, &indices);
        Ok(Expr::new(format!("&{}", place.text), prec::UNARY).with(&[&place]))
    }

    /// A parameter that points to elements in this memory
    pub(crate) fn pointer_param(&self, view: &View, vector: &Vector, written: bool) -> String {
        let constant = if written || view.space == Space::Constant { "" } else { "const " };
        format!("{}{constant}{} *at", self.flavor.space(view.space), self.flavor.lane_type(vector))
    }

    fn vector_load(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let vector = self.vector(op, ir.ty(result))?;
        let view = self.view(ir.operand(op, 0))?;
        let indices = ir.operand_field(op, 1);
        let c_type = self.vector_type(&vector);
        let mut params = vec![self.pointer_param(&view, &vector, false)];
        let suffix = space_suffix(self.flavor, view.space);
        let mut args = Vec::new();
        let body = if name == "load" {
            match (self.flavor, self.flavor.has(&vector)) {
                (Flavor::OpenMp, _) => {
                    self.helpers.include("#include <string.h>");
                    format!("  {c_type} r;\n  memcpy(&r, at, sizeof r);\n  return r;")
                }
                (Flavor::OpenCl, true) => format!("  return vload{}(0, at);", vector.lanes()),
                _ => self.lanes_body(&vector, &c_type, "", "at[l]"),
            }
        } else {
            let (mask, pass) = (ir.operand_field(op, 2)[0], ir.operand_field(op, 3)[0]);
            let masks = self.vector(op, ir.ty(mask))?;
            params.push(format!("{} mask", self.vector_type(&masks)));
            params.push(format!("{c_type} other"));
            args.extend([mask, pass]);
            let lane = format!(
                "{} ? at[l] : {}",
                self.flavor.lane(&masks, "mask", "l"),
                self.flavor.lane(&vector, "other", "l")
            );
            let whole = format!("{{ {c_type} whole; memcpy(&whole, at, sizeof whole); return whole; }}");
            let quick = self.if_whole(&masks, &whole);
            quick + &self.lanes_body(&vector, &c_type, "", &lane)
        };
        let wanted = format!("{name}_{}{suffix}", vector.name());
        let function = self.vector_helper(&wanted, &c_type, &params, &body);
        let mut list = vec![self.pointer_to(op, &view, &indices, &vector)?];
        list.extend(args.into_iter().map(|value| self.expr(value)));
        let list: Vec<&Expr> = list.iter().collect();
        let e = Expr { reads: true, ..Expr::call(&function, &list) };
        self.bind(op, result, e)
    }

    /// What a host does at once where no lane is left out: the usual case of a tail's mask
    fn if_whole(&mut self, masks: &Vector, then: &str) -> String {
        if self.flavor != Flavor::OpenMp || !self.flavor.has(masks) {
            return String::new();
        }
        self.helpers.include("#include <string.h>");
        let c_type = self.vector_type(masks);
        let ones = vec!["1"; masks.lanes()].join(", ");
        format!(
            "  static const {c_type} all = {{{ones}}};\n  if (!memcmp(&mask, &all, sizeof mask)) {then}\n"
        )
    }

    /// `v` to `at`, which is aligned as a lane is
    ///
    /// Through a type of its own: GCC 12 with AVX-512 writes constants such as `{1, 1, 1, 0}` wrong where `memcpy` copies them.
    fn whole_store(&self, vector: &Vector, indent: &str) -> String {
        let (elem, lane) = (self.flavor.lane_type(vector), vector.elem.bytes());
        let bytes = lane as usize * vector.lanes();
        let attributes = format!("vector_size({bytes}), aligned({lane}), may_alias");
        format!(
            "{indent}typedef {elem} anywhere __attribute__(({attributes}));\n{indent}*(anywhere *)at = v;"
        )
    }

    fn vector_store(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let masked = name == "maskedstore";
        // The order of operands differs between the two.
        let (value, base, indices, mask) = match masked {
            true => (
                ir.operand_field(op, 3),
                ir.operand_field(op, 0),
                ir.operand_field(op, 1),
                ir.operand_field(op, 2),
            ),
            false => (ir.operand_field(op, 0), ir.operand_field(op, 1), ir.operand_field(op, 2), Vec::new()),
        };
        let vector = self.vector(op, ir.ty(value[0]))?;
        let view = self.view(base[0])?;
        if view.space == Space::Constant {
            return self.no_op(op, "it writes to a constant", "");
        }
        let c_type = self.vector_type(&vector);
        let mut params = vec![self.pointer_param(&view, &vector, true)];
        let lane = self.flavor.lane(&vector, "v", "l");
        let header = self.lanes_loop(vector.lanes());
        let body = match mask.first() {
            Some(mask) => {
                let masks = self.vector(op, ir.ty(*mask))?;
                params.push(format!("{} mask", self.vector_type(&masks)));
                let whole = if self.flavor.has(&vector) {
                    format!("{{\n{}\n    return;\n  }}", self.whole_store(&vector, "    "))
                } else {
                    "{ memcpy(at, &v, sizeof v); return; }".to_string()
                };
                let quick = self.if_whole(&masks, &whole);
                format!("{quick}{header}\n    if ({}) at[l] = {lane};", self.flavor.lane(&masks, "mask", "l"))
            }
            None => match (self.flavor, self.flavor.has(&vector)) {
                (Flavor::OpenMp, true) => self.whole_store(&vector, "  "),
                (Flavor::OpenMp, false) => {
                    self.helpers.include("#include <string.h>");
                    "  memcpy(at, &v, sizeof v);".to_string()
                }
                (Flavor::OpenCl, true) => format!("  vstore{}(v, 0, at);", vector.lanes()),
                _ => format!("{header}\n    at[l] = {lane};"),
            },
        };
        params.push(format!("{c_type} v"));
        let wanted = format!("{name}_{}{}", vector.name(), space_suffix(self.flavor, view.space));
        let function = self.vector_helper(&wanted, "void", &params, &body);
        let mut list = vec![self.pointer_to(op, &view, &indices, &vector)?];
        list.extend(mask.iter().chain(&value).map(|value| self.expr(*value)).collect::<Vec<_>>());
        self.flush();
        let list: Vec<&Expr> = list.iter().collect();
        self.line(&format!("{};", Expr::call(&function, &list).text));
        Ok(())
    }

    fn broadcast(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let to = self.vector(op, ir.ty(result))?;
        let Some(from) = Vector::of(self.cx, ir.ty(source)) else {
            let e = self.expr(source);
            let e = self.splat(&to, &e);
            return self.bind(op, result, e);
        };
        // Trailing dimensions are the same, or 1 in the source.
        let lead = to.shape.len() - from.shape.len().min(to.shape.len());
        let numbers: Vec<usize> = points(&to.shape)
            .map(|point| {
                let at = point[lead..].iter().zip(&from.shape);
                at.fold(0, |sum, (n, size)| sum * *size as usize + if *size == 1 { 0 } else { *n })
            })
            .collect();
        self.picked(op, source, &numbers)
    }

    /// The static position of `extract` or `insert`; `None` for parts that are not known
    fn position(&self, op: OpId) -> Vec<Option<i64>> {
        let position = self.ir.attr(op, "static_position").and_then(|attr| attr.as_dense_array(self.cx));
        position.unwrap_or(&[]).iter().map(|n| (*n != DYNAMIC).then_some(*n)).collect()
    }

    /// The first lane at a position, as a number or an expression; and how many are meant
    fn lanes_at(&mut self, op: OpId, vector: &Vector, dynamic: Vec<Value>) -> (Expr, usize) {
        let mut dynamic = dynamic.into_iter();
        let position = self.position(op);
        let mut at: Option<Expr> = None;
        let mut constant = Some(0i64);
        for (part, size) in position.iter().zip(&vector.shape) {
            let part = match part {
                Some(n) => {
                    // What lies outside is poison: any lane will do.
                    let n = (*n).clamp(0, (size - 1).max(0));
                    constant = constant.map(|constant| constant * size + n);
                    Expr::atom(n.to_string())
                }
                None => {
                    constant = None;
                    dynamic.next().map_or(Expr::atom("0"), |value| self.expr(value))
                }
            };
            at = Some(match at {
                Some(outer) => {
                    let outer = Expr::binary("*", prec::PRODUCT, &outer, &Expr::atom(size.to_string()));
                    Expr::binary("+", prec::SUM, &outer, &part)
                }
                None => part,
            });
        }
        let count: usize =
            vector.shape[position.len().min(vector.shape.len())..].iter().product::<i64>() as usize;
        match constant {
            Some(constant) => (Expr::atom((constant as usize * count).to_string()), count),
            None => {
                let at = at.unwrap_or(Expr::atom("0"));
                let count_ = Expr::atom(count.to_string());
                (if count == 1 { at } else { Expr::binary("*", prec::PRODUCT, &at, &count_) }, count)
            }
        }
    }

    fn extract(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let from = self.vector(op, ir.ty(source))?;
        let (at, count) = self.lanes_at(op, &from, ir.operand_field(op, 1));
        if let Ok(first) = at.text.parse::<usize>() {
            return self.picked(op, source, &(first..first + count).collect::<Vec<_>>());
        }
        if count != 1 || Vector::of(self.cx, ir.ty(ir.result(op, 0))).is_some() {
            return self.no_op(op, "it takes several lanes from a place that is not constant", "");
        }
        let name = self.leaf(source).text;
        let lane = Expr::atom(self.flavor.lane(&from, &name, &at.text)).with(&[&at]);
        self.bind(op, ir.result(op, 0), lane)
    }

    fn insert(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (value, into, result) = (ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0));
        let to = self.vector(op, ir.ty(result))?;
        let (at, count) = self.lanes_at(op, &to, ir.operand_field(op, 2));
        let (c_type, name) = (self.vector_type(&to), self.name(result));
        let from = Vector::of(self.cx, ir.ty(value));
        let source = match from {
            Some(_) => self.leaf(value),
            None => self.expr(value),
        };
        let start = self.expr(into);
        self.line(&format!("{c_type} {name} = {};", start.text));
        match (at.text.parse::<usize>(), &from) {
            (Ok(first), Some(from)) => {
                for n in 0..count {
                    let target = self.flavor.lane(&to, &name, &(first + n).to_string());
                    let lane = self.flavor.lane(from, &source.text, &n.to_string());
                    self.line(&format!("{target} = {lane};"));
                }
            }
            (_, Some(_)) => {
                return self.no_op(op, "it puts several lanes to a place that is not constant", "");
            }
            _ => {
                let target = self.flavor.lane(&to, &name, &at.text);
                self.line(&format!("{target} = {};", source.text));
            }
        }
        self.set(result, crate::emit::Val::Expr(Expr::atom(name)));
        Ok(())
    }

    fn reduction_op(&mut self, op: OpId) -> Done {
        if let Some(done) = self.dot(op) {
            return done;
        }
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let from = self.vector(op, ir.ty(source))?;
        let kind = self.kind_name(op);
        let ty = from.elem;
        let Some(combined) = self.combined(&kind, ty) else { return self.unknown(op) };
        let vector_type = self.vector_type(&from);
        let elem = self.flavor.scalar(ty);
        let lane = |n: &str| self.flavor.lane(&from, "v", n);
        let lanes = from.lanes();
        let acc = ir.operand_field(op, 1).first().copied();
        let free = self.permits(op, FastMathFlags::REASSOC) && lanes.is_power_of_two() && lanes > 2;
        let mut params = vec![format!("{vector_type} v")];
        let (first, start) = match acc {
            Some(_) => {
                params.push(format!("{elem} r"));
                (0, String::new())
            }
            None => (1, format!("  {elem} r = {};\n", lane("0"))),
        };
        let step = |with: &str| combined.replace("$a", "r").replace("$b", with);
        let unroll = if self.flavor == Flavor::Cuda { "  #pragma unroll\n" } else { "" };
        let body = if free {
            // Halves onto each other: any order is permitted.
            let target = lane("l");
            let halves = combined.replace("$a", &target).replace("$b", &lane("l + n"));
            let end = match acc {
                Some(_) => format!("  return {};", step(&lane("0"))),
                None => format!("  return {};", lane("0")),
            };
            format!(
                "{unroll}  for (int n = {}; n > 0; n /= 2)\n  {unroll}    for (int l = 0; l < n; l++)\n      {target} = {halves};\n{end}",
                lanes / 2
            )
        } else {
            format!(
                "{start}{unroll}  for (int l = {first}; l < {lanes}; l++)\n    r = {};\n  return r;",
                step(&lane("l"))
            )
        };
        let free = if free { "any_" } else { "" };
        let wanted = format!("reduce_{free}{kind}_{}", from.name());
        let function = self.vector_helper(&wanted, elem, &params, &body);
        let mut args = vec![self.expr(source)];
        args.extend(acc.map(|acc| self.expr(acc)));
        let args: Vec<&Expr> = args.iter().collect();
        self.bind(op, result, Expr::call(&function, &args))
    }

    /// Name of the kind of combining
    pub(crate) fn kind_name(&self, op: OpId) -> String {
        let kind = self.ir.attr(op, "kind");
        let kind = kind.map_or(String::new(), |attr| terrace_ir::show::attr_text(self.cx, attr));
        kind.split_once('<').map_or(kind.as_str(), |(_, rest)| rest.trim_end_matches('>')).to_string()
    }

    /// How a kind combines `$a` and `$b`
    pub(crate) fn combined(&mut self, kind: &str, ty: Scalar) -> Option<String> {
        let (c_type, u) = (self.flavor.scalar(ty), self.flavor.unsigned(ty));
        let wide = if ty.width() < 32 { self.flavor.unsigned(Scalar::Int(32)) } else { u };
        if ty == Scalar::Bool {
            // Signed, true is −1.
            return Some(
                match kind {
                    "add" | "xor" => "$a != $b",
                    "mul" | "and" | "minui" | "maxsi" => "$a && $b",
                    "or" | "maxui" | "minsi" => "$a || $b",
                    _ => return None,
                }
                .to_string(),
            );
        }
        Some(match kind {
            "add" | "mul" if self.flavor.soft(ty) => {
                let (wide, narrow) = (self.widening(ty), self.narrowing(ty));
                format!("{narrow}({wide}($a) {} {wide}($b))", if kind == "add" { '+' } else { '*' })
            }
            "add" | "mul" if self.flavor.widens(ty) => {
                format!("({c_type})((float)$a {} (float)$b)", if kind == "add" { '+' } else { '*' })
            }
            "add" if ty.is_float() => "$a + $b".to_string(),
            "mul" if ty.is_float() => "$a * $b".to_string(),
            "add" => format!("({c_type})(({wide})$a + ({wide})$b)"),
            "mul" => format!("({c_type})(({wide})$a * ({wide})$b)"),
            "and" => "$a & $b".to_string(),
            "or" => "$a | $b".to_string(),
            "xor" => "$a ^ $b".to_string(),
            "minsi" => "$a < $b ? $a : $b".to_string(),
            "maxsi" => "$a > $b ? $a : $b".to_string(),
            "minui" => format!("({u})$a < ({u})$b ? $a : $b"),
            "maxui" => format!("({u})$a > ({u})$b ? $a : $b"),
            "maximumf" | "minimumf" | "maxnumf" | "minnumf" => format!("{}($a, $b)", self.extremum(kind, ty)),
            _ => return None,
        })
    }

    fn mask(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let vector = self.vector(op, ir.ty(ir.result(op, 0)))?;
        let limits: Vec<Expr> = if name == "create_mask" {
            ir.operands(op).collect::<Vec<_>>().into_iter().map(|value| self.expr(value)).collect()
        } else {
            let sizes = ir.attr(op, "mask_dim_sizes").and_then(|attr| attr.as_dense_array(self.cx));
            sizes.unwrap_or(&[]).iter().map(|size| Expr::atom(size.to_string())).collect()
        };
        let c_type = self.vector_type(&vector);
        let int = self.flavor.scalar(Scalar::Int(64));
        let params: Vec<String> = (0..limits.len()).map(|n| format!("{int} n{n}")).collect();
        let mut inner = vector.lanes();
        let mut tests = Vec::new();
        for (n, size) in vector.shape.iter().enumerate() {
            let outer = inner;
            inner /= (*size).max(1) as usize;
            let place = match (outer == vector.lanes(), inner) {
                (true, 1) => "l".to_string(),
                (false, 1) => format!("l % {outer}"),
                (true, inner) => format!("l / {inner}"),
                (false, inner) => format!("l % {outer} / {inner}"),
            };
            tests.push(format!("{place} < n{n}"));
        }
        let test = if tests.is_empty() { "n0 > 0".to_string() } else { tests.join(" && ") };
        let body = self.lanes_body(&vector, &c_type, "", &test);
        let sizes: Vec<String> = vector.shape.iter().map(i64::to_string).collect();
        let function = self.vector_helper(&format!("mask_{}", sizes.join("x")), &c_type, &params, &body);
        let limits: Vec<&Expr> = limits.iter().collect();
        self.bind(op, ir.result(op, 0), Expr::call(&function, &limits))
    }

    fn shuffle_op(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (first, second) = (ir.operand(op, 0), ir.operand(op, 1));
        let (a, b) = (self.vector(op, ir.ty(first))?, self.vector(op, ir.ty(second))?);
        let to = self.vector(op, ir.ty(ir.result(op, 0)))?;
        let mask = ir.attr(op, "mask").and_then(|attr| attr.as_dense_array(self.cx)).unwrap_or(&[]).to_vec();
        let (x, y) = (self.leaf(first).text, self.leaf(second).text);
        // Leading dimensions are chosen; what lies below goes along.
        let rows = a.shape.first().copied().unwrap_or(1).max(1) as usize;
        let below = a.lanes() / rows;
        let mut lanes = Vec::new();
        for row in mask {
            let row = usize::try_from(row).unwrap_or(0);
            for n in 0..below {
                lanes.push(Expr::atom(match row < rows {
                    true => self.flavor.lane(&a, &x, &(row * below + n).to_string()),
                    false => self.flavor.lane(&b, &y, &((row - rows) * below + n).to_string()),
                }));
            }
        }
        self.listed(op, &to, &lanes)
    }

    fn transpose(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let from = self.vector(op, ir.ty(source))?;
        let to = self.vector(op, ir.ty(ir.result(op, 0)))?;
        let order =
            ir.attr(op, "permutation").and_then(|attr| attr.as_dense_array(self.cx)).unwrap_or(&[]).to_vec();
        if order.len() != from.shape.len() || to.shape.len() != from.shape.len() {
            return self.unknown(op);
        }
        let numbers: Vec<usize> = points(&to.shape)
            .map(|point| {
                let mut at = vec![0; point.len()];
                for (n, dim) in order.iter().enumerate() {
                    if let Some(place) = usize::try_from(*dim).ok().and_then(|dim| at.get_mut(dim)) {
                        *place = point[n];
                    }
                }
                at.iter().zip(&from.shape).fold(0, |sum, (n, size)| sum * *size as usize + n)
            })
            .collect();
        self.picked(op, source, &numbers)
    }
}

/// All points of a shape, row by row
pub(crate) fn points(shape: &[i64]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count = shape.iter().product::<i64>().max(0) as usize;
    (0..count).map(move |n| {
        let mut rest = n;
        let mut point = vec![0; shape.len()];
        for (at, size) in point.iter_mut().zip(shape).rev() {
            *at = rest % (*size).max(1) as usize;
            rest /= (*size).max(1) as usize;
        }
        point
    })
}
