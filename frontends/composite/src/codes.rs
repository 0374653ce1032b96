//! Codes of sub-graphs in JSON, E0850 to E0854.

terrace_diag::codes! {
    /// The text is no JSON, or a part of it is of another kind than the format of sub-graphs has there.
    ///
    /// Wrong: `"shape": 4`.
    ///
    /// Right: `"shape": [4]`.
    pub SYNTAX: "E0850" Input "not the JSON of a sub-graph";
    /// An op reads a tensor that neither the graph takes nor an op makes, or a tensor is made twice.
    ///
    /// Wrong: An op whose `input_desc` names `output_0_1`, and no op whose `output_desc` does.
    ///
    /// Right: Each tensor is in the `input_desc` of the graph or in the `output_desc` of one op.
    pub TENSOR: "E0851" Input "tensor is missing or there twice";
    /// Ops wait for each other: each reads what another one of them makes.
    ///
    /// Wrong: Two ops, the first reads what the second makes, and the second what the first makes.
    ///
    /// Right: A graph without cycles.
    pub CYCLE: "E0852" Input "ops of a cycle";
    /// An op that is not known here, or the values of its attributes are not.
    ///
    /// Wrong: `"name": "ReduceSumm"`.
    ///
    /// Right: `"name": "ReduceSum"`.
    pub OP: "E0853" Input "op or attribute is not known";
    /// A type or a shape is not known, or does not fit: it is not of numbers, an operand cannot be broadcast, an axis is out of
    /// range or there twice.
    ///
    /// Wrong: `"shape": [-1, 4]`.
    ///
    /// Right: `"shape": [2, 4]`.
    pub SHAPE: "E0854" Input "type or shape does not fit";
}
