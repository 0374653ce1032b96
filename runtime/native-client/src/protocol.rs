//! What tools and the worker say to each other.
//!
//! A message is a frame: header length and body length (two little-endian u64), a JSON header, raw bytes. The tool sends a
//! request, the worker one reply, in turns. Before it calls a program, it says that this is built ([`Frame::built`]): what follows
//! is the program's time. The module goes as text at the front of the body, buffers follow it. The first frame is the worker's
//! greeting with the protocol's version.
//!
//! Nothing here may panic on bytes from the other side: a frame that does not decode is [`Malformed`].

use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Read, Write};
use terrace_diag::{Code, Diagnostic, Severity};

/// Changes when a frame does
pub const VERSION: u64 = 3;

/// Longest header and body that are believed
const LIMIT: u64 = 1 << 40;

/// Why a frame does not decode
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The body ends before what the header announces
    ShortBody,
    /// A field of the header has another type
    Field {
        /// Its name
        name: String,
        /// The type it should have
        wanted: &'static str,
    },
    /// A size of a buffer is no number
    Size,
    /// A buffer has other bytes than its shape needs
    Shape {
        /// How many there are
        bytes: usize,
    },
    /// The module is no text
    NotUtf8,
    /// A kind of code that the worker does not know
    Kind,
    /// Another word that the worker or the tool does not know
    Unknown {
        /// What it should be
        what: &'static str,
        /// The word
        word: String,
    },
}

impl Malformed {
    fn field(name: &str, wanted: &'static str) -> Malformed {
        Malformed::Field { name: name.to_owned(), wanted }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortBody => f.write_str("the body is too short"),
            Self::Field { name, wanted } => write!(f, "`{name}` is no {wanted}"),
            Self::Size => f.write_str("a size is no number"),
            Self::Shape { bytes } => write!(f, "{bytes} bytes do not fill the shape"),
            Self::NotUtf8 => f.write_str("the module is not UTF-8"),
            Self::Kind => f.write_str("unknown kind"),
            Self::Unknown { what, word } => write!(f, "unknown {what} `{word}`"),
        }
    }
}

impl std::error::Error for Malformed {}

terrace_support::words! {
    /// What to make of a module
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum EmitKind {
        /// LLVM IR as text
        Llvm = "llvm",
        /// Assembly of the host's CPU
        Asm = "asm",
        /// An object file for the host's linker
        Obj = "obj",
        /// PTX of the module's `gpu.module`s
        Ptx = "ptx",
        /// SPIR-V of the module's `gpu.module`s
        Spirv = "spirv",
        /// The same as text
        SpirvText = "spirv-text",
    }
}

/// How to make code
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// LLVM's middle end: 0 none (the IR as it was built), 1 to 3 `default<On>`
    pub opt_level: u8,
    /// CPU by LLVM's name; `None` is this machine's. For PTX the chip, `sm_80` if not given
    pub cpu: Option<String>,
    /// CPU features as LLVM writes them (`+avx2,-fma`); `None` is what the CPU has
    pub features: Option<String>,
}

impl Default for EmitOptions {
    fn default() -> Self {
        EmitOptions { opt_level: 2, cpu: None, features: None }
    }
}

/// An argument or result of a run
#[derive(Clone, Debug)]
pub enum Arg {
    /// A memref or vector: row-major storage. A parameter of another (static strided) layout is refused
    Buffer {
        /// Extents, outermost first
        shape: Vec<u64>,
        /// Element type as MLIR spells it: `i1 i8 i16 i32 i64 index f16 bf16 f32 f64`
        elem: String,
        /// Elements in row-major order, in the host's byte order; `i1` one byte each
        bytes: Vec<u8>,
    },
    /// An integer, index or float
    Scalar {
        /// Its type, spelled alike
        elem: String,
        /// Its bits, from the lowest; those above its width are not looked at
        bits: u64,
    },
}

/// A function to run
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    /// Name of a public function of the module
    pub entry: String,
    /// Its arguments
    pub args: Vec<Arg>,
    /// Time it: so many repetitions after the first call and one that warms up. Buffers are as given only before the first call
    pub bench: Option<u32>,
    /// No more repetitions once it is clear that the program takes longer than so many nanoseconds ([`is_slow`])
    pub stop_ns: Option<u64>,
    /// Once it is built, wait for another frame before it runs ([`Frame::go`])
    pub waits: bool,
    /// Threads of parallel regions; `None` is the machine's number
    pub threads: Option<u32>,
    /// How to make the code
    pub options: EmitOptions,
}

/// Is it clear that a program takes longer than a limit? Not from one run alone, which something else may have disturbed
pub fn is_slow(times_ns: &[u64], stop_ns: Option<u64>) -> bool {
    stop_ns.is_some_and(|stop| times_ns.len() > 1 && times_ns.iter().all(|time| *time > stop))
}

/// What a run gave
#[derive(Clone, Debug, Default)]
pub struct RunReply {
    /// The arguments after the first call
    pub args: Vec<Arg>,
    /// What the first call returned; memrefs as buffers
    pub results: Vec<Arg>,
    /// One time per repetition, if requested
    pub times_ns: Vec<u64>,
}

/// What a tool may ask
#[derive(Clone, Debug)]
pub enum Request {
    /// Code of a module
    Emit {
        /// The module
        module: String,
        /// Of which kind
        kind: EmitKind,
        /// How
        options: EmitOptions,
    },
    /// A run of a module's function
    Run {
        /// The module
        module: String,
        /// What to run
        run: RunRequest,
    },
}

/// What the worker answers
#[derive(Clone, Debug)]
pub enum Reply {
    /// To `Emit`
    Code(Vec<u8>),
    /// To `Run`
    Ran(RunReply),
    /// It could not
    Failed(Vec<Diagnostic>),
}

/// A header with its bytes
#[derive(Clone, Debug)]
pub struct Frame {
    /// What it says
    pub header: Value,
    /// What it carries
    pub body: Vec<u8>,
}

impl Frame {
    /// Write to a stream and flush it
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.header.to_string();
        out.write_all(&(header.len() as u64).to_le_bytes())?;
        out.write_all(&(self.body.len() as u64).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        out.write_all(&self.body)?;
        out.flush()
    }

    /// Read from a stream; `None` at its end
    pub fn read(input: &mut impl Read) -> io::Result<Option<Frame>> {
        let mut lengths = [0; 16];
        let mut have = 0;
        while have < lengths.len() {
            match input.read(&mut lengths[have..]) {
                Ok(0) if have == 0 => return Ok(None),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => have += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let length = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&lengths[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let header = read_exactly(input, length(0))?;
        let body = read_exactly(input, length(8))?;
        let header = serde_json::from_slice(&header).map_err(io::Error::other)?;
        Ok(Some(Frame { header, body }))
    }

    /// The worker's greeting
    pub fn hello() -> Frame {
        Frame { header: json!({ "terrace-native": VERSION }), body: Vec::new() }
    }

    /// The program is compiled, and runs from now on
    pub fn built() -> Frame {
        Frame { header: json!({ "built": true }), body: Vec::new() }
    }

    /// Is it that?
    pub fn is_built(&self) -> bool {
        self.header["built"] == json!(true)
    }

    /// A program that is built and waits may run
    pub fn go() -> Frame {
        Frame { header: json!({ "go": true }), body: Vec::new() }
    }

    /// Is it the greeting of a worker that speaks as we do?
    pub fn is_hello(&self) -> bool {
        self.header["terrace-native"].as_u64() == Some(VERSION)
    }
}

fn read_exactly(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    if length > LIMIT {
        return Err(io::Error::other("the frame is too long"));
    }
    // Grows as bytes come: a wrong length costs no memory.
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Bytes of a body, taken from the front
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (front, rest) = self.0.split_at_checked(length).ok_or(Malformed::ShortBody)?;
        self.0 = rest;
        Ok(front)
    }
}

fn number(value: &Value, name: &str) -> Result<u64, Malformed> {
    value[name].as_u64().ok_or_else(|| Malformed::field(name, "number"))
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, Malformed> {
    value[name].as_str().ok_or_else(|| Malformed::field(name, "text"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Malformed> {
    value[name].as_array().map(Vec::as_slice).ok_or_else(|| Malformed::field(name, "list"))
}

impl EmitOptions {
    fn encode(&self) -> Value {
        json!({ "opt": self.opt_level, "cpu": self.cpu, "features": self.features })
    }

    fn decode(value: &Value) -> Result<EmitOptions, Malformed> {
        let owned = |name: &str| value[name].as_str().map(str::to_owned);
        let opt_level = number(value, "opt")?.min(3) as u8;
        Ok(EmitOptions { opt_level, cpu: owned("cpu"), features: owned("features") })
    }
}

/// Bytes of an element in a buffer
pub fn elem_size(elem: &str) -> Option<usize> {
    match elem {
        "i1" | "i8" => Some(1),
        "i16" | "f16" | "bf16" => Some(2),
        "i32" | "f32" => Some(4),
        "i64" | "index" | "f64" => Some(8),
        _ => None,
    }
}

fn encode_args(args: &[Arg], body: &mut Vec<u8>) -> Value {
    let each = args.iter().map(|arg| match arg {
        Arg::Buffer { shape, elem, bytes } => {
            body.extend_from_slice(bytes);
            json!({ "elem": elem, "shape": shape, "bytes": bytes.len() })
        }
        Arg::Scalar { elem, bits } => json!({ "elem": elem, "bits": bits }),
    });
    Value::Array(each.collect())
}

fn decode_args(values: &[Value], body: &mut Parts<'_>) -> Result<Vec<Arg>, Malformed> {
    let decode = |value: &Value| {
        let elem = text(value, "elem")?.to_owned();
        if value["shape"].is_null() {
            return Ok(Arg::Scalar { elem, bits: number(value, "bits")? });
        }
        let shape = list(value, "shape")?.iter().map(|size| size.as_u64().ok_or(Malformed::Size));
        let shape: Vec<u64> = shape.collect::<Result<_, _>>()?;
        let length = usize::try_from(number(value, "bytes")?).map_err(|_| Malformed::ShortBody)?;
        let bytes = body.take(length)?.to_vec();
        let size = elem_size(&elem)
            .ok_or_else(|| Malformed::Unknown { what: "element type", word: elem.clone() })?;
        let wanted = shape.iter().try_fold(size as u64, |all, extent| all.checked_mul(*extent));
        if wanted != Some(bytes.len() as u64) {
            return Err(Malformed::Shape { bytes: bytes.len() });
        }
        Ok(Arg::Buffer { shape, elem, bytes })
    };
    values.iter().map(decode).collect()
}

impl Request {
    /// Does it wait for [`Frame::go`] once it is built?
    pub fn waits(&self) -> bool {
        matches!(self, Request::Run { run, .. } if run.waits)
    }

    /// As a frame
    pub fn encode(&self) -> Frame {
        match self {
            Request::Emit { module, kind, options } => {
                let header = json!({
                    "command": "emit", "module": module.len(), "kind": kind.word(), "options": options.encode()
                });
                Frame { header, body: module.clone().into_bytes() }
            }
            Request::Run { module, run } => {
                let mut body = module.clone().into_bytes();
                let args = encode_args(&run.args, &mut body);
                let header = json!({
                    "command": "run", "module": module.len(), "entry": run.entry, "args": args,
                    "bench": run.bench, "stop": run.stop_ns, "waits": run.waits, "threads": run.threads,
                    "options": run.options.encode()
                });
                Frame { header, body }
            }
        }
    }

    /// From a frame
    pub fn decode(frame: &Frame) -> Result<Request, Malformed> {
        let header = &frame.header;
        let mut body = Parts(&frame.body);
        let length = usize::try_from(number(header, "module")?).map_err(|_| Malformed::ShortBody)?;
        let module = String::from_utf8(body.take(length)?.to_vec()).map_err(|_| Malformed::NotUtf8)?;
        let options = EmitOptions::decode(&header["options"])?;
        match text(header, "command")? {
            "emit" => {
                let kind = text(header, "kind")?.parse::<EmitKind>().map_err(|()| Malformed::Kind)?;
                Ok(Request::Emit { module, kind, options })
            }
            "run" => {
                let small = |name: &str| header[name].as_u64().and_then(|n| u32::try_from(n).ok());
                let args = decode_args(list(header, "args")?, &mut body)?;
                let entry = text(header, "entry")?.to_owned();
                let (bench, threads, stop_ns) = (small("bench"), small("threads"), header["stop"].as_u64());
                let waits = header["waits"] == json!(true);
                let run = RunRequest { entry, args, bench, stop_ns, waits, threads, options };
                Ok(Request::Run { module, run })
            }
            other => Err(Malformed::Unknown { what: "command", word: other.to_owned() }),
        }
    }
}

impl Reply {
    /// As a frame
    pub fn encode(&self) -> Frame {
        match self {
            Reply::Code(bytes) => Frame { header: json!({ "reply": "code" }), body: bytes.clone() },
            Reply::Ran(ran) => {
                let mut body = Vec::new();
                let args = encode_args(&ran.args, &mut body);
                let results = encode_args(&ran.results, &mut body);
                let header =
                    json!({ "reply": "ran", "args": args, "results": results, "times": ran.times_ns });
                Frame { header, body }
            }
            Reply::Failed(diags) => {
                let diags: Vec<Value> = diags.iter().map(encode_diagnostic).collect();
                Frame { header: json!({ "reply": "failed", "diagnostics": diags }), body: Vec::new() }
            }
        }
    }

    /// From a frame; `codes` are those that the worker may use
    pub fn decode(frame: Frame, codes: &[&[Code]]) -> Result<Reply, Malformed> {
        match text(&frame.header, "reply")? {
            "code" => Ok(Reply::Code(frame.body)),
            "ran" => {
                let mut body = Parts(&frame.body);
                let args = decode_args(list(&frame.header, "args")?, &mut body)?;
                let results = decode_args(list(&frame.header, "results")?, &mut body)?;
                let times = list(&frame.header, "times")?.iter().filter_map(Value::as_u64).collect();
                Ok(Reply::Ran(RunReply { args, results, times_ns: times }))
            }
            "failed" => {
                let diags = list(&frame.header, "diagnostics")?.iter();
                Ok(Reply::Failed(
                    diags.map(|value| decode_diagnostic(value, codes)).collect::<Result<_, _>>()?,
                ))
            }
            other => Err(Malformed::Unknown { what: "reply", word: other.to_owned() }),
        }
    }
}

/// Spans stay behind: they count in the text that was sent, which the user has not seen
fn encode_diagnostic(diagnostic: &Diagnostic) -> Value {
    let notes: Vec<&str> = diagnostic.notes.iter().map(|note| note.text.as_str()).collect();
    json!({
        "severity": diagnostic.severity as u8, "code": diagnostic.code.map(|code| code.id),
        "message": diagnostic.message, "notes": notes, "help": diagnostic.help
    })
}

fn decode_diagnostic(value: &Value, codes: &[&[Code]]) -> Result<Diagnostic, Malformed> {
    let code = value["code"].as_str().and_then(|id| terrace_diag::find(codes, id));
    let message = text(value, "message")?;
    let severity = number(value, "severity")?;
    let mut diagnostic = if severity == Severity::Error as u64 {
        Diagnostic::error(code.unwrap_or(&crate::codes::LLVM), message)
    } else if severity == Severity::Warning as u64 {
        Diagnostic::warning(code, message)
    } else {
        Diagnostic::remark(code, message)
    };
    for note in list(value, "notes")?.iter().filter_map(Value::as_str) {
        diagnostic = diagnostic.note(note);
    }
    for help in list(value, "help")?.iter().filter_map(Value::as_str) {
        diagnostic = diagnostic.help(help);
    }
    Ok(diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(frame: &Frame) -> Frame {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).expect("memory takes bytes");
        Frame::read(&mut &bytes[..]).expect("well formed").expect("there")
    }

    #[test]
    fn a_run_survives_the_way() {
        let buffer = Arg::Buffer { shape: vec![2, 1], elem: "f32".into(), bytes: (0..8).collect() };
        let args = vec![buffer, Arg::Scalar { elem: "i64".into(), bits: 7 }];
        let run = RunRequest { entry: "f".into(), args, bench: Some(3), ..RunRequest::default() };
        let frame = through(&Request::Run { module: "module {}".into(), run }.encode());
        let Ok(Request::Run { module, run }) = Request::decode(&frame) else { panic!("is a run") };
        assert_eq!(
            (module.as_str(), run.entry.as_str(), run.bench, run.threads),
            ("module {}", "f", Some(3), None)
        );
        let [Arg::Buffer { shape, bytes, .. }, Arg::Scalar { bits: 7, .. }] = &run.args[..] else {
            panic!("two")
        };
        assert_eq!((&shape[..], &bytes[..]), (&[2, 1][..], &[0, 1, 2, 3, 4, 5, 6, 7][..]));
    }

    #[test]
    fn diagnostics_keep_code_and_help() {
        let sent = Diagnostic::error(&crate::codes::ENTRY, "no `f`").note("n").help("h");
        let frame = through(&Reply::Failed(vec![sent.clone()]).encode());
        let Ok(Reply::Failed(got)) = Reply::decode(frame, &[crate::codes::ALL]) else { panic!("failed") };
        assert_eq!(got, [sent]);
    }

    #[test]
    fn wrong_frames_are_errors() {
        let frame = |header: Value| Frame { header, body: vec![0; 3] };
        for header in [
            json!(null),
            json!({}),
            json!({"command": "emit", "module": 4}),
            json!({"command": "emit", "module": 3, "kind": "x", "options": {"opt": 1}}),
            json!({"command": "run", "module": 0, "entry": "f", "options": {"opt": 1},
                   "args": [{"elem": "f32", "shape": [1u64 << 62, 1u64 << 62], "bytes": 3}]}),
            json!({"command": "run", "module": 0, "entry": "f", "options": {"opt": 1},
                   "args": [{"elem": "f32", "shape": [1], "bytes": 4}]}),
            json!({"command": "run", "module": 0, "entry": "f", "options": {"opt": 1},
                   "args": [{"elem": "f3", "shape": [1], "bytes": 3}]}),
        ] {
            assert!(Request::decode(&frame(header)).is_err());
        }
        assert!(Reply::decode(frame(json!({"reply": "ran"})), &[]).is_err());
        let cut = [9u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'{'];
        assert!(Frame::read(&mut &cut[..]).is_err());
        assert!(Frame::read(&mut &cut[..3]).is_err());
        assert!(Frame::read(&mut &cut[..0]).is_ok_and(|frame| frame.is_none()));
    }
}
