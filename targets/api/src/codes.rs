//! Codes of emitting and running, E0405–E0411.

terrace_diag::codes! {
    /// This form of output needs a part of the system that this tool does not have.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// printf 'module {}\n// -----\nmodule {}\n' > two.mlir; terrace-opt two.mlir --split-input-file --emit=obj
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// printf 'module {}\n// -----\nmodule {}\n' > two.mlir; terrace-opt two.mlir --split-input-file --emit=mlir
    /// ```
    pub EMIT: "E0405" Usage "cannot emit this form";
    /// `terrace-run` needs to know which function to run: one that is there, with a body.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-run x.mlir --entry=@nothing
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-run x.mlir --entry=@f --in=a=fill:1
    /// ```
    pub ENTRY: "E0406" Usage "no function to run";
    /// A name in `--in`, `--out` or `--shape` is not that of an argument or result, or an argument is not given.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-run x.mlir --in=b=fill:1
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-run x.mlir --in=a=fill:1
    /// ```
    pub ARGUMENT: "E0407" Usage "arguments do not fit the function";
    /// The elements or sizes given do not fit the types of the function.
    ///
    /// Wrong, with `terrace-run x.mlir --in=m=iota --shape=m=2x2`:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<4xf32>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<?x?xf32>) {
    ///   return
    /// }
    /// ```
    pub DATA: "E0408" Input "data does not fit the program";
    /// A function that is run from outside takes and gives numbers and arrays of them.
    ///
    /// Wrong, with `terrace-run x.mlir --in=t=fill:1`:
    ///
    /// ```mlir
    /// func.func @f(%t: tuple<i32, i32>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%t: i32) {
    ///   return
    /// }
    /// ```
    pub RUN_TYPE: "E0409" Usage "type cannot be given from outside";
    /// This back end cannot be used here: a part of the system is missing, or the program cannot be lowered to it.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// PATH=/nowhere $(command -v terrace-run) x.mlir --in=a=fill:1 --on=openmp
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-run x.mlir --in=a=fill:1 --on=interp
    /// ```
    pub BACKEND: "E0411" Environment "back end is not available";
}
