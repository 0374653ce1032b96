//! Codes of MDH text and tensor expressions, E0821 to E0839; the names in messages (D-…, E-…) are those of the design.

terrace_diag::codes! {
    /// The text is not MDH text. Its grammar is in `docs/input-languages.md`.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F<| int N> := inp_view<f32>( x: (i)->(i) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( id, (++) ) o inp_view<f32>( x: (i)->(i) )
    /// ```
    pub D_SYNTAX: "E0821" Input "D-SYNTAX: not MDH text";
    /// Numbers of names, operators, functions' parameters or types do not fit.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( *, (++) ) o inp_view<f32>( a: (i)->(i), b: (i)->(i) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( *, (++) ) o inp_view<f32,f32>( a: (i)->(i), b: (i)->(i) )
    /// ```
    pub D_ARITY: "E0822" Input "D-ARITY: numbers of things do not fit";
    /// A name is not known here.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->() ) o md_hom<4>( id, (pluss) ) o inp_view<f32>( x: (i)->(i) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->() ) o md_hom<4>( id, (+) ) o inp_view<f32>( x: (i)->(i) )
    /// ```
    pub D_NAME: "E0823" Input "D-NAME: unknown name";
    /// A name is there twice.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( *, (++) ) o inp_view<f32,f32>( x: (i)->(i), x: (i)->(i+1) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( *, (++) ) o inp_view<f32>( x: (i)->(i),(i)->(i+1) )
    /// ```
    pub D_DUP: "E0824" Input "D-DUP: name is there twice";
    /// A type is not known, or a size is not a number yet. Sizes and types of a definition come from a use
    /// (`MatMul<f32 | 16,1000,2048>;`) or from `--set`.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F<| int N> := out_view<f32>( y: (i)->(i) ) o md_hom<N>( id, (++) ) o inp_view<f32>( x: (i)->(i) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F<| int N> := out_view<f32>( y: (i)->(i) ) o md_hom<N>( id, (++) ) o inp_view<f32>( x: (i)->(i) )
    /// F<4>;
    /// ```
    pub D_TYPE: "E0825" Input "D-TYPE: type or size is not known";
    /// An index function is not a sum of multiples of names, with quotients and remainders by numbers.
    ///
    /// Wrong, with `terrace-opt x.mdh`:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( id, (++) ) o inp_view<f32>( x: (i)->(i*i) )
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// F := out_view<f32>( y: (i)->(i) ) o md_hom<4>( id, (++) ) o inp_view<f32>( x: (i)->(2*i) )
    /// ```
    pub D_INDEX: "E0826" Input "D-INDEX: index function is not affine";
    /// The steps of a schedule do not read, or do not fit the computation that they stand behind. The message names the rule; what
    /// a device has no word for is reported where the schedule is lowered.
    ///
    /// Wrong: A definition followed by a schedule of two steps that both carry the label 1.
    ///
    /// Right: Steps with the labels 1 and 2; `docs/schedules.md` shows how they are written.
    pub D_SCHEDULE: "E0827" Input "D-SCHEDULE: schedule does not fit the definition";
    /// MDH text has no words for a program: `--emit=mdh` prints functions that are one computation of the arrays that they take. The
    /// message says what else there is, or which part of it cannot be said.
    ///
    /// Wrong, with `terrace-opt x.c --emit=mdh`:
    ///
    /// ```text
    /// void f(float y[restrict 4], const float x[restrict 4], float a) {
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = a * x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// void f(float y[restrict 4], const float x[restrict 4], const float a[restrict 1]) {
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = a[0] * x[i];
    /// }
    /// ```
    pub D_UNSAID: "E0828" Input "D-UNSAID: MDH text cannot say this";
    /// The text is no program of tensor expressions. Its grammar is in `docs/input-languages.md`.
    ///
    /// Wrong, with `terrace-opt x.tensor`:
    ///
    /// ```text
    /// A : f32 [4];
    /// B[i] = A[i] + ;
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// A : f32 [4];
    /// B[i] = A[i] + 1;
    /// ```
    pub E_SYNTAX: "E0831" Input "E-SYNTAX: no tensor expression";
    /// Two places give an index different extents, or none does. Or a size that is known at run time has no bound, or is read otherwise than by
    /// an index alone.
    ///
    /// Wrong, with `terrace-opt x.tensor`:
    ///
    /// ```text
    /// A : f32 [4, 5]; B : f32 [6, 7];
    /// C[i, j] = A[i, k] * B[k, j];
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// A : f32 [4, 5]; B : f32 [5, 7];
    /// C[i, j] = A[i, k] * B[k, j];
    /// ```
    pub E_EXTENT: "E0832" Input "E-EXTENT: extent of an index";
    /// A tensor, index or constant is not declared, or declared twice.
    ///
    /// Wrong, with `terrace-opt x.tensor`:
    ///
    /// ```text
    /// B[i in 4] = X[i];
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// X : f32 [4];
    /// B[i in 4] = X[i];
    /// ```
    pub E_NAME: "E0833" Input "E-NAME: unknown name";
    /// Subscripts and dimensions of a tensor do not fit.
    ///
    /// Wrong, with `terrace-opt x.tensor`:
    ///
    /// ```text
    /// A : f32 [4, 5];
    /// B[i] = A[i];
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// A : f32 [4, 5];
    /// B[i] = A[i, 0];
    /// ```
    pub E_RANK: "E0834" Input "E-RANK: number of subscripts";
    /// A subscript is not affine, or depends on data.
    ///
    /// Wrong, with `terrace-opt x.tensor`:
    ///
    /// ```text
    /// A : f32 [16];
    /// B[i in 4] = A[i * i];
    /// ```
    ///
    /// Right:
    ///
    /// ```text
    /// A : f32 [16];
    /// B[i in 4] = A[4 * i];
    /// ```
    pub E_INDEX: "E0835" Input "E-INDEX: subscript is not affine";
}
