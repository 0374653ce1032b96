//! Reads and writes of memory or tensors with permuted, repeated and missing dimensions: `transfer_read transfer_write`.
//!
//! The permutation map gives, for each dimension of the vector, the dimension of memory along which it runs, or 0 for one
//! along which the vector repeats. What lies outside of memory is padding when read and left out when written, unless
//! `in_bounds` promises that nothing does.

use super::memory::check_indices;
use super::{Mask, vector_shape};
use terrace_diag::Reported;
use terrace_ir::rules::{AffineMapAttr, AnyRankedTensor, AnyShaped, AnyType, AnyVector, Index};
use terrace_ir::{
    Attr, AttrForm, Context, Effects, EffectsOf, Ir, OpId, Type, TypeKind, Value, Verify, VerifyCx, codes,
};
use terrace_macros::op;
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, Unresolved};

terrace_ir::attr_rules! {
    /// `[true, false]`
    BoolArray "1-bit boolean array attribute", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some_and(|items| {
        items.iter().all(|item| item.as_int(cx).is_some_and(|(_, ty)| ty == cx.common().i1))
    });
}

/// Read memory or a tensor into a vector; padding for what lies outside
///
/// ```mlir
/// func.func @f(%m: memref<?x?xf32>, %i: index, %pad: f32) -> (vector<8xf32>, vector<4x2xf32>) {
///   %a = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
///   %b = vector.transfer_read %m[%i, %i], %pad {permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<?x?xf32>, vector<4x2xf32>
///   return %a, %b : vector<8xf32>, vector<4x2xf32>
/// }
/// ```
#[op(
    "vector.transfer_read",
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify, effects)
)]
pub struct TransferRead {
    base: AnyShaped,
    indices: Variadic<Index>,
    padding: AnyType,
    mask: Optional<Mask>,
    #[attr]
    permutation_map: AffineMapAttr,
    #[attr]
    in_bounds: BoolArray,
    #[result]
    vector: AnyVector,
}

/// Write a vector to memory, or into a tensor, which gives a new one
///
/// ```mlir
/// func.func @f(%v: vector<4x2xf32>, %m: memref<?x?xf32>, %t: tensor<8x8xf32>, %i: index, %mask: vector<4x2xi1>) -> tensor<8x8xf32> {
///   vector.transfer_write %v, %m[%i, %i], %mask : vector<4x2xf32>, memref<?x?xf32>
///   %r = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true, false]} : vector<4x2xf32>, tensor<8x8xf32>
///   return %r : tensor<8x8xf32>
/// }
/// ```
#[op(
    "vector.transfer_write",
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify, effects)
)]
pub struct TransferWrite {
    value_to_store: AnyVector,
    base: AnyShaped,
    indices: Variadic<Index>,
    mask: Optional<Mask>,
    #[attr]
    permutation_map: AffineMapAttr,
    #[attr]
    in_bounds: BoolArray,
    #[result]
    result: Optional<AnyRankedTensor>,
}

/// What both ops have
#[derive(Clone, Copy)]
pub(super) struct Transfer {
    pub op: OpId,
    pub base: Value,
    pub vector: Type,
    pub mask: Option<Value>,
    pub map: Attr,
    pub in_bounds: Attr,
}

impl Transfer {
    pub fn of(ir: &Ir, op: OpId) -> Option<Transfer> {
        if let Some(read) = TransferRead::cast(ir, op) {
            return Some(Transfer {
                op,
                base: read.base(ir),
                vector: ir.ty(read.vector(ir)),
                mask: read.mask(ir),
                map: read.permutation_map(ir),
                in_bounds: read.in_bounds(ir),
            });
        }
        let write = TransferWrite::cast(ir, op)?;
        Some(Transfer {
            op,
            base: write.base(ir),
            vector: ir.ty(write.value_to_store(ir)),
            mask: write.mask(ir),
            map: write.permutation_map(ir),
            in_bounds: write.in_bounds(ir),
        })
    }

    /// Where it starts
    pub fn indices(&self, ir: &Ir) -> Vec<Value> {
        let place = usize::from(TransferWrite::cast(ir, self.op).is_some()) + 1;
        ir.operand_field(self.op, place)
    }

    /// The promises, one for each dimension that the map gives
    pub fn promises(&self, cx: &Context) -> Vec<bool> {
        let items = self.in_bounds.as_array(cx).unwrap_or(&[]);
        items.iter().map(|item| item.as_int(cx).is_some_and(|(value, _)| value != 0)).collect()
    }
}

/// Dimensions of the vector that are not those of a vector element of memory
fn effective_rank(cx: &Context, shaped: Type, vector: Type) -> Option<usize> {
    let inner = vector_shape(cx, shaped.scalar(cx)).map_or(0, <[i64]>::len);
    vector_shape(cx, vector)?.len().checked_sub(inner)
}

/// The map that need not be written: the last dimensions of memory in order
fn implied_map(cx: &Context, shaped: Type, vector: Type) -> Option<AffineMap> {
    let memory = shaped.shape(cx)?;
    let rank = effective_rank(cx, shaped, vector)?;
    AffineMap::minor_identity(u32::try_from(memory.len()).ok()?, u32::try_from(rank).ok()?)
}

/// Type of the mask: the vector's sizes in the order of the memory's dimensions, without those that repeat
pub(super) fn mask_type(cx: &Context, vector: Type, map: &AffineMap) -> Option<Type> {
    let TypeKind::Vector { shape, scalable, .. } = vector.kind(cx) else { return None };
    let mut used: Vec<(u32, usize)> = Vec::new();
    for (n, result) in map.results.iter().enumerate().take(shape.len()) {
        if let AffineExpr::Dim(dim) = result {
            used.push((*dim, n));
        }
    }
    used.sort_unstable();
    let mut sizes: Vec<i64> = used.iter().map(|(_, n)| shape[*n]).collect();
    let flags = used.iter().enumerate().filter(|(_, (_, n))| scalable >> n & 1 == 1);
    let scalable = flags.fold(0, |bits, (to, _)| bits | 1 << to);
    if sizes.is_empty() {
        sizes.push(1);
    }
    Some(cx.ty(TypeKind::Vector { shape: sizes.into(), scalable, elem: cx.common().i1 }))
}

/// What the text gives apart from the vector that is written or the padding
struct Parts {
    base: Unresolved,
    indices: Vec<Unresolved>,
    mask: Option<Unresolved>,
}

/// Fill in the map and the promises; types of memory and of the mask
fn complete(
    p: &mut OpParser<'_, '_>,
    shaped: Type,
    vector: Type,
    masked: bool,
) -> Result<Option<Type>, Reported> {
    let cx = p.cx();
    let ranked = matches!(shaped.kind(cx), TypeKind::MemRef { .. } | TypeKind::Tensor { .. });
    if !ranked {
        return Err(p.error("requires memref or ranked tensor type"));
    }
    if vector_shape(cx, vector).is_none() {
        return Err(p.error("requires vector type"));
    }
    let map = match p.get_attr("permutation_map") {
        Some(map) => map,
        None => match implied_map(cx, shaped, vector) {
            Some(map) => cx.map_attr(map),
            None => {
                return Err(
                    p.error("expected a custom permutation_map when rank(source) != rank(destination)")
                );
            }
        },
    };
    p.set_attr("permutation_map", map);
    let Some(map) = map.as_affine_map(cx) else {
        return Err(p.error("attribute 'permutation_map' must be an affine map"));
    };
    if p.get_attr("in_bounds").is_none() {
        let all = cx.array_attr(&vec![cx.bool_attr(false); map.results.len()]);
        p.set_attr("in_bounds", all);
    }
    if !masked {
        return Ok(None);
    }
    if vector_shape(cx, shaped.scalar(cx)).is_some() {
        return Err(p.error("does not support masks with vector element type"));
    }
    if vector_shape(cx, vector).map(<[i64]>::len) != Some(map.results.len()) {
        return Err(p.error("expected the same rank for the vector and the results of the permutation map"));
    }
    Ok(mask_type(cx, vector, map))
}

fn parse_place(p: &mut OpParser<'_, '_>) -> Result<(Unresolved, Vec<Unresolved>), Reported> {
    Ok((p.operand()?, p.operands(Delim::Square)?))
}

fn resolve_place(p: &mut OpParser<'_, '_>, parts: &Parts, shaped: Type) -> Result<(), Reported> {
    p.resolve(&parts.base, shaped)?;
    p.segment();
    let index = p.cx().common().index;
    parts.indices.iter().try_for_each(|each| p.resolve(each, index))?;
    p.segment();
    Ok(())
}

fn resolve_mask(p: &mut OpParser<'_, '_>, parts: &Parts, ty: Option<Type>) -> Result<(), Reported> {
    if let (Some(mask), Some(ty)) = (&parts.mask, ty) {
        p.resolve(mask, ty)?;
    }
    p.segment();
    Ok(())
}

/// The attributes but for a map that is implied and promises that are none
fn print_attrs(p: &mut OpPrinter<'_>, transfer: &Transfer) {
    let cx = p.cx();
    let shaped = p.ir().ty(transfer.base);
    let mut elide = vec!["operandSegmentSizes"];
    if transfer.map.as_affine_map(cx) == implied_map(cx, shaped, transfer.vector).as_ref() {
        elide.push("permutation_map");
    }
    if !transfer.promises(cx).contains(&true) {
        elide.push("in_bounds");
    }
    p.attr_dict(&elide);
}

fn print_place(p: &mut OpPrinter<'_>, base: Value, indices: Vec<Value>) {
    p.operand(base);
    p.text("[");
    p.operands(indices);
    p.text("]");
}

impl CustomAsm for TransferRead {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let (base, indices) = parse_place(p)?;
        p.punct(",")?;
        let padding = p.operand()?;
        let mask = if p.punct_opt(",") { Some(p.operand()?) } else { None };
        p.attr_dict()?;
        let shaped = p.colon_type()?;
        p.punct(",")?;
        let vector = p.ty()?;
        let parts = Parts { base, indices, mask };
        let mask = complete(p, shaped, vector, parts.mask.is_some())?;
        resolve_place(p, &parts, shaped)?;
        let elem = shaped.scalar(p.cx());
        p.resolve(&padding, elem)?;
        p.segment();
        resolve_mask(p, &parts, mask)?;
        p.add_result(vector);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_place(p, self.base(ir), self.indices(ir));
        p.text(", ");
        p.operand(self.padding(ir));
        if let Some(mask) = self.mask(ir) {
            p.text(", ");
            p.operand(mask);
        }
        if let Some(transfer) = Transfer::of(ir, self.0) {
            print_attrs(p, &transfer);
        }
        p.text(" : ");
        p.ty(ir.ty(self.base(ir)));
        p.text(", ");
        p.ty(ir.ty(self.vector(ir)));
    }
}

impl CustomAsm for TransferWrite {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let value = p.operand()?;
        p.punct(",")?;
        let (base, indices) = parse_place(p)?;
        let mask = if p.punct_opt(",") { Some(p.operand()?) } else { None };
        p.attr_dict()?;
        let vector = p.colon_type()?;
        p.punct(",")?;
        let shaped = p.ty()?;
        let parts = Parts { base, indices, mask };
        let mask = complete(p, shaped, vector, parts.mask.is_some())?;
        p.resolve(&value, vector)?;
        p.segment();
        resolve_place(p, &parts, shaped)?;
        resolve_mask(p, &parts, mask)?;
        if matches!(shaped.kind(p.cx()), TypeKind::Tensor { .. }) {
            p.add_result(shaped);
        }
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.value_to_store(ir));
        p.text(", ");
        print_place(p, self.base(ir), self.indices(ir));
        if let Some(mask) = self.mask(ir) {
            p.text(", ");
            p.operand(mask);
        }
        if let Some(transfer) = Transfer::of(ir, self.0) {
            print_attrs(p, &transfer);
        }
        p.text(" : ");
        p.ty(ir.ty(self.value_to_store(ir)));
        p.text(", ");
        p.ty(ir.ty(self.base(ir)));
    }
}

fn is_memory(ir: &Ir, base: Value) -> bool {
    matches!(ir.ty(base).kind(ir.cx()), TypeKind::MemRef { .. })
}

impl EffectsOf for TransferRead {
    fn effects(self, ir: &Ir) -> Effects {
        if is_memory(ir, self.base(ir)) { Effects::READ } else { Effects::NONE }
    }
}

impl EffectsOf for TransferWrite {
    fn effects(self, ir: &Ir) -> Effects {
        if is_memory(ir, self.base(ir)) { Effects::WRITE } else { Effects::NONE }
    }
}

/// Bits of the last dimension of a vector, or of a scalar
fn minor_bits(cx: &Context, ty: Type) -> Option<i64> {
    let last = vector_shape(cx, ty).and_then(|shape| shape.last().copied()).unwrap_or(1);
    last.checked_mul(ty.scalar(cx).bit_width(cx)?.into())
}

fn check(v: &VerifyCx<'_>, transfer: &Transfer) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let fail = |message: &str| v.fail(transfer.op, &codes::OP_RULE, message);
    let shaped = ir.ty(transfer.base);
    let (Some(memory), Some(map)) = (shaped.shape(cx), transfer.map.as_affine_map(cx)) else { return Ok(()) };
    if vector_shape(cx, shaped).is_some() {
        return fail("requires source to be a memref or ranked tensor type");
    }
    let elem = shaped.scalar(cx);
    let whole = match (minor_bits(cx, transfer.vector), minor_bits(cx, elem)) {
        (Some(a), Some(b)) if b > 0 => a % b == 0,
        _ => transfer.vector.scalar(cx) == elem.scalar(cx),
    };
    let rank = match vector_shape(cx, elem) {
        Some(_) if !whole => {
            return fail(
                "requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor \
                 1-D vector of the source",
            );
        }
        None if !whole => {
            return fail(
                "requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source \
                 element type",
            );
        }
        _ => effective_rank(cx, shaped, transfer.vector),
    };
    let Some(rank) = rank else {
        return fail("requires source vector element and vector result ranks to match.");
    };
    if map.results.len() != rank {
        return fail("requires a permutation_map with result dims of the same rank as the vector type");
    }
    if transfer.mask.is_some() && vector_shape(cx, elem).is_some() {
        return fail("does not support masks with vector element type");
    }
    if map.symbols != 0 {
        return fail("requires permutation_map without symbols");
    }
    if map.dims as usize != memory.len() {
        return fail("requires a permutation_map with input dims of the same rank as the source type");
    }
    check_map(v, transfer.op, map)?;
    if let (Some(mask), Some(wanted)) = (transfer.mask, mask_type(cx, transfer.vector, map)) {
        let found = ir.ty(mask);
        if found != wanted {
            let (wanted, found) = (v.show(wanted), v.show(found));
            return fail(&format!(
                "inferred mask type ('{wanted}') and mask operand type ('{found}') don't match"
            ));
        }
    }
    let promises = transfer.promises(cx).len();
    if map.results.len() != promises {
        let map = terrace_ir::show::attr_text(cx, transfer.map);
        return fail(&format!(
            "expects the in_bounds attr of same rank as permutation_map results: {map} vs inBounds of size: {promises}"
        ));
    }
    Ok(())
}

/// Each result a dimension, none twice, or zero
fn check_map(v: &VerifyCx<'_>, op: OpId, map: &AffineMap) -> Result<(), Reported> {
    let mut seen = vec![false; map.dims as usize];
    for result in &map.results {
        match result {
            AffineExpr::Constant(0) => {}
            AffineExpr::Dim(dim) => match seen.get_mut(*dim as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    let message = "requires a permutation_map that is a permutation (found one dim used more than once)";
                    return v.fail(op, &codes::OP_RULE, message);
                }
            },
            _ => {
                let message = "requires a projected permutation_map (at most one dim or the zero constant can appear \
                    in each result)";
                return v.fail(op, &codes::OP_RULE, message);
            }
        }
    }
    Ok(())
}

impl Verify for TransferRead {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let Some(transfer) = Transfer::of(ir, self.0) else { return Ok(()) };
        let shaped = ir.ty(self.base(ir));
        check_indices(v, self.0, shaped.shape(cx).map_or(0, <[i64]>::len), self.indices(ir).len())?;
        check(v, &transfer)?;
        let elem = shaped.scalar(cx);
        if ir.ty(self.padding(ir)) == elem {
            return Ok(());
        }
        let message = match vector_shape(cx, elem) {
            Some(_) => "requires source element type and padding type to match.",
            None => "requires formal padding and source of the same elemental type",
        };
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

impl Verify for TransferWrite {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let Some(transfer) = Transfer::of(ir, self.0) else { return Ok(()) };
        let shaped = ir.ty(self.base(ir));
        check_indices(v, self.0, shaped.shape(cx).map_or(0, <[i64]>::len), self.indices(ir).len())?;
        let map = transfer.map.as_affine_map(cx);
        if map.is_some_and(|map| map.results.iter().any(|result| *result == AffineExpr::Constant(0))) {
            return v.fail(self.0, &codes::OP_RULE, "should not have broadcast dimensions");
        }
        check(v, &transfer)?;
        let wanted = (!is_memory(ir, self.base(ir))).then_some(shaped);
        if self.result(ir).map(|result| ir.ty(result)) != wanted {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "has a result of the tensor's type exactly if it writes into a tensor",
            );
        }
        Ok(())
    }
}
