//! `copy`: a box of elements from one buffer to another, or a value into all of them.

use super::*;
use crate::access::{self, Access};
use crate::names;
use terrace_ir::rules::{AffineMapAttr, AnyMemRef, AnyType, DenseI64Array, Index, UnitAttr};
use terrace_ir::{Builder, Ir, NewOp, TypeKind, Value, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::{CustomAsm, Unresolved};

/// How the loops of a copy run, per variable of the domain
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// At a level
    Level(Level),
    /// In vectors of so many elements
    Vector(i64),
}

attr_rules! {
    /// `["linear"]` or one word per variable: a level, `vector n`
    ByAttr "array of levels, one per domain variable, or [\"linear\"]", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some_and(|all| {
        all.iter().all(|word| word.as_str(cx).is_some_and(|text| text == "linear" || By::parse(text).is_some()))
    });
}

impl By {
    fn parse(text: &str) -> Option<By> {
        match text.strip_prefix("vector ") {
            Some(n) => n.parse().ok().filter(|n| *n > 0).map(By::Vector),
            None => text.parse().ok().map(By::Level),
        }
    }

    /// As text writes it
    pub fn text(self) -> String {
        match self {
            By::Level(level) => level.to_string(),
            By::Vector(n) => format!("vector {n}"),
        }
    }
}

/// Copy the elements of a box, or write a value to all of them
///
/// `else`: what is read outside of the source; `clip`: what is outside of the destination is dropped; `combine f`: merged
/// into what is there; `per block`: once for the threads of a block together.
///
/// ```mlir
/// func.func @tile(%A: memref<60x64xf32>, %T: memref<8x16xf32>) {
///   %z = arith.constant 0.0 : f32
///   sched.copy (%r, %c) in (8, 16) by (seq, vector 16) %A[%r + 56, %c] else %z to %T[%r, %c] : memref<60x64xf32> to memref<8x16xf32>
///   sched.copy (%r, %c) in (8, 16) %z to %T[%r, %c] : f32 to memref<8x16xf32>
///   return
/// }
/// ```
#[op("sched.copy", effects(read, write), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Copy {
    src: AnyType,
    src_indices: Variadic<Index>,
    dst: AnyMemRef,
    dst_indices: Variadic<Index>,
    padding: Optional<AnyType>,
    #[attr]
    domain: DenseI64Array,
    #[attr(optional)]
    names: NamesAttr,
    #[attr(optional)]
    src_map: AffineMapAttr,
    #[attr]
    dst_map: AffineMapAttr,
    #[attr(optional)]
    per: PerAttr,
    #[attr(optional)]
    by: ByAttr,
    #[attr(optional)]
    clip: UnitAttr,
    #[attr(optional)]
    combine: OperatorAttr,
    #[attr(optional)]
    step: StepAttr,
    #[attr(optional)]
    when: HoleAttr,
}

/// Everything a new copy is made from
#[derive(Clone, Debug)]
pub struct CopySpec {
    /// Sizes of the box
    pub domain: Vec<i64>,
    /// Names of its variables; may be empty
    pub names: Vec<String>,
    /// A memref, or a value that fills
    pub src: Value,
    /// Where it reads; its map has the domain's dimensions first
    pub from: Option<Access>,
    /// Destination
    pub dst: Value,
    /// Where it writes
    pub to: Access,
    /// What is read outside
    pub padding: Option<Value>,
    /// Who runs it together
    pub per: Option<Per>,
    /// How its loops run; empty: as the lowering likes
    pub by: Vec<By>,
    /// Drop what is outside
    pub clip: bool,
    /// Merge
    pub combine: Option<Operator>,
    /// Layer and label
    pub step: Option<(i64, i64)>,
}

impl CopySpec {
    /// A box of elements from one place to another: nothing stands outside, one runs it, nothing is merged
    pub fn new(
        domain: Vec<i64>,
        (src, from): (Value, Option<Access>),
        (dst, to): (Value, Access),
    ) -> CopySpec {
        CopySpec {
            domain,
            names: Vec::new(),
            src,
            from,
            dst,
            to,
            padding: None,
            per: None,
            by: Vec::new(),
            clip: false,
            combine: None,
            step: None,
        }
    }

    /// Every element of a buffer, from a buffer of its shape or from a value
    pub fn whole(ir: &Ir, src: Value, dst: Value) -> CopySpec {
        let shape = ir.ty(dst).shape(ir.cx()).unwrap_or(&[]).to_vec();
        let access = Access { map: AffineMap::identity(shape.len() as u32), values: Vec::new() };
        let from = ir.ty(src).shape(ir.cx()).is_some().then(|| access.clone());
        CopySpec::new(shape, (src, from), (dst, access))
    }

    /// What a copy is made from; its step and its condition stay with it
    pub fn of(ir: &Ir, copy: Copy) -> CopySpec {
        let names = copy.names(ir).and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
        CopySpec {
            names: names.iter().filter_map(|name| name.as_str(ir.cx())).map(String::from).collect(),
            padding: copy.padding(ir),
            per: copy.owner(ir),
            by: copy.by_levels(ir),
            clip: copy.clip(ir).is_some(),
            combine: copy.operator(ir),
            ..CopySpec::new(copy.sizes(ir), (copy.src(ir), copy.from(ir)), (copy.dst(ir), copy.to(ir)))
        }
    }

    /// Make the op
    pub fn build(&self, b: &mut Builder<'_>) -> Copy {
        let kind = b.kind(Copy::DEF);
        let cx = b.cx();
        let (src_values, dst_values) =
            (self.from.as_ref().map_or(&[][..], |from| &from.values), &self.to.values);
        let mut operands = vec![self.src];
        operands.extend_from_slice(src_values);
        operands.push(self.dst);
        operands.extend_from_slice(dst_values);
        operands.extend(self.padding);
        let segments =
            [1, src_values.len() as u32, 1, dst_values.len() as u32, u32::from(self.padding.is_some())];
        let strings = |all: Vec<String>| {
            let all: Vec<Attr> = all.iter().map(|text| cx.str_attr(text)).collect();
            (!all.is_empty()).then(|| cx.array_attr(&all))
        };
        let slots = [
            Some(cx.i64_array(&self.domain)),
            strings(self.names.clone()),
            self.from.as_ref().map(|from| cx.map_attr(from.map.clone())),
            Some(cx.map_attr(self.to.map.clone())),
            self.per.map(|per| cx.str_attr(per.word())),
            strings(self.by.iter().map(|by| by.text()).collect()),
            self.clip.then(|| cx.common().unit),
            self.combine.as_ref().map(|operator| operator.to_attr(cx)),
            self.step.map(|(layer, label)| cx.i64_array(&[layer, label])),
            None,
        ];
        Copy(b.insert(&NewOp { operands: &operands, segments: &segments, slots: &slots, ..NewOp::new(kind) }))
    }
}

impl Copy {
    /// Sizes of the box
    pub fn sizes(self, ir: &Ir) -> Vec<i64> {
        self.domain(ir).as_dense_array(ir.cx()).map_or(Vec::new(), <[i64]>::to_vec)
    }

    /// Where it reads; none when it fills
    pub fn from(self, ir: &Ir) -> Option<Access> {
        let map = self.src_map(ir)?.as_affine_map(ir.cx())?.clone();
        Some(Access { map, values: self.src_indices(ir) })
    }

    /// Where it writes
    pub fn to(self, ir: &Ir) -> Access {
        let map = self.dst_map(ir).as_affine_map(ir.cx()).cloned();
        Access { map: map.unwrap_or_else(|| AffineMap::identity(0)), values: self.dst_indices(ir) }
    }

    /// Who runs it together
    pub fn owner(self, ir: &Ir) -> Option<Per> {
        self.per(ir)?.as_str(ir.cx())?.parse().ok()
    }

    /// Spread over all threads by the flattened number of the element
    pub fn is_linear(self, ir: &Ir) -> bool {
        self.by_words(ir).first() == Some(&"linear")
    }

    /// Do threads run it together?
    pub fn is_collective(self, ir: &Ir) -> bool {
        self.owner(ir).is_some() || self.is_linear(ir)
    }

    /// How its loops run; empty when that is left open
    pub fn by_levels(self, ir: &Ir) -> Vec<By> {
        self.by_words(ir).into_iter().filter_map(By::parse).collect()
    }

    fn by_words(self, ir: &Ir) -> Vec<&str> {
        let all = self.by(ir).and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
        all.iter().filter_map(|word| word.as_str(ir.cx())).collect()
    }

    /// The operator that merges
    pub fn operator(self, ir: &Ir) -> Option<Operator> {
        Operator::from_attr(ir.cx(), self.combine(ir)?)
    }
}

fn parse_by(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let mut words = Vec::new();
    if p.keyword_opt("linear") {
        words.push("linear".to_string());
    } else {
        p.punct("(")?;
        loop {
            let word = p.any_keyword_opt().map(str::to_string).unwrap_or_default();
            let vector = if word == "vector" { p.int_opt()? } else { None };
            let text = vector.map_or(word.clone(), |n| format!("vector {n}"));
            if By::parse(&text).is_none() {
                return Err(p.error(format!(
                    "`{text}` is no level; `seq`, `unroll`, `task`, `thread.x`, `vector 4` are some"
                )));
            }
            words.push(text);
            if !p.punct_opt(",") {
                break;
            }
        }
        p.punct(")")?;
    }
    let attrs: Vec<Attr> = words.iter().map(|word| p.cx().str_attr(word)).collect();
    let attr = p.cx().array_attr(&attrs);
    p.set_attr("by", attr);
    Ok(())
}

fn parse_domain(p: &mut OpParser<'_, '_>) -> Result<Vec<Unresolved>, Reported> {
    let names = p.operands(terrace_text::Delim::Paren)?;
    p.keyword("in")?;
    p.punct("(")?;
    let mut sizes = Vec::new();
    if !p.at_punct(")") {
        loop {
            sizes.push(p.int64()?);
            if !p.punct_opt(",") {
                break;
            }
        }
    }
    p.punct(")")?;
    if names.len() != sizes.len() {
        return Err(p.error(format!("{} variables, but {} sizes", names.len(), sizes.len())));
    }
    let attr = p.cx().i64_array(&sizes);
    p.set_attr("domain", attr);
    let texts: Vec<Attr> = names.iter().map(|name| p.cx().str_attr(&p.name_text(name))).collect();
    if !texts.is_empty() {
        let attr = p.cx().array_attr(&texts);
        p.set_attr("names", attr);
    }
    Ok(names)
}

impl CustomAsm for Copy {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_per(p)?;
        if let Some(step) = parse_step(p)? {
            p.set_attr("step", step);
        }
        let names = parse_domain(p)?;
        if p.keyword_opt("by") {
            parse_by(p)?;
        }
        let src = p.operand()?;
        let from = if p.at_punct("[") { Some(access::parse(p, &names)?) } else { None };
        if let Some(from) = &from {
            let map = from.map_attr(p.cx());
            p.set_attr("src_map", map);
        }
        let padding = if p.keyword_opt("else") { Some(p.operand()?) } else { None };
        p.keyword("to")?;
        let dst = p.operand()?;
        let to = access::parse(p, &names)?;
        let map = to.map_attr(p.cx());
        p.set_attr("dst_map", map);
        parse_clip(p);
        parse_combine(p)?;
        parse_hole(p, "when")?;
        p.attr_dict()?;
        let src_ty = p.colon_type()?;
        p.keyword("to")?;
        let dst_ty = p.ty()?;
        p.resolve(&src, src_ty)?;
        p.segment();
        access::resolve_opt(p, &from)?;
        p.resolve(&dst, dst_ty)?;
        p.segment();
        to.resolve(p)?;
        if let Some(padding) = padding {
            let elem = dst_ty.scalar(p.cx());
            let elem = dst_ty.element(p.cx()).unwrap_or(elem);
            p.resolve(&padding, elem)?;
        }
        p.segment();
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let cx = ir.cx();
        let (sizes, from, to) = (self.sizes(ir), self.from(ir), self.to(ir));
        let given = self.names(ir).and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
        let given: Vec<&str> = given.iter().filter_map(|name| name.as_str(cx)).collect();
        let operands: Vec<Value> = ir.operands(self.0).collect();
        let names = names::distinct(ir, &given, sizes.len(), &operands);
        print_word(p, " per ", self.per(ir));
        print_step(p, self.step(ir));
        p.text(" (");
        for (n, name) in names.iter().enumerate() {
            p.text(if n > 0 { ", %" } else { "%" });
            p.text(name);
        }
        p.text(") in (");
        for (n, size) in sizes.iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.int((*size).into());
        }
        p.text(")");
        let by = self.by_words(ir);
        if self.is_linear(ir) {
            p.text(" by linear");
        } else if !by.is_empty() {
            p.text(" by (");
            p.text(&by.join(", "));
            p.text(")");
        }
        p.text(" ");
        p.operand(self.src(ir));
        if let Some(from) = &from {
            access::print(p, &names, &from.map, &from.values);
        }
        if let Some(padding) = self.padding(ir) {
            p.text(" else ");
            p.operand(padding);
        }
        p.text(" to ");
        p.operand(self.dst(ir));
        access::print(p, &names, &to.map, &to.values);
        p.text(if self.clip(ir).is_some() { " clip" } else { "" });
        if let Some(combine) = self.combine(ir) {
            p.text(" combine ");
            print_operator(p, combine);
        }
        print_hole(p, " when ", self.when(ir));
        p.attr_dict(&[
            "domain", "names", "src_map", "dst_map", "per", "by", "clip", "combine", "step", "when",
        ]);
        p.text(" : ");
        p.ty(ir.ty(self.src(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.dst(ir)));
    }
}

impl Copy {
    /// The op alone: what it says of itself
    pub(crate) fn verify_alone(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (sizes, to) = (self.sizes(ir), self.to(ir));
        if sizes.iter().any(|size| *size < 0) {
            return fail("expects sizes of at least 0".into());
        }
        let dst_ty = ir.ty(self.dst(ir));
        let Some(elem) = dst_ty.element(cx) else { return Ok(()) };
        if let Some(message) = access::mistake(cx, &to.map, sizes.len(), to.values.len(), dst_ty) {
            return fail(format!("destination: {message}"));
        }
        let src_ty = ir.ty(self.src(ir));
        let from_memref = matches!(src_ty.kind(cx), TypeKind::MemRef { .. });
        match self.from(ir) {
            Some(from) if from_memref => {
                if let Some(message) = access::mistake(cx, &from.map, sizes.len(), from.values.len(), src_ty)
                {
                    return fail(format!("source: {message}"));
                }
            }
            Some(_) => return fail("reads at indices, but its source is no memref".into()),
            None if from_memref => return fail("expects indices of its source".into()),
            None => {}
        }
        let moved = if from_memref { src_ty.element(cx).unwrap_or(src_ty) } else { src_ty };
        if moved != elem || self.padding(ir).is_some_and(|padding| ir.ty(padding) != elem) {
            return fail(format!(
                "expects source and 'else' to have the destination's element type '{}'",
                v.show(elem)
            ));
        }
        if self.padding(ir).is_some() && !from_memref {
            return fail("fills with a value, which can't be outside: 'else' has no meaning".into());
        }
        let by = self.by_words(ir);
        if !by.is_empty() && !self.is_linear(ir) && by.len() != sizes.len() {
            return fail(format!(
                "expects one level per variable of its domain: {} given for {}",
                by.len(),
                sizes.len()
            ));
        }
        if by.len() > 1 && by.contains(&"linear") {
            return fail("'linear' stands alone: all variables are flattened".into());
        }
        if let Some(operator) = self.operator(ir) {
            check_operator(v, self.0, &operator, elem)?;
        }
        // One that stands in no loop is a nest of its own.
        Ok(())
    }
}
