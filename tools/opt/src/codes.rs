//! Codes of tools and files, E04xx.

terrace_diag::codes! {
    /// The input file does not exist or cannot be read.
    pub READ: "E0401" Environment "cannot read the input";
    /// The input is not UTF-8. Everything outside of ASCII belongs into strings and comments.
    pub UTF8: "E0402" Input "input is not UTF-8";
    /// The output file cannot be written. Nothing was written: the old file, if any, is as it was.
    pub WRITE: "E0403" Environment "cannot write the output";
    /// The input is larger than positions in it can be told apart (2 GiB).
    pub TOO_LARGE: "E0404" Limit "input too large";
    /// This form of output needs a part of the system that this tool does not have.
    pub EMIT: "E0405" Usage "cannot emit this form";
}
