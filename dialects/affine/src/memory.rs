//! Accesses whose indices are affine: `load store vector_load vector_store prefetch`.

use super::parts::{print_indices, resolve};
use super::valid;
use terrace_diag::Reported;
use terrace_dialect_memref::{HINTS, Locality, parse_hints, print_hints};
use terrace_dialect_vector::RankedVector;
use terrace_ir::rules::{AffineMapAttr, AnyMemRef, AnyType, BoolAttr, Index};
use terrace_ir::{Attr, OpId, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Read an element
///
/// ```mlir
/// func.func @f(%m: memref<100x100xf32>, %n: index) -> f32 {
///   %x = affine.load %m[%n + 3, symbol(%n) * 2] : memref<100x100xf32>
///   return %x : f32
/// }
/// ```
#[op(
    "affine.load",
    traits(terrace_dataflow::PlacedIndices),
    effects(read),
    relations(element_of(memref => result)),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Load {
    #[attr]
    map: AffineMapAttr,
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[result]
    result: AnyType,
}

/// Write an element
///
/// ```mlir
/// func.func @f(%m: memref<100x100xf32>, %n: index, %x: f32) {
///   affine.store %x, %m[%n floordiv 2, %n mod 2] : memref<100x100xf32>
///   return
/// }
/// ```
#[op(
    "affine.store",
    traits(terrace_dataflow::PlacedIndices),
    effects(write),
    relations(element_of(memref => value)),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Store {
    #[attr]
    map: AffineMapAttr,
    value: AnyType,
    memref: AnyMemRef,
    indices: Variadic<Index>,
}

/// Read a slice of memory into a vector
///
/// ```mlir
/// func.func @f(%m: memref<100x100xf32>, %n: index) -> vector<2x8xf32> {
///   %v = affine.vector_load %m[%n, %n + 7] : memref<100x100xf32>, vector<2x8xf32>
///   return %v : vector<2x8xf32>
/// }
/// ```
#[op(
    "affine.vector_load",
    traits(terrace_dataflow::PlacedIndices),
    effects(read),
    relations(same_element(memref, result)),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct VectorLoad {
    #[attr]
    map: AffineMapAttr,
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[result]
    result: RankedVector,
}

/// Write a vector to a slice of memory
///
/// ```mlir
/// func.func @f(%m: memref<100x100xf32>, %n: index, %v: vector<8xf32>) {
///   affine.vector_store %v, %m[%n, %n + 7] : memref<100x100xf32>, vector<8xf32>
///   return
/// }
/// ```
#[op(
    "affine.vector_store",
    traits(terrace_dataflow::PlacedIndices),
    effects(write),
    relations(same_element(memref, value)),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct VectorStore {
    #[attr]
    map: AffineMapAttr,
    value: RankedVector,
    memref: AnyMemRef,
    indices: Variadic<Index>,
}

/// Say that memory will be read or written soon
///
/// ```mlir
/// func.func @f(%m: memref<400x400xi32>, %n: index) {
///   affine.prefetch %m[%n, %n + 5], read, locality<3>, data : memref<400x400xi32>
///   return
/// }
/// ```
#[op(
    "affine.prefetch",
    traits(terrace_dataflow::PlacedIndices),
    effects(read, write),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Prefetch {
    #[attr(name = "isWrite")]
    is_write: BoolAttr,
    #[attr(name = "localityHint")]
    locality: Locality,
    #[attr(name = "isDataCache")]
    is_data: BoolAttr,
    #[attr]
    map: AffineMapAttr,
    memref: AnyMemRef,
    indices: Variadic<Index>,
}

fn parse_access(
    p: &mut OpParser<'_, '_>,
    has_value: bool,
    words: impl FnOnce(&mut OpParser<'_, '_>) -> Result<(), Reported>,
    is_vector: bool,
) -> Result<(Type, Type), Reported> {
    let value = match has_value {
        true => {
            let value = p.operand()?;
            p.punct(",")?;
            Some(value)
        }
        false => None,
    };
    let memref = p.operand()?;
    let (map, mut operands, symbols) = p.affine_map_of_ssa_ids()?;
    operands.extend(symbols);
    words(p)?;
    p.attr_dict()?;
    let ty = p.colon_type()?;
    let elem = match is_vector {
        true => {
            p.punct(",")?;
            p.ty()?
        }
        false => ty.scalar(p.cx()),
    };
    p.set_attr("map", map);
    if let Some(value) = value {
        p.resolve(&value, elem)?;
    }
    p.resolve(&memref, ty)?;
    resolve(p, &operands)?;
    Ok((ty, elem))
}

fn print_access(p: &mut OpPrinter<'_>, value: Option<Value>, memref: Value, map: Attr, indices: &[Value]) {
    p.text(" ");
    if let Some(value) = value {
        p.operand(value);
        p.text(", ");
    }
    p.operand(memref);
    print_indices(p, map, indices);
}

fn print_types(p: &mut OpPrinter<'_>, memref: Value, vector: Option<Value>) {
    let ir = p.ir();
    p.text(" : ");
    p.ty(ir.ty(memref));
    if let Some(vector) = vector {
        p.text(", ");
        p.ty(ir.ty(vector));
    }
}

macro_rules! loads {
    ($($name:ident $vector:literal;)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                let (_, elem) = parse_access(p, false, |_| Ok(()), $vector)?;
                p.add_result(elem);
                Ok(())
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                let ir = p.ir();
                print_access(p, None, self.memref(ir), self.map(ir), &self.indices(ir));
                p.attr_dict(&["map"]);
                print_types(p, self.memref(ir), $vector.then(|| self.result(ir)));
            }
        }

        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                let ir = v.ir;
                check(v, self.0, ir.ty(self.memref(ir)), self.map(ir), &self.indices(ir))
            }
        }
    )*};
}

macro_rules! stores {
    ($($name:ident $vector:literal;)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                parse_access(p, true, |_| Ok(()), $vector).map(|_| ())
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                let ir = p.ir();
                print_access(p, Some(self.value(ir)), self.memref(ir), self.map(ir), &self.indices(ir));
                p.attr_dict(&["map"]);
                print_types(p, self.memref(ir), $vector.then(|| self.value(ir)));
            }
        }

        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                let ir = v.ir;
                check(v, self.0, ir.ty(self.memref(ir)), self.map(ir), &self.indices(ir))
            }
        }
    )*};
}

loads! { Load false; VectorLoad true; }
stores! { Store false; VectorStore true; }

impl CustomAsm for Prefetch {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_access(p, false, parse_hints, false).map(|_| ())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_access(p, None, self.memref(ir), self.map(ir), &self.indices(ir));
        print_hints(p, self.is_write(ir), self.locality(ir), self.is_data(ir));
        p.attr_dict(&["map", HINTS[0], HINTS[1], HINTS[2]]);
        print_types(p, self.memref(ir), None);
    }
}

fn check(v: &VerifyCx<'_>, op: OpId, memref: Type, map: Attr, indices: &[Value]) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let (Some(shape), Some(affine)) = (memref.shape(cx), map.as_affine_map(cx)) else { return Ok(()) };
    if affine.results.len() != shape.len() {
        return v.fail(op, &codes::OP_RULE, "affine map num results must equal memref rank");
    }
    valid::check_count(v, op, map, indices.len(), "expects as many subscripts as affine map inputs")?;
    valid::check(v, op, affine.dims as usize, indices)
}

impl Verify for Prefetch {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        check(v, self.0, ir.ty(self.memref(ir)), self.map(ir), &self.indices(ir))
    }
}
