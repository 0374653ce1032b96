//! Traits of ops that the framework knows, and effects on memory, as bits.

/// Facts about every instance of an op
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(pub u64);

macro_rules! traits {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        impl Traits {
            /// No trait
            pub const NONE: Traits = Traits(0);
            $($(#[$doc])* #[allow(non_upper_case_globals)] pub const $name: Traits = Traits(1 << $bit);)*
            /// Names as the macros and the documentation spell them
            pub const NAMES: &'static [(&'static str, Traits)] = &[$((stringify!($name), Traits::$name),)*];
        }
    };
}

traits! {
    /// No effect, no undefined behaviour when run speculatively
    Pure = 0,
    /// Operands may be swapped
    Commutative = 1,
    /// Works on each element of vectors and tensors alike
    Elementwise = 2,
    /// Ends a block
    Terminator = 3,
    /// Regions use no value from outside
    IsolatedFromAbove = 4,
    /// Owns an arena of its own
    Unit = 5,
    /// Holds a symbol table: one region of one block
    SymbolTable = 6,
    /// Defines a symbol, attribute `sym_name`
    Symbol = 7,
    /// Its result is the constant in attribute slot 0
    ConstantLike = 8,
    /// Returns its operands to the op around it
    ReturnLike = 9,
    /// Blocks of its regions need no terminator
    NoTerminator = 10,
    /// Regions have one block at most
    SingleBlock = 11,
    /// Values may be used before their definition in its regions
    GraphRegion = 12,
    /// Effects are those of the ops inside
    RecursiveEffects = 13,
    /// May run speculatively if the ops inside may
    RecursivelySpeculatable = 14,
    /// Its regions start a scope for affine symbols
    AffineScope = 15,
    /// Its regions start a scope for automatic allocations
    AllocationScope = 16,
    /// A loop: its region may run several times
    LoopLike = 17,
    /// A call of a symbol
    CallLike = 18,
    /// A function: body region, `function_type`
    FunctionLike = 19,
    /// f(f(x)) = f(x)
    Idempotent = 20,
    /// f(f(x)) = x
    Involution = 21,
    /// Free of effects but undefined for some operands (division): not speculatable, yet removable when unused
    NoEffect = 22,
    /// Calls in its regions may become the bodies of what they call
    InlinesCalls = 23,
    /// Calls in its regions may become the bodies of functions without effects
    InlinesPureCalls = 24,
    /// Its regions run one at a time, in the order of the program
    Sequential = 25,
    /// A divider or a root unit computes it: several times the latency of a sum
    Divides = 26,
    /// A function of the math library, which takes much longer than a sum
    LibraryCall = 27,
    /// Its first result is another view of the memory of its first operand
    ViewLike = 28,
}

impl Traits {
    /// Are all of `other` among these?
    #[inline]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together
    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// What an op may do to memory
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects(pub u8);

impl Effects {
    /// None at all
    pub const NONE: Effects = Effects(0);
    /// Reads
    pub const READ: Effects = Effects(1);
    /// Writes
    pub const WRITE: Effects = Effects(2);
    /// Allocates; an unused allocation may go
    pub const ALLOC: Effects = Effects(4);
    /// Frees
    pub const FREE: Effects = Effects(8);
    /// Anything, also what is not memory (calls, barriers)
    pub const UNKNOWN: Effects = Effects(0xff);

    /// Union
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Are all of `other` among these?
    pub const fn has(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// No effect other than reading or allocating: removable when its results are unused
    pub const fn is_removable(self) -> bool {
        self.0 & !(Effects::READ.0 | Effects::ALLOC.0) == 0
    }
}
