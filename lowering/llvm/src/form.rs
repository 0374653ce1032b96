//! What a type becomes: pure reading of types, for the check as for the emitter.

use terrace_dialect_memref::layout::Strided;
use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, FloatKind, Type, TypeKind};
use terrace_lowering_table::Refusal;

/// Most LLVM values that one vector may become
const MAX_PARTS: i64 = 4096;
/// Most elements of a vector
const MAX_ELEMENTS: i64 = 1 << 16;
/// Widest integer, which constants can hold
const MAX_WIDTH: u32 = 128;
/// Highest rank of a memref
const MAX_RANK: usize = 64;

/// A scalar
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elem {
    /// Integer or index
    Int(u32),
    /// Float
    Float(FloatKind),
}

impl Elem {
    /// Bits
    pub(crate) fn bits(self) -> u32 {
        match self {
            Elem::Int(bits) => bits,
            Elem::Float(kind) => kind.width(),
        }
    }

    /// Bytes between neighbours in memory, a power of two up to 16
    pub(crate) fn bytes(self) -> u32 {
        self.bits().div_ceil(8).next_power_of_two()
    }

    /// May vectors of it be read from memory as they lie there? LLVM packs those of other widths
    pub(crate) fn fills_bytes(self) -> bool {
        self.bits() == 8 * self.bytes()
    }
}

/// A vector: `parts` one-dimensional LLVM vectors of `lanes` each
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VectorForm {
    pub(crate) elem: Elem,
    pub(crate) shape: Vec<i64>,
}

impl VectorForm {
    /// Size of the last dimension
    pub(crate) fn lanes(&self) -> u32 {
        self.shape.last().map_or(1, |size| *size as u32)
    }

    /// Product of the leading dimensions
    pub(crate) fn parts(&self) -> usize {
        let lead = self.shape.len().saturating_sub(1);
        self.shape[..lead].iter().product::<i64>() as usize
    }

    /// All elements
    pub(crate) fn count(&self) -> usize {
        self.parts() * self.lanes() as usize
    }
}

/// A memref: pointers, offset, sizes, strides, of which those in the type are constants
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MemForm {
    pub(crate) elem: Box<Form>,
    pub(crate) shape: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) offset: i64,
    /// LLVM's address space
    pub(crate) space: u32,
    /// Rows lie after rows by definition: the type has no layout
    pub(crate) plain: bool,
}

impl MemForm {
    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Row-major without gaps, as far as the type tells
    pub(crate) fn is_row_major(&self) -> bool {
        self.plain || self.offset == 0 && self.is_flat_from(0)
    }

    /// Does the type say where elements lie, sizes apart?
    pub(crate) fn is_placed(&self) -> bool {
        let known = |n: &i64| *n != DYNAMIC && *n >= 0;
        self.plain || known(&self.offset) && self.strides.iter().all(known)
    }

    /// Do the dimensions from this one on lie row by row, as far as the type tells?
    pub(crate) fn is_flat_from(&self, dim: usize) -> bool {
        let strides = &self.strides[dim..];
        // An unknown stride is that of rows only if the type says so.
        self.plain || !strides.contains(&DYNAMIC) && strides == row_major(&self.shape[dim..])
    }

    /// Bytes between elements; elements of vector type are rounded up to their alignment
    pub(crate) fn elem_bytes(&self) -> u64 {
        self.elem.bytes()
    }
}

/// Place of a matrix in a product
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    A,
    B,
    C,
}

/// A matrix of 16 × 16 that a subgroup holds together
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MatrixForm {
    pub(crate) elem: FloatKind,
    pub(crate) role: Role,
}

impl MatrixForm {
    /// Are registers pairs of elements?
    pub(crate) fn in_pairs(self) -> bool {
        self.elem == FloatKind::F16
    }

    /// Registers of a lane
    pub(crate) fn parts(self) -> usize {
        if self.in_pairs() && self.role == Role::C { 4 } else { 8 }
    }
}

/// What a type becomes
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Scalar(Elem),
    Vector(VectorForm),
    MemRef(MemForm),
    Matrix(MatrixForm),
    Function,
}

impl Form {
    /// Bytes of a scalar or vector in memory
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Form::Scalar(elem) => elem.bytes().into(),
            Form::Vector(vector) => {
                let lanes = u64::from(vector.lanes()) * u64::from(vector.elem.bytes());
                lanes.next_power_of_two() * vector.parts() as u64
            }
            _ => 8,
        }
    }

    /// Natural alignment
    pub(crate) fn align(&self) -> u32 {
        match self {
            Form::Scalar(elem) => elem.bytes(),
            Form::Vector(vector) => (vector.lanes() * vector.elem.bytes()).next_power_of_two().min(1 << 20),
            _ => 8,
        }
    }
}

/// Strides of a row-major array; those that depend on a dynamic size are dynamic
pub(crate) fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for n in (1..shape.len()).rev() {
        strides[n - 1] = match (strides[n], shape[n]) {
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (stride, size) => stride.checked_mul(size).unwrap_or(DYNAMIC),
        };
    }
    strides
}

/// Address spaces of a target
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spaces {
    /// One memory
    Host,
    /// global 1, shared 3
    Nvptx,
    /// SPIR-V as OpenCL has it: private 0, global 1, constant 2, workgroup 3; 4 is any of them
    Spirv,
}

/// SPIR-V's space of pointers into any memory
const GENERIC: u32 = 4;

impl Spaces {
    /// Where what is visible from outside lies whose type says no space: kernels' buffers, and buffers of the module
    pub(crate) fn outside(self, space: u32) -> u32 {
        if self == Spaces::Spirv && space == GENERIC { 1 } else { space }
    }

    fn of(self, cx: &Context, space: Option<Attr>) -> Result<u32, Refusal> {
        let unsaid = if self == Spaces::Spirv { GENERIC } else { 0 };
        let Some(space) = space else { return Ok(unsaid) };
        if self == Spaces::Host {
            return Ok(0);
        }
        let text = terrace_ir::show::attr_text(cx, space);
        if text.contains("workgroup") {
            return Ok(3);
        }
        if text.contains("global") {
            return Ok(1);
        }
        if text.contains("private") {
            return Ok(0);
        }
        match space.kind(cx) {
            AttrKind::Int { value, .. } if [0, 1, 3, 4, 5].contains(value) => Ok(match (self, *value) {
                (Spaces::Spirv, 0) => GENERIC,
                (Spaces::Spirv, 4) => 2,
                (Spaces::Spirv, 5) => 0,
                (_, value) => value as u32,
            }),
            _ => Err(format!("memory space `{text}` means nothing on this device").into()),
        }
    }
}

/// What the type becomes, or why it cannot
pub(crate) fn form(cx: &Context, ty: Type, spaces: Spaces) -> Result<Form, Refusal> {
    match ty.kind(cx) {
        TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_) => elem(cx, ty, spaces).map(Form::Scalar),
        TypeKind::Function { .. } => Ok(Form::Function),
        TypeKind::Vector { shape, scalable, elem: of } => {
            if *scalable != 0 {
                return Err("the length of scalable vectors is not known".into());
            }
            let vector = VectorForm { elem: elem(cx, *of, spaces)?, shape: shape.to_vec() };
            let count = shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
            if count.is_none_or(|count| !(1..=MAX_ELEMENTS).contains(&count)) {
                return Err(format!("vectors have at most {MAX_ELEMENTS} elements").into());
            }
            if spaces == Spaces::Spirv && ![2, 3, 4, 8, 16].contains(&vector.lanes()) {
                return Err("vectors of SPIR-V have 2, 3, 4, 8 or 16 lanes".into());
            }
            if vector.parts() as i64 > MAX_PARTS {
                return Err(
                    format!("the leading dimensions of a vector have at most {MAX_PARTS} elements").into()
                );
            }
            Ok(Form::Vector(vector))
        }
        TypeKind::MemRef { shape, elem: of, layout, space } => {
            if shape.len() > MAX_RANK {
                return Err(format!("memrefs have at most {MAX_RANK} dimensions").into());
            }
            let elem = match form(cx, *of, spaces)? {
                elem @ (Form::Scalar(_) | Form::Vector(_)) => Box::new(elem),
                _ => return Err("elements of memrefs are scalars or vectors".into()),
            };
            let space = spaces.of(cx, *space)?;
            let strided = terrace_dialect_memref::layout::strided(cx, ty);
            let Some(Strided { strides, offset }) = strided else {
                return Err("the layout has no strides".into());
            };
            Ok(Form::MemRef(MemForm {
                elem,
                shape: shape.to_vec(),
                strides,
                offset,
                space,
                plain: layout.is_none(),
            }))
        }
        _ if spaces == Spaces::Nvptx => matrix(cx, ty).map(Form::Matrix),
        _ => Err("it has no counterpart".into()),
    }
}

/// A matrix of tensor cores
fn matrix(cx: &Context, ty: Type) -> Result<MatrixForm, Refusal> {
    let matrix = terrace_dialect_gpu::MmaMatrix::cast(cx, ty).ok_or("it has no counterpart")?;
    let elem = matrix.elem(cx).as_type(cx).map(|ty| ty.kind(cx));
    let role = match matrix.operand(cx).as_str(cx) {
        Some("AOp") => Role::A,
        Some("BOp") => Role::B,
        _ => Role::C,
    };
    let elem = match elem {
        Some(TypeKind::Float(FloatKind::F16)) => FloatKind::F16,
        Some(TypeKind::Float(FloatKind::F32)) if role == Role::C => FloatKind::F32,
        _ => return Err("matrices have f16 as factors, f16 or f32 as sums".into()),
    };
    if matrix.shape(cx).as_dense_array(cx) == Some(&[16, 16]) {
        return Ok(MatrixForm { elem, role });
    }
    Err("matrices are 16 by 16".into())
}

fn elem(cx: &Context, ty: Type, spaces: Spaces) -> Result<Elem, Refusal> {
    match *ty.kind(cx) {
        TypeKind::Int { width, .. } if width <= MAX_WIDTH => Ok(Elem::Int(width)),
        TypeKind::Int { .. } => Err(format!("integers have at most {MAX_WIDTH} bits").into()),
        TypeKind::Index => Ok(Elem::Int(64)),
        TypeKind::Float(FloatKind::BF16) if spaces == Spaces::Spirv => {
            Err("bf16 is an extension of SPIR-V that OpenCL devices lack".into())
        }
        TypeKind::Float(kind @ (FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64)) => {
            Ok(Elem::Float(kind))
        }
        TypeKind::Float(_) => Err("of floats there are f16, bf16, f32 and f64".into()),
        _ => Err("elements are integers, index or floats".into()),
    }
}
