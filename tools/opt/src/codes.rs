//! Codes of tools and files, E04xx.

terrace_diag::codes! {
    /// The input file does not exist or cannot be read.
    pub READ: "E0401" Environment "cannot read the input";
    /// The input is not UTF-8. Everything outside of ASCII belongs into strings and comments.
    pub UTF8: "E0402" Input "input is not UTF-8";
    /// The output file cannot be written. Nothing was written: the old file, if any, is as it was.
    pub WRITE: "E0403" Environment "cannot write the output";
    /// The input is larger than positions in it can be told apart (2 GiB), or comes from a pipe or a device that does not end
    /// within 256 MiB. Give what is larger as a file.
    pub TOO_LARGE: "E0404" Limit "input too large";
    /// This form of output needs a part of the system that this tool does not have.
    pub EMIT: "E0405" Usage "cannot emit this form";
    /// `terrace-run` needs to know which function to run: one that is there, with a body.
    pub ENTRY: "E0406" Usage "no function to run";
    /// A name in `--in`, `--out` or `--shape` is not that of an argument or result, or an argument is not given.
    pub ARGUMENT: "E0407" Usage "arguments do not fit the function";
    /// The elements or sizes given do not fit the types of the function.
    pub DATA: "E0408" Input "data does not fit the program";
    /// A function that is run from outside takes and gives numbers and arrays of them.
    pub RUN_TYPE: "E0409" Usage "type cannot be given from outside";
    /// An output has elements that the program never wrote, or whose value is poison.
    pub UNDEFINED: "E0410" Input "output without a value";
    /// This back end cannot be used here: a part of the system is missing, or the program cannot be lowered to it.
    pub BACKEND: "E0411" Environment "back end is not available";
    /// The back ends give different results.
    pub DISAGREE: "E0412" Input "results do not agree";
    /// An array comes as a `.npy` file as numpy writes them: magic letters, a header that is a Python dictionary of element
    /// type, order and shape, then exactly the elements. Arrays of records are taken for arguments
    /// that are arrays of structures; objects and complex numbers are none of ours.
    pub NPY: "E0413" Input "not a readable .npy file";
    /// A drawing or table of a schedule cannot be read back, or says a schedule that is none. The message names the rule (V-…
    /// for the form of the document, S-… for the schedule) and what would be accepted.
    pub SCHEDULE: "E0420" Input "not a schedule of this computation";
}
