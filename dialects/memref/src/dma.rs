//! Asynchronous copies: `dma_start dma_wait`.

use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, AnyType, Index};
use terrace_ir::{Ir, Type, TypeKind, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

/// Begin a copy of so many elements; an element of memory says when it is done
///
/// With a stride, so many elements are moved for each step in the slower of both memories.
///
/// ```mlir
/// func.func @f(%from: memref<256xf32>, %to: memref<256xf32, 1>, %tag: memref<1xi32>, %i: index, %n: index) {
///   memref.dma_start %from[%i], %to[%i], %n, %tag[%i] : memref<256xf32>, memref<256xf32, 1>, memref<1xi32>
///   memref.dma_wait %tag[%i], %n : memref<1xi32>
///   return
/// }
/// ```
#[op("memref.dma_start", effects(read, write), interfaces(CustomAsm), hooks(verify))]
pub struct DmaStart {
    // Where each part begins follows from the ranks of the memrefs before it.
    operands: Variadic<AnyType>,
}

/// The operands by what they are
pub struct DmaParts {
    /// Source, destination and tag, each with indices
    pub places: [(Value, Vec<Value>); 3],
    /// Number of elements
    pub count: Value,
    /// Stride, and elements for each step of it
    pub stride: Option<(Value, Value)>,
}

impl DmaStart {
    /// The operands by what they are; none if there are too few
    pub fn parts(self, ir: &Ir) -> Option<DmaParts> {
        let mut operands = self.operands(ir).into_iter();
        let place = |operands: &mut std::vec::IntoIter<Value>| {
            let memref = operands.next()?;
            let TypeKind::MemRef { shape, .. } = ir.ty(memref).kind(ir.cx()) else { return None };
            let indices: Vec<Value> = operands.take(shape.len()).collect();
            (indices.len() == shape.len()).then_some((memref, indices))
        };
        let (from, to) = (place(&mut operands)?, place(&mut operands)?);
        let count = operands.next()?;
        let tag = place(&mut operands)?;
        let stride = match operands.as_slice() {
            [] => None,
            [stride, elements] => Some((*stride, *elements)),
            _ => return None,
        };
        Some(DmaParts { places: [from, to, tag], count, stride })
    }
}

impl CustomAsm for DmaStart {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let mut places = Vec::new();
        let mut count = None;
        for n in 0..3 {
            if n == 2 {
                count = Some(p.operand()?);
                p.punct(",")?;
            }
            places.push((p.operand()?, p.operands(Delim::Square)?));
            if n < 2 {
                p.punct(",")?;
            }
        }
        let mut strides = Vec::new();
        while p.punct_opt(",") {
            strides.push(p.operand()?);
        }
        if !matches!(strides.len(), 0 | 2) {
            return Err(p.error("expected two stride related operands"));
        }
        p.attr_dict()?;
        let types: Vec<Type> = p.colon_types()?;
        if types.len() != 3 {
            return Err(p.error("fewer/more types expected"));
        }
        let index = p.cx().common().index;
        for (n, ((memref, indices), ty)) in places.iter().zip(types).enumerate() {
            if let (2, Some(count)) = (n, &count) {
                p.resolve(count, index)?;
            }
            p.resolve(memref, ty)?;
            indices.iter().try_for_each(|each| p.resolve(each, index))?;
        }
        strides.iter().try_for_each(|each| p.resolve(each, index))
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let Some(parts) = self.parts(ir) else { return };
        for (n, (memref, indices)) in parts.places.iter().enumerate() {
            p.text(if n > 0 { ", " } else { " " });
            if n == 2 {
                p.operand(parts.count);
                p.text(", ");
            }
            p.operand(*memref);
            p.text("[");
            p.operands(indices.iter().copied());
            p.text("]");
        }
        if let Some((stride, elements)) = parts.stride {
            p.text(", ");
            p.operands([stride, elements]);
        }
        p.attr_dict(&[]);
        p.text(" : ");
        p.types(parts.places.iter().map(|(memref, _)| ir.ty(*memref)));
    }
}

impl Verify for DmaStart {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        if ir.num_operands(self.0) < 4 {
            return fail("expected at least 4 operands");
        }
        let Some(parts) = self.parts(ir) else {
            return fail("incorrect number of operands, or a place that is not a memref");
        };
        let indices = parts.places.iter().flat_map(|(_, indices)| indices).chain([&parts.count]);
        if indices.into_iter().any(|value| !ir.ty(*value).is_index(cx)) {
            return fail("expected indices and the number of elements to be of index type");
        }
        if parts.stride.is_some_and(|(a, b)| !ir.ty(a).is_index(cx) || !ir.ty(b).is_index(cx)) {
            return fail("expected stride and num elements per stride to be of type index");
        }
        Ok(())
    }
}

/// Wait for a copy that `dma_start` has begun
///
/// ```mlir
/// func.func @f(%tag: memref<1xi32>, %i: index, %n: index) {
///   memref.dma_wait %tag[%i], %n : memref<1xi32>
///   return
/// }
/// ```
#[op("memref.dma_wait", effects(read, write), hooks(verify))]
#[asm("$tag `[` $indices `]` `,` $count attr-dict `:` type($tag)")]
pub struct DmaWait {
    tag: AnyMemRef,
    indices: Variadic<Index>,
    count: Index,
}

impl Verify for DmaWait {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let rank = ir.ty(self.tag(ir)).shape(ir.cx()).map_or(0, <[i64]>::len);
        let indices = self.indices(ir).len();
        if rank != indices {
            let message = format!(
                "expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {indices}"
            );
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}
