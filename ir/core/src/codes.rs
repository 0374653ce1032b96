//! Codes of the core's diagnostics, E01xx.

terrace_diag::codes! {
    /// The op has fewer or more operands, results, regions or successors than its definition allows.
    pub COUNT: "E0101" Verifier "wrong number of operands, results, regions or successors";
    /// An operand or result has a type that the op's definition does not allow there.
    pub TYPE: "E0102" Verifier "type not allowed here";
    /// Two fields of an op must have related types and have not.
    pub TYPES_DIFFER: "E0103" Verifier "types of fields do not match";
    /// An attribute that the op needs is missing.
    pub ATTR_MISSING: "E0104" Verifier "attribute missing";
    /// An attribute is of another kind than the op's definition says.
    pub ATTR: "E0105" Verifier "attribute not allowed here";
    /// A block does not end with a terminator, or a terminator stands before the end.
    pub TERMINATOR: "E0106" Verifier "terminator missing or misplaced";
    /// A region has more blocks, or fewer, than the op allows.
    pub REGION: "E0107" Verifier "region shape not allowed";
    /// A value is used where its definition has not been executed on every way there.
    pub DOMINANCE: "E0108" Verifier "use is not dominated by the definition";
    /// A region that is isolated from above uses a value from outside.
    pub ISOLATED: "E0109" Verifier "isolated region uses an outer value";
    /// Arguments passed to a block do not match the block's arguments.
    pub BRANCH: "E0110" Verifier "branch does not match its block";
    /// Two symbols of one table have one name.
    pub SYMBOL_TWICE: "E0111" Verifier "symbol defined twice";
    /// The op must stand directly inside of another kind of op.
    pub PARENT: "E0112" Verifier "wrong parent op";
    /// A symbol reference names nothing, or something of another kind.
    pub SYMBOL: "E0113" Verifier "unknown symbol";
    /// A rule of the op itself does not hold.
    pub OP_RULE: "E0114" Verifier "rule of the op violated";
    /// A type's or attribute's parameters do not fit together.
    pub PARAMS: "E0115" Verifier "parameters not allowed";
}
