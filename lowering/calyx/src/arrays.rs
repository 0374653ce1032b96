//! Memories of a program: main memory by argument and pipeline, arrays on the chip in banks.

use crate::build::{Done, number_bits, refuse};
use crate::memory::{Memory, elements};
use crate::outer::{Held, Outer};
use crate::program::{Place, Program};
use terrace_dialect_builtin::marks::PARTITION;
use terrace_ir::{Context, OpId, Type, TypeKind, Value};

/// Elements of an array at most
const MOST: i64 = 1 << 24;
/// Banks of an array at most
const BANKS: i64 = 1 << 12;

/// Sizes of memory in row-major layout
pub(crate) fn shape(cx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.kind(cx) {
        TypeKind::MemRef { shape, layout: None, .. } => Some(shape),
        _ => None,
    }
}

impl<'a> Program<'a> {
    /// The main memory that an argument is, through the port of this pipeline
    pub fn main_memory(&mut self, place: &Place<'a>, value: Value, argument: usize) -> usize {
        if let Some(memory) = self.main.get(&(argument, place.pipeline)) {
            return *memory;
        }
        let cx = place.ir.cx();
        let ty = place.ir.ty(value);
        let sizes = ty.shape(cx).unwrap_or(&[]).to_vec();
        self.memories.push(Memory {
            name: format!("m{argument}_{}", place.pipeline),
            width: ty.scalar(cx).bit_width(cx).unwrap_or(1),
            banks: vec![1; sizes.len()],
            sizes,
            copies: 1,
            argument: Some(argument),
        });
        let memory = self.memories.len() - 1;
        self.main.insert((argument, place.pipeline), memory);
        memory
    }

    /// An array on the chip
    pub fn array(&mut self, place: &mut Place<'a>, op: OpId, copies: usize) -> Done<usize> {
        let (ir, cx) = (place.ir, place.ir.cx());
        let value = ir.result(op, 0);
        let ty = ir.ty(value);
        let width = number_bits(ir, op, ty.scalar(cx))?;
        let sizes = shape(cx, ty).filter(|sizes| elements(sizes, MOST).is_some() && ir.num_operands(op) == 0);
        let Some(sizes) = sizes else {
            let why = "is no buffer of fixed size in row-major layout";
            return Err(refuse(ir, op, why, "such buffers of up to 2^24 elements are arrays"));
        };
        let sizes = sizes.to_vec();
        let banks = ir.discardable(op, PARTITION).and_then(|attr| attr.as_dense_array(cx));
        let banks = banks.filter(|banks| banks.len() == sizes.len());
        let banks = banks.map_or(vec![1; sizes.len()], <[i64]>::to_vec);
        // More banks than elements would be empty.
        let banks: Vec<i64> =
            banks.iter().zip(&sizes).map(|(banks, size)| (*banks).clamp(1, *size)).collect();
        if elements(&banks, BANKS).is_none() {
            let help = format!(
                "an array has up to {BANKS} banks: `terrace.partition` gives those along each dimension"
            );
            return Err(refuse(ir, op, "has too many banks", &help));
        }
        let hint =
            ir.value_name(value).filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let name = self
            .net
            .name(hint.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or("array"));
        self.memories.push(Memory { name, width, sizes, banks, copies, argument: None });
        let memory = self.memories.len() - 1;
        self.cells(memory);
        place.env.insert(value, Outer::Memory(Held { memory, second: None }));
        Ok(memory)
    }

    fn cells(&mut self, memory: usize) {
        let own = &self.memories[memory];
        let words = u32::try_from(own.words()).unwrap_or(u32::MAX);
        for bank in 0..own.all_banks() {
            for copy in 0..own.copies {
                let (name, width, place) = (own.cell(bank, copy), own.width, own.place());
                self.net.cells.push(format!("{name} = terrace_memory({width}, {words}, {place});"));
            }
        }
        self.net.own.insert("terrace_memory");
    }
}
