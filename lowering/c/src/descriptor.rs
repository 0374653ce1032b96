//! Descriptors of buffers: the structs that upstream's C interface passes.

use crate::buffer::Shape;
use crate::helpers::Helpers;
use crate::language::{Language, OpenMp};

/// Name of the descriptor of a buffer
pub(crate) fn descriptor_name(shape: &Shape) -> String {
    format!("buffer_{}_{}d", shape.elem.suffix(), shape.sizes.len())
}

impl Helpers {
    /// Declare the descriptor of such buffers; its name as a type
    pub fn descriptor(&mut self, shape: &Shape) -> String {
        let (name, rank) = (descriptor_name(shape), shape.sizes.len());
        let elem = OpenMp.stored(shape.elem);
        let mut text =
            format!("struct {name} {{\n  {elem} *allocated;\n  {elem} *aligned;\n  int64_t offset;\n");
        if rank > 0 {
            text += &format!("  int64_t sizes[{rank}];\n  int64_t strides[{rank}];\n");
        }
        self.declare(&name, text + "};");
        format!("struct {name}")
    }
}
