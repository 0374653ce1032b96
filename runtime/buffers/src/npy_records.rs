//! `.npy` files of records, NumPy's structured arrays: one field at a time
//!
//! Fields are numbers; padding lies between them as the writer has it (NumPy's `align=True` has it as C does). Only files in C
//! order and of little-endian numbers are read. Written files name each gap as NumPy does: `('', '|V4')`.

use crate::buffer::{Buffer, check_truth_values, count};
use crate::error::BufferError;
use crate::npy::{Header, header, io_error, read_header, readings, write_whole};
use crate::npy_error::HeaderError;
use crate::{ElemType, error::Dims};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

/// A field to be written
#[derive(Clone, Copy, Debug)]
pub struct RecordField<'a> {
    /// Its name
    pub name: &'a str,
    /// Its first byte in a record
    pub place: usize,
    /// One number for each record
    pub buffer: &'a Buffer,
}

impl Buffer {
    /// Read one field of all records
    pub fn read_npy_field(path: &Path, field: &str, elem: ElemType) -> Result<Buffer, BufferError> {
        let name = path.display().to_string();
        let bad = |reason: String| BufferError::Format { file: name.clone(), reason };
        let file = File::open(path).map_err(|e| io_error(path, &e))?;
        let length = file.metadata().map_err(|e| io_error(path, &e))?.len();
        let mut file = BufReader::new(file);
        let malformed = |error: HeaderError| bad(error.to_string());
        let (text, start) = read_header(&mut file).map_err(malformed)?;
        let header = Header::parse(&text).map_err(malformed)?;
        if header.fields.is_empty() {
            return Err(bad(format!("it holds numbers ('{}'), not records", header.descr)));
        }
        if header.fortran {
            return Err(bad("records are read in C order only".into()));
        }
        let mut found = None;
        let mut whole = 0usize;
        for (other, descr) in &header.fields {
            let size =
                width(descr).ok_or_else(|| bad(format!("its field '{other}' is no number: '{descr}'")))?;
            if other == field {
                found = Some((whole, descr));
            }
            whole = whole.checked_add(size).ok_or_else(|| bad("its records are too large".into()))?;
        }
        let Some((place, descr)) = found else {
            let names: Vec<&str> =
                header.fields.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect();
            return Err(bad(format!("it has no field '{field}', but {}", names.join(", "))));
        };
        if !readings(descr).contains(&elem) {
            return Err(BufferError::Type {
                from: name,
                found: format!("'{descr}' for field '{field}'"),
                expected: elem,
            });
        }
        if descr.starts_with('>') {
            return Err(bad(format!("its field '{field}' is big-endian")));
        }
        let records = count(&header.shape);
        if records.and_then(|n| n.checked_mul(whole as u64)) != Some(length.saturating_sub(start)) {
            return Err(bad(format!("its data are not {} records of {whole} bytes", Dims(&header.shape))));
        }
        let mut buffer = Buffer::zeros(elem, &header.shape)?;
        let size = elem.size();
        let mut record = vec![0; whole];
        for to in buffer.bytes_mut().chunks_exact_mut(size) {
            file.read_exact(&mut record).map_err(|e| io_error(path, &e))?;
            to.copy_from_slice(&record[place..place + size]);
            if cfg!(target_endian = "big") {
                to.reverse();
            }
        }
        if elem == ElemType::I1 {
            check_truth_values(buffer.bytes()).map_err(|e| bad(e.to_string()))?;
        }
        Ok(buffer)
    }

    /// Write fields, in the order of their places, as records of so many bytes; gaps are zeros
    pub fn write_npy_records(
        path: &Path,
        fields: &[RecordField<'_>],
        bytes: usize,
    ) -> Result<(), BufferError> {
        let name = path.display().to_string();
        let bad = |reason: &str| BufferError::Format { file: name.clone(), reason: reason.into() };
        let shape = fields.first().map(|field| field.buffer.shape().to_vec());
        let shape = shape.ok_or_else(|| bad("records have fields"))?;
        let mut descr = String::from("[");
        let mut at = 0;
        let gap = |descr: &mut String, size: usize| descr.push_str(&format!("('', '|V{size}'), "));
        for field in fields {
            let end = field.place + field.buffer.elem().size();
            if field.place < at || end > bytes || field.buffer.shape() != shape {
                return Err(bad("fields lie behind each other, one number for each record"));
            }
            if field.place > at {
                gap(&mut descr, field.place - at);
            }
            descr.push_str(&format!("('{}', '{}'), ", field.name, field.buffer.elem().npy_descr()));
            at = end;
        }
        if bytes > at {
            gap(&mut descr, bytes - at);
        }
        descr.push(']');
        let mut data = vec![0; fields[0].buffer.len().saturating_mul(bytes)];
        for field in fields {
            let size = field.buffer.elem().size();
            for (record, from) in data.chunks_exact_mut(bytes).zip(field.buffer.bytes().chunks_exact(size)) {
                let to = &mut record[field.place..field.place + size];
                to.copy_from_slice(from);
                if cfg!(target_endian = "big") {
                    to.reverse();
                }
            }
        }
        write_whole(path, |mut file| {
            file.write_all(&header(&descr, &shape))?;
            file.write_all(&data)
        })
    }
}

/// Bytes of a type string
fn width(descr: &str) -> Option<usize> {
    let kind = descr.trim_start_matches(['<', '>', '|', '=']);
    let (letter, digits) = kind.split_at_checked(1)?;
    let size: usize = digits.parse().ok()?;
    ["b", "i", "u", "f", "c", "V", "S"].contains(&letter).then_some(size).filter(|size| *size < 1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let id = Buffer::iota(ElemType::I16, &[3]).expect("small");
        let w = Buffer::iota(ElemType::F64, &[3]).expect("small");
        let path = std::env::temp_dir().join(format!("terrace-records-{}.npy", std::process::id()));
        let fields = [
            RecordField { name: "id", place: 0, buffer: &id },
            RecordField { name: "w", place: 8, buffer: &w },
        ];
        Buffer::write_npy_records(&path, &fields, 24).expect("it can be written");
        let text = std::fs::read(&path).expect("it is there");
        let wanted = "[('id', '<i2'), ('', '|V6'), ('w', '<f8'), ('', '|V8'), ]";
        assert!(String::from_utf8_lossy(&text).contains(wanted));
        assert_eq!(
            Buffer::read_npy_field(&path, "w", ElemType::F64).expect("it is there").bytes(),
            w.bytes()
        );
        assert_eq!(
            Buffer::read_npy_field(&path, "id", ElemType::I16).expect("it is there").bytes(),
            id.bytes()
        );
        let wrong = Buffer::read_npy_field(&path, "v", ElemType::F64).expect_err("there is none");
        assert!(wrong.to_string().contains("it has no field 'v', but id, w"));
        assert!(Buffer::read_npy_field(&path, "w", ElemType::F32).is_err());
        let _ = std::fs::remove_file(&path);
    }
}
