//! No bytes make the reader panic: models that are cut off, with bits flipped, and with parts exchanged.

use crate::models::{files, read};
use terrace_support::Random;

fn changed(source: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = source.to_vec();
    for _ in 0..1 + random.below(2) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = random.below(bytes.len());
        // Lengths stand in front of what they are of, so most of what moves bytes is refused at once.
        match random.below(12) {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, random.below(256) as u8),
            3 => {
                let other = random.below(bytes.len());
                bytes.swap(at, other);
            }
            4 | 5 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
    bytes
}

#[test]
fn changed_models() {
    let mut random = Random::new(1);
    let (mut kept, mut refused) = (0, 0);
    for path in files("cases") {
        let source = std::fs::read(&path).expect("the file is there");
        for _ in 0..60 {
            let (done, _) = read("changed.onnx", changed(&source, &mut random), &[]);
            *(if done { &mut kept } else { &mut refused }) += 1;
        }
    }
    // Neither all nothing nor all nonsense.
    assert!(kept > 500 && refused > 3000, "{kept} read, {refused} refused");
}

#[test]
fn no_bytes_and_other_files() {
    for bytes in [&b""[..], b"\n", b"module {}", &[0xff; 100], &[0x0a; 100_000]] {
        let (done, said) = read("other.onnx", bytes.to_vec(), &[]);
        assert!(!done && said.contains("[E0860]"), "{said}");
    }
}

#[test]
fn deep_models_have_an_end() {
    // Field 6 of an attribute is a graph, field 1 of that a node, field 5 of that an attribute.
    let mut inner = Vec::new();
    for _ in 0..2000 {
        for field in [6u8, 5, 1] {
            let mut outer = vec![field << 3 | 2];
            let mut len = inner.len();
            while len >= 0x80 {
                outer.push(len as u8 | 0x80);
                len >>= 7;
            }
            outer.push(len as u8);
            outer.append(&mut inner);
            inner = outer;
        }
    }
    let mut model = vec![7 << 3 | 2];
    let mut len = inner.len();
    while len >= 0x80 {
        model.push(len as u8 | 0x80);
        len >>= 7;
    }
    model.push(len as u8);
    model.append(&mut inner);
    let (done, said) = read("deep.onnx", model, &[]);
    assert!(!done && said.contains("[E0860]"), "{said}");
}
