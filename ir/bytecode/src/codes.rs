//! Codes of bytecode, E0030 to E0032.

terrace_diag::codes! {
    /// The bytecode is damaged: it ends too early, counts more than it has, or names what it does not have.
    ///
    /// The message says at which byte of the file.
    ///
    /// Wrong: A file that was cut off on its way.
    ///
    /// Right: What `terrace-opt x.mlir --emit=bytecode` or `mlir-opt x.mlir --emit-bytecode` writes.
    pub DAMAGED: "E0030" Input "damaged bytecode";
    /// The bytecode is of a version that is not read or written here.
    ///
    /// Wrong: A file of version 7.
    ///
    /// Right: One of version 0 to 6: `mlir-opt --emit-bytecode --emit-bytecode-version=6`.
    pub VERSION: "E0031" Input "version of the bytecode is not known";
    /// An op, attribute or type is encoded as only its own dialect knows.
    ///
    /// Wrong: Properties of an op that is registered where the file was written and not here.
    ///
    /// Right: The same file with `--emit-bytecode-version=4`, which has no such encoding of ops, or as text.
    pub ENCODING: "E0032" Input "encoding is not known";
}
