//! Codes of stores of records, E042x.

terrace_diag::codes! {
    /// A folder is named as a store of records and is none, or a newer version wrote it. `terrace-tune --records=DIR` makes a store of a
    /// folder that is empty or not there yet.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// mkdir -p notes; echo hello > notes/a.txt; terrace-tune records list notes
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// mkdir -p fresh; terrace-tune records merge fresh; terrace-tune records list fresh
    /// ```
    pub STORE: "E0421" Usage "not a store of records";
    /// A store of records cannot be read or written: a folder without permission, a full disk, or a store that another process is
    /// writing to while it is pruned.
    ///
    /// Wrong: `terrace-tune matmul.mlir --records=DIR`, where DIR may only be read.
    ///
    /// Right: `terrace-opt matmul.mlir --pipeline=to-host --records=DIR`, which only reads; or a folder of one's own, merged with DIR.
    pub ACCESS: "E0422" Environment "store of records is not accessible";
    /// Lines of a store are damaged, or of a newer version. They are left out, and all other records are read. `terrace-tune records
    /// check` names the file and the line of each. `terrace-tune records prune` writes the store anew without damaged lines; lines of newer versions stay.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-tune records merge harmed; echo '{"length":7}' > harmed/x.jsonl; echo >> harmed/x.jsonl; terrace-tune records check harmed
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-tune records merge sound; terrace-tune records check sound
    /// ```
    pub DAMAGED: "E0423" Input "damaged records";
}
