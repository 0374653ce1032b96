//! Codes of the C front end, E08xx; the names in messages (C-NEST, C-BOUND, …) are those of the design.

terrace_diag::codes! {
    /// The text is not C, or is C beyond what this front end knows. The message says which words would fit.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4]) {
    ///   for (int i = 0; i < 4; ++i) y[i] = 1
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4]) {
    ///   for (int i = 0; i < 4; ++i) y[i] = 1;
    /// }
    /// ```
    pub SYNTAX: "E0801" Input "C-SYNTAX: not C, or not the part of it that is known here";
    /// A `for` nest under `#pragma mdh` has statements between its loops. All statements belong into the innermost one.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float C[restrict 4][4], const float A[4][4]) {
    /// #pragma mdh( C[i][j] : ++ , ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     float x = A[i][0];
    ///     for (int j = 0; j < 4; ++j)
    ///       C[i][j] = x + A[i][j];
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float C[restrict 4][4], const float A[4][4]) {
    /// #pragma mdh( C[i][j] : ++ , ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     for (int j = 0; j < 4; ++j) {
    ///       float x = A[i][0];
    ///       C[i][j] = x + A[i][j];
    ///     }
    ///   }
    /// }
    /// ```
    pub NEST: "E0802" Input "C-NEST: loops are not perfectly nested";
    /// A loop does not run from a constant to a constant by a constant step. Sizes that are parameters are fixed by
    /// `--set NAME=VALUE`.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4], int n) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < n; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.c --set n=4`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4], int n) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < n; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    pub BOUND: "E0803" Input "C-BOUND: extent is not known";
    /// A subscript is not a sum of multiples of loop variables. What depends on data has no extent that can be computed.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[16]) {
    /// #pragma mdh( y[i] : ++ , + )
    ///   for (int i = 0; i < 4; ++i)
    ///     for (int j = 0; j < 4; ++j)
    ///       y[i] += x[i * j];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[16]) {
    /// #pragma mdh( y[i] : ++ , + )
    ///   for (int i = 0; i < 4; ++i)
    ///     for (int j = 0; j < 4; ++j)
    ///       y[i] += x[4 * i + j];
    /// }
    /// ```
    pub INDEX: "E0804" Input "C-INDEX: subscript is not affine";
    /// What the directive says is written is not what the body writes.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float C[restrict 4], float D[restrict 4], const float A[4]) {
    /// #pragma mdh( C[i] : ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     C[i] = A[i];
    ///     D[i] = A[i];
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float C[restrict 4], float D[restrict 4], const float A[4]) {
    /// #pragma mdh( C[i], D[i] : ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     C[i] = A[i];
    ///     D[i] = A[i];
    ///   }
    /// }
    /// ```
    pub OUT: "E0805" Input "C-OUT: outputs of directive and body differ";
    /// The directive must have one operator for each loop.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float C[restrict 4][4], const float A[4][4]) {
    /// #pragma mdh( C[i][j] : ++ , ++ , + )
    ///   for (int i = 0; i < 4; ++i)
    ///     for (int j = 0; j < 4; ++j)
    ///       C[i][j] = A[i][j];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float C[restrict 4][4], const float A[4][4]) {
    /// #pragma mdh( C[i][j] : ++ , ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     for (int j = 0; j < 4; ++j)
    ///       C[i][j] = A[i][j];
    /// }
    /// ```
    pub ARITY: "E0806" Input "C-ARITY: number of operators and loops";
    /// Operator of the directive and update in the body do not fit together, or `++` belongs to a loop whose variable does
    /// not appear in the output.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : + )
    ///   for (int i = 0; i < 4; ++i)
    ///     *y *= x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : * )
    ///   for (int i = 0; i < 4; ++i)
    ///     *y *= x[i];
    /// }
    /// ```
    pub KIND: "E0807" Input "C-KIND: operator does not fit the body";
    /// A loop variable is changed in the body of a nest that has a directive.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     y[i] = 0;
    ///     i++;
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4]) {
    /// #pragma mdh( y[2 * i] : ++ )
    ///   for (int i = 0; i < 2; ++i) {
    ///     y[2 * i] = 0;
    ///   }
    /// }
    /// ```
    pub IV: "E0808" Input "C-IV: loop variable is changed";
    /// Jumps have no place in a computation under a directive: `while`, `do`, `break`, `continue`, `return` inside of a loop.
    /// Without a directive they are taken as they are. `switch` and `goto` are not known here.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     if (x[i] > 0) break;
    ///     y[i] = x[i];
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i) {
    ///     y[i] = x[i] > 0 ? 0 : x[i];
    ///   }
    /// }
    /// ```
    pub FLOW: "E0809" Input "C-FLOW: control flow that is not a counted loop";
    /// A call of something that is not a function of `math.h` and has no body in this file, or that does more than compute
    /// a value.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = expff(x[i]);
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = expf(x[i]);
    /// }
    /// ```
    pub CALL: "E0810" Input "C-CALL: call of something that is not a pure function known here";
    /// A type that has no place here: pointers to pointers, unions, bit-fields, `long double`, `volatile`, …
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float **rows) {
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float rows[4][8]) {
    /// }
    /// ```
    pub TYPE: "E0811" Input "C-TYPE: type is not known here";
    /// One turn of the nest reads what another one writes: the result depends on their order.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float a[8]) {
    /// #pragma mdh( a[i] : ++ )
    ///   for (int i = 1; i < 8; ++i)
    ///     a[i] = a[i - 1];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float a[restrict 8], const float b[8]) {
    /// #pragma mdh( a[i] : ++ )
    ///   for (int i = 1; i < 8; ++i)
    ///     a[i] = b[i - 1];
    /// }
    /// ```
    pub DEP: "E0812" Input "C-DEP: a turn depends on another one";
    /// An operator of the directive is none, or its function is not a pure function `T f(T, T)`.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : plus )
    ///   for (int i = 0; i < 4; ++i)
    ///     *y += x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : + )
    ///   for (int i = 0; i < 4; ++i)
    ///     *y += x[i];
    /// }
    /// ```
    pub OPER: "E0813" Input "C-OPER: operator is not known";
    /// A word of the directive is not known, or its form is wrong.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ ) inot(y)
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ ) inout(y)
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    pub PRAGMA: "E0814" Input "C-PRAGMA: directive is not understood";
    /// A name is not declared, or is used as something that it is not.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float xs[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = xss[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float xs[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = xs[i];
    /// }
    /// ```
    pub NAME: "E0815" Input "C-NAME: name does not stand for what is needed here";
    /// An unsigned subscript may be below 0 and wraps in C.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (unsigned i = 0; i < 4; ++i)
    ///     y[i] = x[i - 1];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float y[restrict 4], const float x[4]) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (unsigned i = 1; i < 4; ++i)
    ///     y[i] = x[i - 1];
    /// }
    /// ```
    pub WRAP: "E0816" Input "C-WRAP: unsigned subscript may wrap";
    /// A loop nest stays a sequence of turns, since it is no computation that could be taken in another order.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float a[8]) {
    ///   for (int i = 1; i < 8; ++i)
    ///     a[i] = a[i - 1];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float a[restrict 8], const float b[8]) {
    ///   for (int i = 1; i < 8; ++i)
    ///     a[i] = b[i - 1];
    /// }
    /// ```
    pub ORDERED: "E0817" Input "C-ORDERED: loops stay in order";
    /// A loop nest is no computation, but no turn of its outermost loop uses what another one writes: threads take the turns, where
    /// there is enough work for them. The loops inside stay as they were written.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(int n, float *restrict y, const float *restrict x) {
    ///   for (int i = 0; i < n; ++i)
    ///     y[i] = 2 * x[i];
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.c --set n=1000`:
    ///
    /// ```c
    /// void f(int n, float y[restrict n], const float x[restrict n]) {
    ///   for (int i = 0; i < n; ++i)
    ///     y[i] = 2 * x[i];
    /// }
    /// ```
    pub TURNS: "E0820" Input "C-TURNS: turns of a loop run at once";
    /// Pointers that are not `restrict` may overlap: the function looks at its arguments and takes the loops in order where
    /// they do. `restrict`, or `disjoint(…)` in the directive, says that they don't.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float *y, const float *x) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float *restrict y, const float *restrict x) {
    /// #pragma mdh( y[i] : ++ )
    ///   for (int i = 0; i < 4; ++i)
    ///     y[i] = x[i];
    /// }
    /// ```
    pub ALIAS: "E0818" Input "C-ALIAS: pointers may overlap";
    /// Under the directive an update starts from the operator's identity; what the array held before is not added.
    ///
    /// Wrong, with `terrace-opt x.c`:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : + )
    ///   for (int i = 0; i < 4; ++i)
    ///     *y += x[i];
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```c
    /// void f(float *restrict y, const float x[4]) {
    /// #pragma mdh( *y : + ) inout(y)
    ///   for (int i = 0; i < 4; ++i)
    ///     *y += x[i];
    /// }
    /// ```
    pub INIT: "E0819" Input "C-INIT: old contents are not added";
}
