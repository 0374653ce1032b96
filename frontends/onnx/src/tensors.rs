//! Tensors of the file: their bytes, in whichever of its fields they are, or in another file of its folder.

use crate::codes;
use crate::literal::Literal;
use crate::proto::TensorProto;
use crate::types::Elem;
use crate::wrong::{Done, Place, Wrong};
use bytes::Bytes;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use terrace_frontend_graph::elements;

/// Where data of other files are looked for; nowhere if the model is no file
pub(crate) type Folder<'a> = Option<&'a Path>;

/// `data_location` of data in another file
const EXTERNAL: i32 = 1;

/// The tensor, with all its elements
pub(crate) fn literal(tensor: &TensorProto, folder: Folder<'_>, at: Place) -> Done<Literal> {
    let name = tensor.name();
    let wrong = |message: String| Wrong::new(&codes::DATA, format!("tensor `{name}`: {message}")).at(at);
    let elem = Elem::of(tensor.data_type())
        .map_err(|name| wrong(format!("elements of type {name} have no form here")))?;
    let shape = tensor.dims.clone();
    if shape.iter().any(|size| *size < 0) {
        return Err(wrong(format!("its shape is {shape:?}, and sizes are 0 or more")));
    }
    if tensor.segment.is_some() {
        return Err(wrong("it is a segment of a tensor, which has no form here".into()));
    }
    let count =
        elements(&shape).ok_or_else(|| wrong(format!("its shape {shape:?} has too many elements")))?;
    let need = count as u64 * elem.bytes() as u64;
    let data = match tensor.data_location() as i32 == EXTERNAL {
        true => external(tensor, folder, need).map_err(|wrong| wrong.at(at))?,
        false => inline(tensor, elem).map_err(wrong)?,
    };
    if data.len() as u64 != need {
        let have = data.len() / elem.bytes();
        let found = match data.len() % elem.bytes() {
            0 => format!("{have} elements"),
            _ => format!("{} bytes", data.len()),
        };
        return Err(wrong(format!(
            "its data are {found}, and its shape {shape:?} of {} needs {count}",
            elem.name()
        )));
    }
    if elem == Elem::BOOL && data.iter().any(|byte| *byte > 1) {
        return Err(wrong("truth values are 0 and 1".into()));
    }
    Ok(Literal { name: name.into(), elem, shape, data })
}

/// Data in the file itself, or what is wrong with them
fn inline(tensor: &TensorProto, elem: Elem) -> Result<Bytes, String> {
    let fields = [
        !tensor.float_data.is_empty(),
        !tensor.int32_data.is_empty(),
        !tensor.int64_data.is_empty(),
        !tensor.double_data.is_empty(),
        !tensor.uint64_data.is_empty(),
        !tensor.string_data.is_empty(),
    ];
    if let Some(raw) = tensor.raw_data.as_ref().filter(|_| fields.iter().all(|field| !field)) {
        return Ok(raw.clone());
    }
    // Numbers of the types, which `Elem` has in its table.
    let own = match elem.number() {
        1 => 0,
        2..=6 | 9 | 10 | 16 => 1,
        7 => 2,
        11 => 3,
        _ => 4,
    };
    if tensor.raw_data.is_some() {
        return Err("it has raw data, and numbers in another field too".into());
    }
    if fields.iter().enumerate().any(|(n, there)| *there && n != own) {
        return Err(format!("its numbers are in a field that {} does not use", elem.name()));
    }
    let width = elem.bytes();
    // Halves are there as their bits.
    let range = match elem.number() {
        2 => 0..=0xff,
        3 => -0x80..=0x7f,
        4 | 10 | 16 => 0..=0xffff,
        5 => -0x8000..=0x7fff,
        9 => 0..=1,
        _ => i32::MIN..=i32::MAX,
    };
    let beyond = |number: &dyn std::fmt::Display| Err(format!("its number {number} is no {}", elem.name()));
    if let Some(number) = tensor.int32_data.iter().find(|number| !range.contains(number)) {
        return beyond(number);
    }
    if let Some(number) = tensor.uint64_data.iter().find(|number| width == 4 && **number > u32::MAX.into()) {
        return beyond(number);
    }
    let narrow = |number: &i32| number.to_le_bytes()[..width].to_vec();
    let data: Vec<u8> = match own {
        0 => tensor.float_data.iter().flat_map(|number| number.to_le_bytes()).collect(),
        1 => tensor.int32_data.iter().flat_map(narrow).collect(),
        2 => tensor.int64_data.iter().flat_map(|number| number.to_le_bytes()).collect(),
        3 => tensor.double_data.iter().flat_map(|number| number.to_le_bytes()).collect(),
        _ => {
            let narrow = |number: &u64| number.to_le_bytes()[..width].to_vec();
            tensor.uint64_data.iter().flat_map(narrow).collect()
        }
    };
    Ok(data.into())
}

/// Data in another file of the folder
fn external(tensor: &TensorProto, folder: Folder<'_>, need: u64) -> Done<Bytes> {
    let name = tensor.name();
    let wrong = |message: String| Wrong::new(&codes::EXTERNAL, format!("tensor `{name}`: {message}"));
    let entry = |key: &str| {
        let found = tensor.external_data.iter().find(|entry| entry.key() == key);
        found.map(|entry| entry.value())
    };
    let number = |key: &str| match entry(key) {
        None => Ok(None),
        Some(text) => {
            text.parse::<u64>().map(Some).map_err(|_| wrong(format!("`{key}` is `{text}`, not a number")))
        }
    };
    let location = entry("location").ok_or_else(|| wrong("its data are in a file without a name".into()))?;
    let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
    let folder = folder
        .ok_or_else(|| wrong(format!("its data are in `{location}`, and the model is in no folder")))?;
    let path = inside(folder, location).ok_or_else(|| {
        wrong(format!("its data are in `{location}`, which is not inside of the model's folder"))
    })?;
    let failed = |error: std::io::Error| wrong(format!("cannot read `{location}`: {error}"));
    // Before it is opened: that of a pipe waits for a writer.
    let about = std::fs::metadata(&path).map_err(failed)?;
    if !about.is_file() {
        return Err(wrong(format!("`{location}` is no regular file")));
    }
    let length = length.unwrap_or(about.len().saturating_sub(offset));
    if length != need {
        return Err(wrong(format!("it has {length} bytes in `{location}`, and its shape needs {need}")));
    }
    if offset.checked_add(length).is_none_or(|end| end > about.len()) {
        let have = about.len();
        return Err(wrong(format!(
            "`{location}` has {have} bytes, and its data are {length} from byte {offset} on"
        )));
    }
    let mut file = File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut data = Vec::new();
    file.take(length).read_to_end(&mut data).map_err(failed)?;
    Ok(data.into())
}

/// A file below a folder; nothing if it is elsewhere, also by a link
fn inside(folder: &Path, location: &str) -> Option<PathBuf> {
    let location = Path::new(location);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !location.components().all(plain) {
        return None;
    }
    let path = folder.join(location);
    // What is not there has no links; it is reported where it is opened.
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(real), Ok(folder)) => real.starts_with(folder).then_some(path),
        _ => Some(path),
    }
}
