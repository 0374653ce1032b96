//! Sums of products, and running sums: `contract scan`.

use super::compute::{check_kind, combines};
use super::{CombiningKind, RankedVector, add_kind, vector_shape};
use terrace_diag::Reported;
use terrace_ir::defs::InferCx;
use terrace_ir::rules::{AnyType, AnyVector, ArrayAttr, BoolAttr, I64Attr};
use terrace_ir::{Attr, AttrForm, Infer, Ir, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

terrace_ir::attr_enums! {
    /// What becomes of an iteration dimension
    pub IteratorType = "vector.iterator_type", "Iterator type should be an enum.", keyword {
        Parallel "parallel" 0, Reduction "reduction" 1,
    }
}

terrace_ir::attr_rules! {
    /// `[#vector.iterator_type<parallel>]`
    Iterators "Iterator type should be an enum.", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some_and(|all| {
        all.iter().all(|item| IteratorType::of(cx, *item).is_some())
    });
}

/// Combine products of elements of two vectors along some dimensions, and an accumulator
///
/// ```mlir
/// func.func @f(%a: vector<4x3xf32>, %b: vector<3x5xf32>, %c: vector<4x5xf32>) -> vector<4x5xf32> {
///   %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x3xf32>, vector<3x5xf32> into vector<4x5xf32>
///   return %r : vector<4x5xf32>
/// }
/// ```
#[op(
    "vector.contract",
    traits(Pure),
    relations(same(acc, result), same_element(lhs, rhs)),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Contract {
    lhs: RankedVector,
    rhs: RankedVector,
    acc: AnyType,
    #[attr]
    indexing_maps: ArrayAttr,
    #[attr]
    iterator_types: Iterators,
    #[attr(default = add_kind)]
    kind: CombiningKind,
    #[result]
    result: AnyType,
}

const NAMES: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

impl Contract {
    /// Maps from the iteration dimensions to those of both vectors and the accumulator
    pub fn maps(self, ir: &Ir) -> Vec<&AffineMap> {
        let all = self.indexing_maps(ir).as_array(ir.cx()).unwrap_or(&[]);
        all.iter().filter_map(|map| map.as_affine_map(ir.cx())).collect()
    }

    /// For each iteration dimension: is it reduced?
    pub fn reduced(self, ir: &Ir) -> Vec<bool> {
        let all = self.iterator_types(ir).as_array(ir.cx()).unwrap_or(&[]);
        all.iter().map(|each| IteratorType::of(ir.cx(), *each) == Some(IteratorType::Reduction)).collect()
    }

    /// Sizes of the iteration dimensions and which are scalable
    pub fn space(self, ir: &Ir) -> (Vec<i64>, Vec<bool>) {
        let rank = self.reduced(ir).len();
        let (mut sizes, mut flags) = (vec![-1; rank], vec![false; rank]);
        for (map, value) in self.maps(ir).into_iter().zip([self.lhs(ir), self.rhs(ir)]) {
            let TypeKind::Vector { shape, scalable, .. } = ir.ty(value).kind(ir.cx()) else { continue };
            for (n, (dim, size)) in map.result_dims().unwrap_or_default().into_iter().zip(shape).enumerate() {
                if let Some(place) = sizes.get_mut(dim as usize) {
                    *place = *size;
                    flags[dim as usize] = scalable >> n & 1 == 1;
                }
            }
        }
        (sizes, flags)
    }
}

impl CustomAsm for Contract {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let cx = p.cx();
        let dict = p.dictionary()?;
        for (name, attr) in dict.as_dict(cx).unwrap_or(&[]) {
            let name = cx.str(*name);
            let mut attr = *attr;
            if name == NAMES[1] {
                let Some(items) = attr.as_array(cx) else {
                    return Err(p.error("expected array of strings for iterator_types"));
                };
                let mut all = Vec::new();
                for item in items {
                    let word = item.as_str(cx).unwrap_or("?");
                    match IteratorType::from_word(word).or(IteratorType::of(cx, *item)) {
                        Some(each) => all.push(each.attr(cx)),
                        _ => return Err(p.error(format!("unexpected iterator_type ({word})"))),
                    }
                }
                attr = cx.array_attr(&all);
            }
            p.set_attr(name, attr);
        }
        if p.get_attr(NAMES[2]).is_none() {
            p.set_attr(NAMES[2], add_kind(cx));
        }
        let lhs = p.operand()?;
        p.punct(",")?;
        let rhs = p.operand()?;
        p.punct(",")?;
        let acc = p.operand()?;
        p.attr_dict()?;
        let left = p.colon_type()?;
        p.punct(",")?;
        let right = p.ty()?;
        p.keyword("into")?;
        let result = p.ty()?;
        for (operand, ty) in [(lhs, left), (rhs, right), (acc, result)] {
            p.resolve(&operand, ty)?;
        }
        p.add_result(result);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text(" {indexing_maps = ");
        p.attr(self.indexing_maps(ir));
        p.text(", iterator_types = [");
        for (n, each) in self.iterator_types(ir).as_array(cx).unwrap_or(&[]).iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            p.string(IteratorType::of(cx, *each).map_or("", IteratorType::word));
        }
        p.text("], kind = ");
        p.attr(self.kind(ir).attr(cx));
        p.text("} ");
        p.operands([self.lhs(ir), self.rhs(ir), self.acc(ir)]);
        p.attr_dict(&NAMES);
        p.text(" : ");
        p.types([self.lhs(ir), self.rhs(ir)].map(|value| ir.ty(value)));
        p.text(" into ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Contract {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (maps, reduced) = (self.maps(ir), self.reduced(ir));
        let given = self.indexing_maps(ir).as_array(cx).map_or(0, <[Attr]>::len);
        if maps.len() != 3 || given != 3 {
            return fail("expected an indexing map for each vector operand".into());
        }
        let values = [self.lhs(ir), self.rhs(ir), self.acc(ir)];
        for (n, (map, value)) in maps.iter().zip(values).enumerate() {
            if map.symbols != 0 {
                return fail(format!("expected indexing map {n} to have no symbols"));
            }
            if map.dims as usize != reduced.len() {
                return fail(format!("expected indexing map {n} to have {} number of inputs", reduced.len()));
            }
            let shape = vector_shape(cx, ir.ty(value));
            if map.results.len() != shape.map_or(0, <[i64]>::len) {
                let rank = shape.map_or(0, <[i64]>::len);
                return fail(format!("expected indexing map {n} to have {rank} number of outputs"));
            }
            if !map.is_projected_permutation() {
                return fail(format!(
                    "expected indexing map {n} to be a projected permutation of its inputs"
                ));
            }
        }
        // Where each iteration dimension is found in both vectors.
        let dims: Vec<Vec<u32>> = maps.iter().map(|map| map.result_dims().unwrap_or_default()).collect();
        let size = |which: usize, dim: u32| {
            let place = dims[which].iter().position(|other| *other == dim)?;
            let TypeKind::Vector { shape, scalable, .. } = ir.ty(values[which]).kind(cx) else { return None };
            Some((shape[place], scalable >> place & 1))
        };
        let mut contracted = 0;
        for (dim, is_reduced) in reduced.iter().enumerate() {
            let dim = dim as u32;
            let (a, b) = (size(0, dim), size(1, dim));
            match (is_reduced, a, b) {
                (true, Some(a), Some(b)) => {
                    contracted += 1;
                    if a != b {
                        return fail("invalid contracting dimension map".into());
                    }
                }
                (false, Some(a), Some(b)) if dims[2].contains(&dim) && a != b => {
                    return fail("invalid batch dimension map".into());
                }
                (_, None, None) => {
                    return fail("expected each iteration dimension to be one of a vector".into());
                }
                _ => {}
            }
        }
        if contracted == 0 {
            return fail("expected at least one contracting dimension pair".into());
        }
        let acc = ir.ty(self.acc(ir));
        let (sizes, flags) = self.space(ir);
        let shape: Vec<i64> = dims[2].iter().map(|dim| sizes[*dim as usize]).collect();
        let scalable = dims[2].iter().enumerate().filter(|(_, dim)| flags[**dim as usize]);
        let scalable = scalable.fold(0, |bits, (n, _)| bits | 1 << n);
        if !shape.is_empty() {
            let wanted = cx.ty(TypeKind::Vector { shape: shape.into(), scalable, elem: acc.scalar(cx) });
            if wanted != acc {
                let wanted = v.show(wanted);
                return fail(format!("invalid accumulator/result vector shape, expected: '{wanted}'"));
            }
        }
        if !combines(cx, self.kind(ir), acc.scalar(cx)) {
            return fail("unsupported contraction type".into());
        }
        Ok(())
    }
}

/// Combine elements along a dimension and keep what there is after each of them
///
/// Inclusive: the first result is the first element; else it is the initial value.
///
/// ```mlir
/// func.func @f(%v: vector<4x8xf32>, %i: vector<8xf32>) -> (vector<4x8xf32>, vector<8xf32>) {
///   %r, %last = vector.scan <add>, %v, %i {inclusive = false, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
///   return %r, %last : vector<4x8xf32>, vector<8xf32>
/// }
/// ```
#[op(
    "vector.scan",
    traits(Pure),
    relations(same(source, dest), same(initial_value, accumulated_value)),
    interfaces(terrace_interp::Interpret),
    hooks(infer, verify)
)]
#[asm(
    "` ` `<` $kind `>` `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"
)]
pub struct Scan {
    #[attr]
    kind: CombiningKind,
    source: RankedVector,
    initial_value: AnyVector,
    #[attr]
    reduction_dim: I64Attr,
    #[attr]
    inclusive: BoolAttr,
    #[result]
    dest: RankedVector,
    #[result]
    accumulated_value: AnyVector,
}

impl Infer for Scan {
    fn infer(cx: &InferCx<'_>) -> Option<Vec<Type>> {
        Some(vec![*cx.operands.first()?, *cx.operands.get(1)?])
    }
}

impl Scan {
    /// The dimension along which elements are combined
    pub fn dim(self, ir: &Ir) -> usize {
        self.reduction_dim(ir).as_i64(ir.cx()).and_then(|dim| usize::try_from(dim).ok()).unwrap_or(usize::MAX)
    }

    /// Does a result hold its own element?
    pub fn is_inclusive(self, ir: &Ir) -> bool {
        self.inclusive(ir).as_int(ir.cx()).is_some_and(|(value, _)| value != 0)
    }
}

impl Verify for Scan {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let shape = |value| vector_shape(cx, ir.ty(value)).unwrap_or(&[]);
        let (from, initial) = (shape(self.source(ir)), shape(self.initial_value(ir)));
        let dim = self.dim(ir);
        if dim >= from.len() {
            let given = self.reduction_dim(ir).as_i64(cx).unwrap_or(0);
            return fail(format!("reduction dimension {given} has to be less than {}", from.len()));
        }
        if initial.len() + 1 != from.len() {
            let message =
                format!("initial value rank {} has to be equal to {}", initial.len(), from.len() - 1);
            return fail(message);
        }
        let rest: Vec<i64> =
            from.iter().enumerate().filter(|(n, _)| *n != dim).map(|(_, size)| *size).collect();
        if rest != initial {
            return fail("incompatible input/initial value shapes".into());
        }
        check_kind(v, self.0, self.kind(ir), ir.ty(self.source(ir)).scalar(cx))
    }
}
