//! Codes of tools and files, E04xx.

terrace_diag::codes! {
    /// The input file does not exist or cannot be read.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt nowhere.mlir
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir
    /// ```
    pub READ: "E0401" Environment "cannot read the input";
    /// The input is not UTF-8. Everything outside of ASCII belongs into strings and comments.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// printf '// gr\374n\n' > latin1.mlir; terrace-opt latin1.mlir
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// printf '// gr\303\274n\n' > utf8.mlir; terrace-opt utf8.mlir
    /// ```
    pub UTF8: "E0402" Input "input is not UTF-8";
    /// The output file cannot be written. Nothing was written: the old file, if any, is as it was.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir -o nowhere/out.mlir
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir -o out.mlir
    /// ```
    pub WRITE: "E0403" Environment "cannot write the output";
    /// The input exceeds the 2 GiB that positions can address, or comes from a pipe or a device that does not end
    /// within 256 MiB. Give what is larger as a file.
    ///
    /// Wrong: An input of more than 2 GiB.
    ///
    /// Right: Its functions in several files.
    pub TOO_LARGE: "E0404" Limit "input too large";
    /// An output has elements that the program never wrote, or whose value is poison.
    ///
    /// Wrong, with `terrace-run x.mlir --out=m=m.npy`:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<2xf32>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<2xf32>) {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   %x = arith.constant 1.0 : f32
    ///   memref.store %x, %m[%c0] : memref<2xf32>
    ///   memref.store %x, %m[%c1] : memref<2xf32>
    ///   return
    /// }
    /// ```
    pub UNDEFINED: "E0410" Input "output without a value";
    /// The back ends give different results.
    ///
    /// Wrong: A back end that rounds otherwise than the interpreter: `terrace-run x.mlir --compare=interp,opencl
    /// --tolerance=exact`
    ///
    /// Right: `terrace-run x.mlir --compare=interp,opencl`: sums of floats may be apart by what their length allows.
    pub DISAGREE: "E0412" Input "results do not agree";
    /// An array comes as a `.npy` file as numpy writes them: magic letters, a header that is a Python dictionary of element
    /// type, order and shape, then exactly the elements. Arrays of records are taken for arguments
    /// that are arrays of structures; objects and complex numbers are none of ours.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// printf 'no numpy' > a.npy; terrace-run x.mlir --in=a=a.npy
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-run x.mlir --in=a=fill:1
    /// ```
    pub NPY: "E0413" Input "not a readable .npy file";
    /// A drawing or table of a schedule cannot be read back, or says a schedule that is none. The message names the rule (V-…
    /// for the form of the document, S-… for the schedule) and what would be accepted.
    ///
    /// Wrong: A table of a schedule in which a cell says `FOR.9` for a computation of two dimensions, given to `terrace-view
    /// --apply`.
    ///
    /// Right: The table as `terrace-view --to=toml` wrote it, with a number changed that still divides its extent.
    pub SCHEDULE: "E0420" Input "not a schedule of this computation";
    /// The script of `terrace-reduce` does not tell programs apart: it accepts a module with nothing in it, it refuses the input itself,
    /// or it accepts the input at one time and not at another.
    ///
    /// Wrong: A script that ends with `exit 0` whatever it has found.
    ///
    /// Right: One that ends with the command that decides, such as `terrace-opt "$1" --pipeline=cse 2>&1 | grep -q E0215`.
    pub SCRIPT_DECIDES: "E0414" Usage "the script decides nothing";
    /// A script or a tool that decides whether a program is interesting cannot be started.
    ///
    /// Wrong: `terrace-reduce x.mlir --test=check.sh`, where `check.sh` may not be executed.
    ///
    /// Right: `chmod +x check.sh`, and `#!/bin/sh` in its first line.
    pub SCRIPT_START: "E0415" Environment "the script cannot be started";
    /// `terrace-why` found nothing to explain: the pipeline succeeds, and no call shows a difference.
    ///
    /// Wrong: A pipeline that is right, or an input in which the mistake does not show within the time.
    ///
    /// Right: `terrace-why x.mlir --pipeline=cse --in='@f(7, -1)'`, the call that gives something wrong.
    pub NO_DIFFERENCE: "E0416" Input "no difference found";
    /// `--new-dialect` writes a crate, whose name is that of the dialect, into a folder of its own. Nothing was written.
    ///
    /// Wrong: `terrace-opt --new-dialect=Money`, `--new-dialect=arith`, or a folder with files in it.
    ///
    /// Right: `terrace-opt --new-dialect=money --in=elsewhere/money`.
    pub NEW_DIALECT: "E0417" Usage "a new dialect cannot be written";
    /// The SMT solver of `terrace-why --prove` is not there, does not start, or does not speak SMT-LIB.
    ///
    /// Wrong: `terrace-why x.mlir --pipeline=canonicalize --prove --solver=cat`
    ///
    /// Right: `terrace-why x.mlir --pipeline=canonicalize --prove`, where z3 or cvc5 lies in the path
    pub SOLVER: "E0418" Environment "no solver";
}
