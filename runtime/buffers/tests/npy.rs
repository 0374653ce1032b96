//! `.npy` files on disk: round trips, foreign orders, refusals, atomic writing

use std::fs;
use std::path::PathBuf;
use terrace_runtime_buffers::{Buffer, ElemType, Value};

/// A folder of this test's own, empty at first
fn folder(test: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("the target folder can be written");
    dir
}

/// A version 1.0 file with this header and data
fn file(test: &str, dict: &str, data: &[u8]) -> PathBuf {
    let path = folder(test).join("x.npy");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((dict.len() as u16).to_le_bytes());
    bytes.extend(dict.as_bytes());
    bytes.extend(data);
    fs::write(&path, bytes).expect("the target folder can be written");
    path
}

fn ints(buffer: &Buffer) -> Vec<i64> {
    (0..buffer.len())
        .map(|i| match buffer.get(i) {
            Some(Value::Int(v)) => v,
            other => panic!("not an integer: {other:?}"),
        })
        .collect()
}

#[test]
fn every_type_survives() {
    let dir = folder("every_type_survives");
    for elem in ElemType::ALL {
        for shape in [&[][..], &[0], &[7], &[2, 3, 4]] {
            let path = dir.join("x.npy");
            let buffer = Buffer::random(elem, shape, 5).expect("small");
            buffer.write_npy(&path).expect("written");
            let back = Buffer::read_npy_as(&path, elem, shape).expect("read");
            assert_eq!(back.bytes(), buffer.bytes(), "{elem}");
            assert_eq!(back.shape(), shape);
        }
    }
}

#[test]
fn fortran_order_is_converted() {
    let dict = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let path = file("fortran_order_is_converted", dict, &[1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]);
    assert_eq!(ints(&Buffer::read_npy(&path).expect("read")), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn big_endian_is_converted() {
    let dict = "{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n";
    let path = file("big_endian_is_converted", dict, &[0, 0, 1, 0, 255, 255, 255, 255]);
    assert_eq!(ints(&Buffer::read_npy(&path).expect("read")), [256, -1]);
}

#[test]
fn sixteen_bit_words_are_bf16_only_on_request() {
    let dict = "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n";
    let path = file("sixteen_bit_words_are_bf16_only_on_request", dict, &[0x80, 0x3F]);
    assert_eq!(Buffer::read_npy(&path).expect("read").elem(), ElemType::I16);
    let bf16 = Buffer::read_npy_as(&path, ElemType::BF16, &[1]).expect("read");
    assert_eq!(bf16.get(0), Some(Value::Float(1.0)));
}

#[test]
fn other_type_or_shape_names_both_sides() {
    let path = folder("other_type_or_shape_names_both_sides").join("x.npy");
    Buffer::zeros(ElemType::F32, &[2, 3]).expect("small").write_npy(&path).expect("written");
    let e = Buffer::read_npy_as(&path, ElemType::F32, &[3, 2]).expect_err("shape").to_string();
    assert!(e.ends_with("x.npy has shape [2, 3], but [3, 2] is expected"), "{e}");
    let e = Buffer::read_npy_as(&path, ElemType::I32, &[2, 3]).expect_err("type").to_string();
    assert!(e.ends_with("x.npy holds elements of type '<f4', but i32 is expected"), "{e}");
}

#[test]
fn length_must_match_the_header() {
    let dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }\n";
    let path = file("length_must_match_the_header", dict, &[0; 16]);
    let e = Buffer::read_npy(&path).expect_err("too short").to_string();
    let end = "8000000000000 bytes of data are needed for the shape [1000000000000], but it holds 16";
    assert!(e.ends_with(end), "{e}");
    let dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n";
    let path = file("length_must_match_the_header", dict, &[0; 16]);
    assert!(Buffer::read_npy(&path).is_err());
}

#[test]
fn truth_values_beyond_one_are_refused() {
    let dict = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }\n";
    let path = file("truth_values_beyond_one_are_refused", dict, &[1, 7]);
    let e = Buffer::read_npy(&path).expect_err("7 is no truth value").to_string();
    assert!(e.contains("the value 7 does not fit in i1"), "{e}");
}

#[test]
fn unknown_types_and_files_are_refused() {
    let dict = "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n";
    let path = file("unknown_types_and_files_are_refused", dict, &[0; 8]);
    assert!(Buffer::read_npy(&path).expect_err("complex").to_string().contains("'<c8'"));
    fs::write(&path, b"PK\x03\x04 something else").expect("written");
    assert!(Buffer::read_npy(&path).expect_err("no .npy file").to_string().contains("does not start"));
    fs::remove_file(&path).expect("it is there");
    assert!(Buffer::read_npy(&path).is_err());
}

#[test]
fn every_truncation_is_an_error() {
    let path = folder("every_truncation_is_an_error").join("x.npy");
    Buffer::iota(ElemType::I16, &[3]).expect("small").write_npy(&path).expect("written");
    let whole = fs::read(&path).expect("it is there");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).expect("written");
        assert!(Buffer::read_npy(&path).is_err(), "cut at {cut}");
    }
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let dir = folder("a_failed_write_leaves_nothing_behind");
    let target = dir.join("x.npy");
    // A folder in the target's place makes the final rename fail.
    fs::create_dir(&target).expect("written");
    fs::write(target.join("inside"), b"").expect("written");
    assert!(Buffer::iota(ElemType::I8, &[4]).expect("small").write_npy(&target).is_err());
    let left: Vec<_> = fs::read_dir(&dir).expect("it is there").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["x.npy"]);
}

#[test]
fn leftovers_of_a_crash_do_not_stand_in_the_way() {
    let dir = folder("leftovers_of_a_crash_do_not_stand_in_the_way");
    fs::write(dir.join(".x.npy.0.tmp"), b"half").expect("written");
    let target = dir.join("x.npy");
    Buffer::iota(ElemType::I8, &[4]).expect("small").write_npy(&target).expect("written");
    assert_eq!(ints(&Buffer::read_npy(&target).expect("read")), [0, 1, 2, 3]);
}
