//! What differs between the languages: names of types, words of declarations, functions, and what each has at all.
//!
//! One file per language; a method without a body is what every language has to state. **Invariant:** no other module
//! compares languages. Answers are text and facts: helper functions, values and ops are the printer's.

mod cuda;
mod hls;
mod opencl;
mod openmp;

pub(crate) use openmp::OpenMp;

use crate::buffer::Space;
use crate::expr::Expr;
use crate::types::Scalar;
use crate::vector_type::Vector;
use std::fmt::Debug;
use terrace_lowering_table::Gap;

/// A language as the printer holds it
pub(crate) type Lang = &'static dyn Language;

/// The language to print
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// C11 with OpenMP pragmas and GNU extensions
    OpenMp,
    /// OpenCL C 1.2
    OpenCl,
    /// CUDA C++, as NVRTC takes it without headers
    Cuda,
    /// C++17 with pragmas for high-level synthesis
    Hls,
}

impl Flavor {
    /// All languages
    pub(crate) const ALL: [Flavor; 4] = [Flavor::OpenMp, Flavor::OpenCl, Flavor::Cuda, Flavor::Hls];

    /// What is particular to it
    pub(crate) fn language(self) -> Lang {
        match self {
            Flavor::OpenMp => &OpenMp,
            Flavor::OpenCl => &opencl::OpenCl,
            Flavor::Cuda => &cuda::Cuda,
            Flavor::Hls => &hls::Hls,
        }
    }

    /// Name in messages and on the command line
    pub fn name(self) -> &'static str {
        self.language().name()
    }

    /// The flavor of this name
    pub fn from_name(name: &str) -> Option<Flavor> {
        Flavor::ALL.into_iter().find(|flavor| flavor.name() == name)
    }

    /// Flags without which the compiler may change results: contraction is off, division and roots are rounded
    ///
    /// For OpenCL they request correct rounding; a device that has none refuses them.
    pub fn compile_flags(self) -> &'static [&'static str] {
        self.language().compile_flags()
    }
}

/// Where a thread is, and among how many
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadId {
    Thread,
    Block,
    BlockSize,
    GridSize,
    /// Among the threads of the whole grid
    Global,
}

impl ThreadId {
    /// The attribute of a kernel that knows the size
    pub fn hint(self) -> &'static str {
        match self {
            ThreadId::Thread | ThreadId::BlockSize => "known_block_size",
            ThreadId::Block | ThreadId::GridSize => "known_grid_size",
            ThreadId::Global => "",
        }
    }

    /// Is it a number of threads or blocks?
    pub fn is_size(self) -> bool {
        matches!(self, ThreadId::BlockSize | ThreadId::GridSize)
    }
}

/// How lanes are read from memory and written to it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VectorAccess {
    /// By `memcpy`
    Copy,
    /// By `vload4`, `vstore4`
    Functions,
    /// Lane by lane
    Lanes,
}

/// The function that a language has for sums of products of lanes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DotProduct {
    None,
    /// `dot` on two to four floats: in any order, with any contraction
    Floats,
    /// `__dp4a` on four bytes: exact
    Bytes,
}

/// How a `float` or a `double` becomes the bits of a narrower float
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Narrowing {
    /// The whole body of the function
    Body(&'static str),
    /// Through the bits of a `float`: the line that reads them into `wide`, and the one that writes them back
    Bits { read: &'static str, write: &'static str },
}

/// A buffer of a module, as far as its declaration depends on it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GlobalFacts {
    pub defined: bool,
    /// Its definition lists its elements
    pub has_elements: bool,
    pub private: bool,
    pub constant: bool,
}

/// A function that the language has for an atomic update
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AtomicCall {
    pub text: String,
    /// The lines that make it known
    pub needs: Option<&'static str>,
}

/// An atomic update that the language has no function for
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicElement<'a> {
    pub ty: Scalar,
    pub space: Space,
    /// The element, or `*` and a pointer to it
    pub place: &'a str,
    /// Variables of what was there and of what comes, and the statement for when it has been written
    pub old: &'a str,
    pub next: &'a str,
    pub done: &'a str,
}

/// How an element is read at once, and how it is exchanged if it is still the old one
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AtomicExchange {
    /// The expression that reads; an argument list if `reader` has the function
    pub read: String,
    /// Name, parameter type and body of a function that reads
    pub reader: Option<(String, String, String)>,
    /// Lines that exchange
    pub lines: String,
    pub needs: Option<&'static str>,
}

/// What is particular to a language
pub(crate) trait Language: Debug + Sync {
    // The language

    /// Name in messages and on the command line
    fn name(&self) -> &'static str;

    /// Flags without which the compiler may change results
    fn compile_flags(&self) -> &'static [&'static str];

    /// Is it the language of the host? It prints the functions of a module and has the C library, a heap and pointers to one
    /// memory; the others print kernels.
    fn is_host(&self) -> bool {
        false
    }

    /// Is the text hardware? It has arrays with their dimensions and pragmas; no heap, no vectors, no threads
    fn is_hardware(&self) -> bool {
        false
    }

    /// Do threads of the host run iterations of parallel loops?
    fn has_threads(&self) -> bool {
        self.is_host() && !self.is_hardware()
    }

    /// Has it subgroups, whose lanes exchange values?
    fn has_subgroups(&self) -> bool {
        false
    }

    /// Ops that this language alone has no row for
    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    /// Words and functions that variables cannot be named after, besides those of C
    fn words(&self) -> &'static str {
        DEVICE_WORDS
    }

    /// Extensions that the use of a type needs: the type's name, the extension
    fn extensions(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The line that forbids the compiler to round a product together with a sum, if no flag does
    fn contraction_off(&self) -> Option<&'static str> {
        None
    }

    // Types

    /// Name of a type of variables
    fn scalar(&self, ty: Scalar) -> &'static str;

    /// Name of a type in memory and of kernel arguments: `i1` is a byte
    fn stored(&self, ty: Scalar) -> &'static str {
        self.scalar(ty)
    }

    /// Name of an unsigned type
    fn unsigned(&self, ty: Scalar) -> &'static str;

    /// Are these numbers kept as bits?
    fn soft(&self, ty: Scalar) -> bool {
        ty == Scalar::Bf16
    }

    /// Is this computed as `float` and rounded after each op?
    fn widens(&self, ty: Scalar) -> bool {
        self.soft(ty)
    }

    /// Does it compute with 32 bits where these are enough?
    fn prefers_int(&self) -> bool {
        !self.is_host()
    }

    // Declarations

    /// What stands before a function that only this text calls
    fn linkage(&self) -> &'static str;

    /// What stands before a function that others call by its name
    fn exported(&self) -> &'static str {
        ""
    }

    /// What stands before a function that must not become a call: it passes vectors
    fn inlined(&self) -> &'static str {
        self.linkage()
    }

    /// What stands before a function of the module; a kernel may know the size of its block
    fn function_words(&self, kernel: bool, visible: bool, block: Option<[i64; 3]>) -> String;

    /// What stands before a buffer of the module; nothing if there are no such buffers
    fn global_words(&self, global: GlobalFacts) -> Option<&'static str>;

    /// Where buffers of a module are
    fn global_space(&self) -> Space {
        Space::Global
    }

    /// Words before a pointer's type
    fn space(&self, space: Space) -> &'static str {
        if space == Space::Constant { "const " } else { "" }
    }

    /// Suffix of helpers that take pointers to this memory
    fn space_suffix(&self, _space: Space) -> &'static str {
        ""
    }

    /// What says that nothing else points to the same memory
    fn restrict(&self) -> &'static str {
        "restrict "
    }

    /// What stands before a kernel's variable that the workgroup shares
    fn workgroup_variable(&self) -> &'static str {
        ""
    }

    /// What aligns a variable
    fn alignment(&self, _align: i64) -> String {
        String::new()
    }

    /// The line before a loop that is unrolled
    fn unroll(&self) -> Option<&'static str> {
        None
    }

    // Numbers

    /// Suffix of integers of 64 bits
    fn long_suffix(&self) -> &'static str {
        "LL"
    }

    /// Has it `NAN` and `INFINITY`?
    fn has_float_macros(&self) -> bool {
        true
    }

    /// A number that is not finite, as a constant expression; `suffix` is that of functions of the type
    fn not_finite(&self, value: f64, suffix: &str) -> String {
        match value {
            value if value.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
            _ => format!("{}__builtin_inf{suffix}()", if value > 0.0 { "" } else { "-" }),
        }
    }

    /// The function that reads bits as another type of their width; nothing if they are copied
    fn reinterpreting(&self, from: Scalar, to: Scalar) -> Option<String>;

    /// Are the functions of the math library there for all types under one name?
    fn overloads_math(&self) -> bool {
        false
    }

    /// The macro that says that `fma` is fast; nothing if it always is
    fn fast_fma(&self, ty: Scalar) -> Option<&'static str>;

    /// The function that counts bits as the op of this name does
    fn bit_count(&self, _mnemonic: &str) -> Option<&'static str> {
        None
    }

    /// Is the amount of a shift taken modulo the width?
    fn wraps_shifts(&self, _ty: Scalar) -> bool {
        false
    }

    /// The high half of a product, before it is cast to the type; nothing if a wider type computes it
    fn high_product(&self, _x: &Expr, _y: &Expr, _ty: Scalar, _signed: bool) -> Option<Expr> {
        None
    }

    /// Body of the function that makes `float` of the bits `x`
    fn widening(&self, ty: Scalar) -> &'static str;

    /// How the bits of a `float` `x`, or of a `double` by way of the `float` `near`, are narrowed
    fn narrowing(&self, ty: Scalar, from_double: bool) -> Narrowing;

    // Vectors

    /// Has the language such vectors itself?
    fn has(&self, vector: &Vector) -> bool;

    /// Type of a lane in memory
    fn lane_type(&self, vector: &Vector) -> &'static str {
        match vector.elem {
            Scalar::Bool => self.unsigned(Scalar::Bool),
            elem => self.scalar(elem),
        }
    }

    /// A lane of the language's own vectors, by a number that is known
    fn known_lane(&self, name: &str, number: u32) -> Option<String>;

    /// A lane of a variable; the number is text
    fn lane(&self, vector: &Vector, name: &str, number: &str) -> String {
        if !self.has(vector) {
            return format!("{name}.lane[{number}]");
        }
        let known = number.parse().ok().and_then(|number| self.known_lane(name, number));
        known.unwrap_or_else(|| format!("(({} *)&{name})[{number}]", self.lane_type(vector)))
    }

    /// Name of a type of the language's own vectors that needs no declaration
    fn vector_name(&self, _vector: &Vector) -> Option<String> {
        None
    }

    /// All lanes of the language's own vectors are this number: an expression
    fn splat(&self, _vector: &Vector, _c_type: &str, _e: &Expr) -> Option<Expr> {
        None
    }

    /// The same as the body of a function of `x`
    fn splat_body(&self, _vector: &Vector, _c_type: &str) -> Option<String> {
        None
    }

    /// A vector of these lanes
    fn vector_literal(&self, vector: &Vector, c_type: &str, lanes: &str) -> String;

    /// How lanes that lie one after another are read and written
    fn vector_access(&self, vector: &Vector) -> VectorAccess;

    /// The type of so many bytes that one instruction reads or writes
    fn word_of(&self, _bytes: usize) -> Option<&'static str> {
        None
    }

    /// What stands before the type of an array that is aligned to so many bytes
    fn array_alignment(&self, _bytes: usize) -> String {
        String::new()
    }

    /// The function for sums of products
    fn dot_product(&self) -> DotProduct {
        DotProduct::None
    }

    // Threads

    /// A barrier of the workgroup
    fn barrier(&self, _shares_memory: bool) -> &'static str {
        ""
    }

    /// A fence that orders memory between all threads of a device
    fn fence(&self) -> Option<&'static str> {
        None
    }

    /// Where a thread is in one dimension
    fn thread_id(&self, _id: ThreadId, _axis: &str, _dim: usize) -> String {
        String::new()
    }

    /// The device whose table has its atomic updates, by the name of its file
    fn device(&self) -> &'static str {
        self.name()
    }

    /// What stands before the pointers of atomic functions
    fn volatile(&self) -> &'static str {
        ""
    }

    /// A pointer to an element for atomic functions of this type
    fn cast_pointer(&self, space: Space, ty: &str, place: &str) -> String {
        format!("({}{}{ty} *)&{place}", self.volatile(), self.space(space))
    }

    /// A call of the function that the language has for an update
    fn atomic_call(
        &self,
        update: AtomicUpdate,
        ty: Scalar,
        space: Space,
        place: &str,
        value: &str,
    ) -> Option<AtomicCall>;

    /// A read and an exchange of an element
    fn atomic_exchange(&self, element: &AtomicElement<'_>) -> AtomicExchange;

    // Statements

    /// The type that integers of 64 bits are printed as, if it is not their own
    fn printed_long(&self) -> Option<&'static str> {
        None
    }

    /// Length modifier of `printf` for integers of 64 bits
    fn printf_long(&self) -> &'static str {
        "ll"
    }

    /// A place that is never reached
    fn unreachable(&self) -> Option<&'static str> {
        Some("__builtin_unreachable();")
    }
}

/// Updates that languages have functions for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AtomicUpdate {
    /// `add`, `xchg`, `max`
    pub name: &'static str,
    /// Are the numbers compared as unsigned ones?
    pub unsigned: bool,
}

impl AtomicUpdate {
    /// The update of a kind of `memref.atomic_rmw`
    pub fn of_kind(kind: &str) -> Option<AtomicUpdate> {
        let name = match kind {
            "addi" => "add",
            "andi" => "and",
            "ori" => "or",
            "xori" => "xor",
            "maxs" | "maxu" => "max",
            "mins" | "minu" => "min",
            "assign" => "xchg",
            "addf" => "addf",
            _ => return None,
        };
        Some(AtomicUpdate { name, unsigned: matches!(kind, "maxu" | "minu") })
    }
}

/// Words of OpenCL C and CUDA C, and their functions
const DEVICE_WORDS: &str = "uchar ushort uint ulong global local constant generic kernel vec_type_hint read_only write_only \
    read_write image2d_t event_t sampler_t barrier mem_fence min max clamp dot cross length distance normalize mix \
    step sign any all isequal mad mad24 mul24 mul_hi popcount clz ctz pown powr rootn work_group_size_hint vload2 vload3 \
    vload4 vload8 vload16 threadIdx blockIdx blockDim gridDim warpSize dim3 atomicAdd atomicMax atomicMin atomicAnd \
    atomicOr atomicXor atomicExch atomicCAS atomic_add atomic_xchg atomic_cmpxchg atom_add atom_cmpxchg float2 float3 \
    float4 float8 float16 double2 double3 double4 double8 double16 int2 int3 int4 int8 int16 uint2 uint3 uint4 uint8 \
    uint16 long2 long3 long4 long8 long16 ulong2 ulong4 char2 char3 char4 char8 char16 uchar2 uchar4 uchar8 uchar16 \
    short2 short3 short4 short8 short16 half2 half4 bool2 bool4 shuffle shuffle2 bitselect ffs";
