//! `tensor`: making tensors, and parts of them.
//!
//! Tier 2: syntax and tables; what the ops mean is what `linalg-to-mdh` makes of them. Offsets and sizes are numbers here.

use crate::vector::lists::parse_numbers;
use terrace_diag::Reported;
use terrace_ir::rules::{AnyRankedTensor, AnyType, DenseI64Array};
use terrace_ir::{Attr, Type};
use terrace_macros::{dialect, op};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A tensor whose elements do not matter
///
/// ```mlir
/// func.func @f() -> tensor<4x5xf32> {
///   %e = tensor.empty() : tensor<4x5xf32>
///   return %e : tensor<4x5xf32>
/// }
/// ```
#[op("tensor.empty", traits(Pure), asm = "`(` `)` attr-dict `:` type($result)")]
pub struct Empty {
    #[result]
    result: AnyRankedTensor,
}

/// The same tensor by another type
///
/// ```mlir
/// func.func @f(%t: tensor<4x5xf32>) -> tensor<?x5xf32> {
///   %r = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>
///   return %r : tensor<?x5xf32>
/// }
/// ```
#[op("tensor.cast", traits(Pure), asm = "$source attr-dict `:` type($source) `to` type($dest)")]
pub struct Cast {
    #[operand]
    source: AnyRankedTensor,
    #[result]
    dest: AnyRankedTensor,
}

/// A rectangular part of a tensor
///
/// ```mlir
/// func.func @f(%t: tensor<8x8xf32>) -> tensor<4x2xf32> {
///   %r = tensor.extract_slice %t[0, 1] [4, 2] [2, 1] : tensor<8x8xf32> to tensor<4x2xf32>
///   return %r : tensor<4x2xf32>
/// }
/// ```
#[op("tensor.extract_slice", traits(Pure), interfaces(CustomAsm))]
pub struct ExtractSlice {
    #[operand]
    source: AnyRankedTensor,
    #[operand]
    offsets: Variadic<AnyType>,
    #[operand]
    sizes: Variadic<AnyType>,
    #[operand]
    strides: Variadic<AnyType>,
    #[attr]
    static_offsets: DenseI64Array,
    #[attr]
    static_sizes: DenseI64Array,
    #[attr]
    static_strides: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
}

/// A tensor with a rectangular part replaced
///
/// ```mlir
/// func.func @f(%p: tensor<4x2xf32>, %t: tensor<8x8xf32>) -> tensor<8x8xf32> {
///   %r = tensor.insert_slice %p into %t[0, 1] [4, 2] [2, 1] : tensor<4x2xf32> into tensor<8x8xf32>
///   return %r : tensor<8x8xf32>
/// }
/// ```
#[op("tensor.insert_slice", traits(Pure), interfaces(CustomAsm))]
pub struct InsertSlice {
    #[operand]
    source: AnyRankedTensor,
    #[operand]
    dest: AnyRankedTensor,
    #[operand]
    offsets: Variadic<AnyType>,
    #[operand]
    sizes: Variadic<AnyType>,
    #[operand]
    strides: Variadic<AnyType>,
    #[attr]
    static_offsets: DenseI64Array,
    #[attr]
    static_sizes: DenseI64Array,
    #[attr]
    static_strides: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
}

/// A tensor with elements around it
///
/// ```mlir
/// func.func @f(%t: tensor<4x5xf32>, %x: f32) -> tensor<6x8xf32> {
///   %r = tensor.pad %t low[1, 1] high[1, 2] {
///   ^bb0(%i: index, %j: index):
///     tensor.yield %x : f32
///   } : tensor<4x5xf32> to tensor<6x8xf32>
///   return %r : tensor<6x8xf32>
/// }
/// ```
#[op("tensor.pad", traits(Pure), interfaces(CustomAsm))]
pub struct Pad {
    #[operand]
    source: AnyRankedTensor,
    #[operand]
    low: Variadic<AnyType>,
    #[operand]
    high: Variadic<AnyType>,
    #[attr]
    static_low: DenseI64Array,
    #[attr]
    static_high: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
    #[region(single_block)]
    region: Region,
}

/// Ends the body of `pad`: the element
///
/// ```mlir
/// func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
///   %r = tensor.pad %t low[1] high[1] {
///   ^bb0(%i: index):
///     tensor.yield %x : f32
///   } : tensor<4xf32> to tensor<6xf32>
///   return %r : tensor<6xf32>
/// }
/// ```
#[op(
    "tensor.yield",
    traits(Pure, Terminator, ReturnLike),
    parents("tensor.pad"),
    asm = "$value attr-dict `:` type($value)"
)]
pub struct Yield {
    #[operand]
    value: AnyType,
}

dialect! {
    /// Making tensors, and parts of them
    pub TENSOR = "tensor" { ops: [Cast, Empty, ExtractSlice, InsertSlice, Pad, Yield] }
}

const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];

fn numbers(p: &mut OpPrinter<'_>, attr: Option<Attr>) {
    p.text("[");
    let cx = p.cx();
    for (n, number) in attr.and_then(|attr| attr.as_dense_array(cx)).unwrap_or(&[]).iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.int((*number).into());
    }
    p.text("]");
}

fn parse_slice(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    for name in LISTS {
        let list = parse_numbers(p)?;
        p.set_attr(name, list);
    }
    p.attr_dict()
}

fn print_slice(p: &mut OpPrinter<'_>) {
    let (ir, op) = (p.ir(), p.op());
    for (n, name) in LISTS.into_iter().enumerate() {
        p.text(if n > 0 { " " } else { "" });
        numbers(p, ir.attr(op, name));
    }
    p.attr_dict(&LISTS);
    p.text(" : ");
}

fn types(p: &mut OpParser<'_, '_>, word: &str) -> Result<(Type, Type), Reported> {
    let first = p.colon_type()?;
    p.keyword(word)?;
    Ok((first, p.ty()?))
}

fn no_lists(p: &mut OpParser<'_, '_>, count: usize) {
    for _ in 0..count {
        p.segment();
    }
}

impl CustomAsm for ExtractSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        parse_slice(p)?;
        let (from, to) = types(p, "to")?;
        p.resolve(&source, from)?;
        no_lists(p, 4);
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        print_slice(p);
        p.ty(ir.ty(self.source(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl CustomAsm for InsertSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        p.keyword("into")?;
        let dest = p.operand()?;
        parse_slice(p)?;
        let (from, to) = types(p, "into")?;
        p.resolve(&source, from)?;
        p.segment();
        p.resolve(&dest, to)?;
        no_lists(p, 4);
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        p.text(" into ");
        p.operand(self.dest(ir));
        print_slice(p);
        p.ty(ir.ty(self.source(ir)));
        p.text(" into ");
        p.ty(ir.ty(self.dest(ir)));
    }
}

impl CustomAsm for Pad {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        for (word, name) in [("low", "static_low"), ("high", "static_high")] {
            p.keyword(word)?;
            let list = parse_numbers(p)?;
            p.set_attr(name, list);
        }
        p.region(&[])?;
        let (from, to) = types(p, "to")?;
        p.resolve(&source, from)?;
        no_lists(p, 3);
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        p.text(" low");
        numbers(p, Some(self.static_low(ir)));
        p.text(" high");
        numbers(p, Some(self.static_high(ir)));
        p.text(" ");
        p.region(self.region(ir), true, true);
        p.text(" : ");
        p.ty(ir.ty(self.source(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}
