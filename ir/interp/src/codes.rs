//! Codes of traps, E03xx.

terrace_diag::codes! {
    /// An integer was divided by zero, or the quotient does not fit: undefined behaviour.
    pub DIVISION: "E0301" Input "division by zero or overflow of a division";
    /// The op has no meaning for the interpreter.
    pub NO_MEANING: "E0302" Usage "op cannot be interpreted";
    /// No function of that name, or only a declaration.
    pub CALLEE: "E0303" Usage "no function to call";
    /// Arguments do not fit the function.
    pub ARGUMENTS: "E0304" Usage "arguments do not fit";
    /// The number of ops that may be run was used up.
    pub FUEL: "E0305" Limit "out of fuel";
    /// Calls or memory beyond the limit.
    pub LIMIT: "E0306" Limit "too many calls or too much memory";
    /// A branch, bound, address or divisor is poison.
    pub POISON: "E0307" Input "decision on poison";
    /// An index outside of its memory.
    pub BOUNDS: "E0308" Input "access out of bounds";
    /// An element was read before it was written.
    pub UNINITIALIZED: "E0309" Input "read of uninitialized memory";
    /// Memory was used, or freed, after it was freed.
    pub FREED: "E0310" Input "use of freed memory";
    /// A place that is never reached was reached, or an assertion does not hold.
    pub UNREACHABLE: "E0311" Input "unreachable place or failed assertion";
    /// A type that values cannot have here, such as a 200-bit integer.
    pub UNSUPPORTED: "E0312" Usage "type not supported by the interpreter";
    /// The IR does not verify, so that it means nothing.
    pub INVALID: "E0313" Usage "invalid IR";
    /// A loop's step is not positive.
    pub STEP: "E0314" Input "loop step not positive";
    /// Two members of a team (threads, iterations) use one element, one of them writes it, and nothing orders them.
    pub RACE: "E0315" Input "data race";
    /// Some threads of a group wait where others do not come.
    pub DIVERGENCE: "E0316" Input "divergence at a barrier or exchange";
    /// Memory of a block, a thread or a device is used from outside of it.
    pub SCOPE: "E0317" Input "memory of another block, thread or device";
    /// The op means something only inside of a kernel.
    pub KERNEL: "E0318" Usage "outside of a kernel";
    /// A kernel was handed to a device, and the device or its driver refused it.
    pub DEVICE: "E0319" Environment "the device refused a kernel";
}
