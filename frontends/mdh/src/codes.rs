//! Codes of MDH text and tensor expressions, E0821 to E0839; the names in messages (D-…, E-…) are those of the design.

terrace_diag::codes! {
    /// The text is not MDH text. Its grammar is in `docs/input-languages.md`.
    pub D_SYNTAX: "E0821" Input "D-SYNTAX: not MDH text";
    /// Numbers of names, operators, functions' parameters or types do not fit.
    pub D_ARITY: "E0822" Input "D-ARITY: numbers of things do not fit";
    /// A name is not known here.
    pub D_NAME: "E0823" Input "D-NAME: unknown name";
    /// A name is there twice.
    pub D_DUP: "E0824" Input "D-DUP: name is there twice";
    /// A type is not known, or a size is not a number yet. Sizes and types of a definition come from a use
    /// (`MatMul<f32 | 16,1000,2048>;`) or from `--set`.
    pub D_TYPE: "E0825" Input "D-TYPE: type or size is not known";
    /// An index function is not a sum of multiples of names, with quotients and remainders by numbers.
    pub D_INDEX: "E0826" Input "D-INDEX: index function is not affine";
    /// The steps of a schedule do not read, or do not fit the computation that they stand behind. The message names the rule; what
    /// a device has no word for is told where the schedule is carried out.
    pub D_SCHEDULE: "E0827" Input "D-SCHEDULE: schedule does not fit the definition";
    /// The text is no program of tensor expressions. Its grammar is in `docs/input-languages.md`.
    pub E_SYNTAX: "E0831" Input "E-SYNTAX: no tensor expression";
    /// Two places give an index different extents, or none does.
    pub E_EXTENT: "E0832" Input "E-EXTENT: extent of an index";
    /// A tensor, index or constant is not declared, or declared twice.
    pub E_NAME: "E0833" Input "E-NAME: unknown name";
    /// Subscripts and dimensions of a tensor do not fit.
    pub E_RANK: "E0834" Input "E-RANK: number of subscripts";
    /// A subscript is not affine, or depends on data.
    pub E_INDEX: "E0835" Input "E-INDEX: subscript is not affine";
}
