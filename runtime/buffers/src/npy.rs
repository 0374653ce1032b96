//! `.npy` files, NumPy's format for one array
//!
//! Source: "NumPy Enhancement Proposal 1", format versions 1.0 to 3.0. Written files are version 1.0
//! (2.0 for a header past 64 KiB), little-endian, C order. Read are both byte orders and both array
//! orders (Fortran order is converted), and unsigned integers as the signless type of their width.
//!
//! NumPy has no bfloat16. It is written as its bits in `<u2`; a reader that expects `bf16` accepts
//! `<u2` and the two-byte void type that other libraries use (`|V2`).
//!
//! A file holds exactly one array: bytes missing or left over are errors. Its length is compared with
//! its header before memory is taken, so a short file cannot ask for much. Writing goes to a new file
//! next to the target which is renamed at the end: readers see the old content or the new one, never
//! a part. (Whether a rename survives a power cut is left to the file system.)

use crate::buffer::{Buffer, check_truth_values, count, row_major_strides};
use crate::error::BufferError;
use crate::npy_error::HeaderError;
use crate::{ElemType, error::Dims};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// No array that fits in memory has a longer header; a limit keeps broken files cheap
const MAX_HEADER: usize = 1 << 20;

impl Buffer {
    /// Read a file as the type it declares (`<u2` gives `i16`, `<i8` gives `i64`)
    pub fn read_npy(path: &Path) -> Result<Buffer, BufferError> {
        read(path, None)
    }

    /// Read a file that must have this element type and shape
    pub fn read_npy_as(path: &Path, elem: ElemType, shape: &[u64]) -> Result<Buffer, BufferError> {
        read(path, Some((elem, shape)))
    }

    /// Write a file in one step: it has its old content until the new one is complete
    pub fn write_npy(&self, path: &Path) -> Result<(), BufferError> {
        write_whole(path, |file| self.write_to(file))
    }

    fn write_to(&self, mut file: File) -> io::Result<()> {
        file.write_all(&header(&format!("'{}'", self.elem().npy_descr()), self.shape()))?;
        if cfg!(target_endian = "little") {
            return file.write_all(self.bytes());
        }
        let mut bytes = self.bytes().to_vec();
        swap(&mut bytes, self.elem().size());
        file.write_all(&bytes)
    }
}

/// A new empty file in the folder of `path`
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file name"));
    };
    // `create_new` decides between writers of the same target; each takes the next free number.
    for n in 0..1000 {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{n}.tmp"));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many unfinished temporary files"))
}

/// Write a file in one step
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(File) -> io::Result<()>,
) -> Result<(), BufferError> {
    let (temporary, file) = create_beside(path).map_err(|e| io_error(path, &e))?;
    let written = write(file).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|e| {
        // Nothing can be done if this fails too; the error that counts is `e`.
        let _ = fs::remove_file(&temporary);
        io_error(path, &e)
    })
}

/// Everything before the data, padded so that the data starts at a multiple of 64
pub(crate) fn header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let mut dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (");
    for d in shape {
        dict.push_str(&format!("{d}, "));
    }
    // Python wants the comma in `(3,)`; after the last of several a comma is allowed too.
    dict.push_str("), }");
    let wide = dict.len() > 60_000;
    let prefix = if wide { 12 } else { 10 };
    let padding = (prefix + dict.len() + 1).next_multiple_of(64) - (prefix + dict.len() + 1);
    dict.push_str(&" ".repeat(padding));
    dict.push('\n');

    let mut out = MAGIC.to_vec();
    if wide {
        out.extend([2, 0]);
        out.extend((dict.len() as u32).to_le_bytes());
    } else {
        out.extend([1, 0]);
        out.extend((dict.len() as u16).to_le_bytes());
    }
    out.extend(dict.as_bytes());
    out
}

fn read(path: &Path, expected: Option<(ElemType, &[u64])>) -> Result<Buffer, BufferError> {
    let name = path.display().to_string();
    let bad = |reason: String| BufferError::Format { file: name.clone(), reason };
    let malformed = |error: HeaderError| bad(error.to_string());
    let file = File::open(path).map_err(|e| io_error(path, &e))?;
    let length = file.metadata().map_err(|e| io_error(path, &e))?.len();
    let mut file = BufReader::new(file);

    let (text, start) = read_header(&mut file).map_err(malformed)?;
    let header = Header::parse(&text).map_err(malformed)?;
    if !header.fields.is_empty() {
        return Err(bad("arrays of records are not supported where numbers are wanted".into()));
    }
    let elem = header.elem(expected.map(|(elem, _)| elem)).map_err(|found| match (found, expected) {
        (Unfit::Other, Some((expected, _))) => {
            BufferError::Type { from: name.clone(), found: format!("'{}'", header.descr), expected }
        }
        _ => bad(format!("no element type of ours is like '{}'", header.descr)),
    })?;
    if let Some((_, shape)) = expected
        && shape != header.shape
    {
        return Err(BufferError::Shape { from: name, found: header.shape, expected: shape.to_vec() });
    }

    let needed = count(&header.shape).and_then(|n| n.checked_mul(elem.size() as u64));
    let held = length.saturating_sub(start);
    if needed != Some(held) {
        let dims = Dims(&header.shape);
        return Err(bad(match needed {
            Some(n) => format!("{n} bytes of data are needed for the shape {dims}, but it holds {held}"),
            None => format!("the shape {dims} has too many elements"),
        }));
    }
    let mut buffer = Buffer::zeros(elem, &header.shape)?;
    file.read_exact(buffer.bytes_mut()).map_err(|e| io_error(path, &e))?;
    if header.big_endian != cfg!(target_endian = "big") {
        swap(buffer.bytes_mut(), elem.size());
    }
    if elem == ElemType::I1 {
        check_truth_values(buffer.bytes()).map_err(|e| bad(e.to_string()))?;
    }
    if header.fortran { to_row_major(&buffer) } else { Ok(buffer) }
}

/// The header's text and the offset of the data
pub(crate) fn read_header(file: &mut impl Read) -> Result<(String, u64), HeaderError> {
    let mut start = [0; 8];
    file.read_exact(&mut start).map_err(|_| HeaderError::Short)?;
    if start[..6] != *MAGIC {
        return Err(HeaderError::Magic);
    }
    let short = |_| HeaderError::Cut;
    let (length, prefix) = match start[6] {
        1 => {
            let mut length = [0; 2];
            file.read_exact(&mut length).map_err(short)?;
            (u16::from_le_bytes(length) as usize, 10)
        }
        2 | 3 => {
            let mut length = [0; 4];
            file.read_exact(&mut length).map_err(short)?;
            (u32::from_le_bytes(length) as usize, 12)
        }
        version => return Err(HeaderError::Version(version)),
    };
    if length > MAX_HEADER {
        return Err(HeaderError::Length(length));
    }
    let mut text = vec![0; length];
    file.read_exact(&mut text).map_err(short)?;
    let text = String::from_utf8(text).map_err(|_| HeaderError::NotText)?;
    Ok((text, prefix + length as u64))
}

/// What a header says
#[derive(Debug)]
pub(crate) struct Header {
    /// Type string as written
    pub(crate) descr: String,
    /// Fields of records: names and type strings; none of numbers
    pub(crate) fields: Vec<(String, String)>,
    big_endian: bool,
    pub(crate) fortran: bool,
    pub(crate) shape: Vec<u64>,
}

/// Why a file's type is not taken
enum Unfit {
    /// A type of NumPy's that we have, but not the expected one
    Other,
    /// A type that we do not have
    Unknown,
}

impl Header {
    pub(crate) fn parse(text: &str) -> Result<Header, HeaderError> {
        let mut scan = Scan { rest: text };
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        let mut fields = Vec::new();
        scan.expect("{")?;
        while !scan.eat("}") {
            let key = scan.string()?;
            scan.expect(":")?;
            match key {
                "descr" if scan.eat("[") => {
                    fields = scan.fields()?;
                    descr = Some(String::new());
                }
                "descr" => descr = Some(scan.string()?.to_string()),
                "fortran_order" if scan.eat("True") => fortran = Some(true),
                "fortran_order" => {
                    scan.expect("False")?;
                    fortran = Some(false);
                }
                "shape" => shape = Some(scan.tuple()?),
                _ => return Err(HeaderError::UnknownKey(key.to_string())),
            }
            if !scan.eat(",") {
                scan.expect("}")?;
                break;
            }
        }
        if !scan.rest.trim().is_empty() {
            return Err(HeaderError::Trailing);
        }
        let descr = descr.ok_or(HeaderError::NoKey("descr"))?;
        Ok(Header {
            big_endian: match descr.as_bytes().first() {
                Some(b'>') => true,
                // `=` is the writer's own order, which the file does not tell; ours is the best guess.
                Some(b'=') => cfg!(target_endian = "big"),
                Some(b'|') => cfg!(target_endian = "big"),
                _ => false,
            },
            descr,
            fields,
            fortran: fortran.ok_or(HeaderError::NoKey("fortran_order"))?,
            shape: shape.ok_or(HeaderError::NoKey("shape"))?,
        })
    }

    /// The element type, taking into account which one is hoped for
    fn elem(&self, expected: Option<ElemType>) -> Result<ElemType, Unfit> {
        let readings = readings(&self.descr);
        match expected {
            Some(elem) if readings.contains(&elem) => Ok(elem),
            Some(_) => Err(Unfit::Other),
            None => readings.first().copied().ok_or(Unfit::Unknown),
        }
    }
}

/// The element types that a type string may mean
pub(crate) fn readings(descr: &str) -> &'static [ElemType] {
    use ElemType::*;
    match descr.trim_start_matches(['<', '>', '|', '=']) {
        "b1" => &[I1],
        "i1" | "u1" => &[I8],
        "i2" => &[I16],
        "u2" => &[I16, BF16],
        "V2" => &[BF16],
        "i4" | "u4" => &[I32],
        "i8" | "u8" => &[I64, Index],
        "f2" => &[F16],
        "f4" => &[F32],
        "f8" => &[F64],
        _ => &[],
    }
}

/// Reads the few Python literals that occur in a header
struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &'static str) -> Result<(), HeaderError> {
        if self.eat(token) { Ok(()) } else { Err(HeaderError::Token(token)) }
    }

    fn string(&mut self) -> Result<&'a str, HeaderError> {
        let quote = if self.eat("'") {
            '\''
        } else if self.eat("\"") {
            '"'
        } else {
            return Err(HeaderError::NoString);
        };
        let (word, rest) = self.rest.split_once(quote).ok_or(HeaderError::OpenString)?;
        self.rest = rest;
        Ok(word)
    }

    /// Fields of a record behind `[`: names and types
    fn fields(&mut self) -> Result<Vec<(String, String)>, HeaderError> {
        let mut all = Vec::new();
        while !self.eat("]") {
            self.expect("(")?;
            let name = self.string()?.to_string();
            self.expect(",")?;
            if self.eat("[") {
                return Err(HeaderError::Nested(name));
            }
            let ty = self.string()?.to_string();
            self.eat(",");
            if !self.eat(")") {
                return Err(HeaderError::ArrayField(name));
            }
            all.push((name, ty));
            if !self.eat(",") {
                self.expect("]")?;
                break;
            }
        }
        match all.is_empty() {
            true => Err(HeaderError::NoFields),
            false => Ok(all),
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, HeaderError> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.eat(")") {
            let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (number, rest) = self.rest.split_at(digits);
            shape.push(number.parse().map_err(|_| HeaderError::Extent(number.to_string()))?);
            // Python 2 marked long integers.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

/// Reverse the bytes of each element
fn swap(bytes: &mut [u8], size: usize) {
    for element in bytes.chunks_exact_mut(size) {
        element.reverse();
    }
}

/// The same array in row-major order, where `buffer` holds it in column-major order
fn to_row_major(buffer: &Buffer) -> Result<Buffer, BufferError> {
    let mut out = Buffer::zeros(buffer.elem(), buffer.shape())?;
    let size = buffer.elem().size();
    let strides = row_major_strides(buffer.shape());
    let mut index = vec![0u64; strides.len()];
    for element in buffer.bytes().chunks_exact(size) {
        let at: u64 = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        let at = at as usize * size;
        out.bytes_mut()[at..at + size].copy_from_slice(element);
        // Column-major: the first index runs fastest.
        for (i, &extent) in index.iter_mut().zip(buffer.shape()) {
            *i += 1;
            if *i < extent {
                break;
            }
            *i = 0;
        }
    }
    Ok(out)
}

pub(crate) fn io_error(path: &Path, error: &io::Error) -> BufferError {
    BufferError::Io { file: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn parse(text: &str) -> Result<Header, HeaderError> {
        Header::parse(text)
    }

    #[test]
    fn headers_of_numpy_are_read() {
        let h =
            parse("{'descr': '>f4', 'fortran_order': True, 'shape': (3, 4L), }   \n").expect("well formed");
        assert_eq!((h.big_endian, h.fortran, h.shape), (true, true, vec![3, 4]));
        let h = parse("{\"shape\": (), 'fortran_order': False, 'descr': '|i1'}").expect("well formed");
        assert!(h.shape.is_empty());
        assert_eq!(parse("{'descr': '<i2', 'fortran_order': False, 'shape': (7,)}").expect("ok").shape, [7]);
    }

    #[test]
    fn broken_headers_are_refused() {
        let full = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
        for cut in 0..full.len() {
            assert!(parse(&full[..cut]).is_err(), "cut at {cut}");
        }
        assert!(parse("{'descr': [('a', '<f4', (2,))], 'fortran_order': False, 'shape': ()}").is_err());
        assert!(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}").is_err());
        assert!(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}").is_err());
    }

    #[test]
    fn data_starts_at_a_multiple_of_64() {
        for rank in 0..40 {
            let shape = vec![1234; rank];
            let bytes = header("'<f4'", &shape);
            assert_eq!(bytes.len() % 64, 0);
            let (text, start) = read_header(&mut &bytes[..]).expect("own header");
            assert_eq!(start, bytes.len() as u64);
            assert_eq!(parse(&text).expect("own header").shape, shape);
        }
    }

    #[test]
    fn long_headers_take_version_2() {
        let shape = vec![1; 30_000];
        let bytes = header("'<f4'", &shape);
        assert_eq!(bytes[6], 2);
        let (text, _) = read_header(&mut &bytes[..]).expect("own header");
        assert_eq!(parse(&text).expect("own header").shape.len(), 30_000);
    }
}
