//! Damaged bytecode is refused with a message, or read as something else; nothing panics.

use crate::common::{context, generic, parse, parts, written};
use terrace_bytecode::{ReadOptions, VERSION, read};
use terrace_diag::Diags;
use terrace_ir::verify::verify;
use terrace_support::random::Random;

#[test]
fn damaged_files_are_refused() {
    let mut random = Random::new(1);
    let (mut tried, mut read_all) = (0, 0);
    for (name, text) in parts().into_iter().step_by(5) {
        let cx = context();
        let Some(ir) = parse(&cx, &name, &text, true) else { continue };
        let bytes = written(&ir, VERSION);
        for _ in 0..40 {
            let damaged = damaged(&bytes, &mut random);
            let mut diags = Diags::default();
            let cx = context();
            tried += 1;
            match read(&cx, "damaged", &damaged, ReadOptions { allow_unregistered: true }, &mut diags) {
                None => assert!(diags.has_errors(), "{name}: refused without a message"),
                Some(again) => {
                    read_all += 1;
                    if !verify(&again, 1).has_errors() {
                        generic(&again, true);
                        written(&again, VERSION);
                    }
                }
            }
        }
    }
    assert!(tried > 2000 && read_all > 10, "{read_all} of {tried} were read");
}

fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3u32) {
        let at = random.below(bytes.len());
        match random.below(5u32) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] ^= 1 << random.below(8u32),
            2 => bytes[at] = random.below(256u32) as u8,
            3 => bytes.insert(at, random.below(256u32) as u8),
            _ => {
                let from = random.below(bytes.len());
                bytes[at] = bytes[from];
            }
        }
    }
    bytes
}

fn refused(bytes: &[u8], message: &str) {
    let cx = context();
    let mut diags = Diags::default();
    assert!(read(&cx, "x.mlirbc", bytes, ReadOptions::default(), &mut diags).is_none());
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(shown.contains(message), "{shown}");
}

#[test]
fn messages_say_what_is_wrong_and_where() {
    refused(b"", "`x.mlirbc`, byte 0: bytecode begins with `ML\\xefR`");
    refused(b"ML\xefR\x0f\0", "byte 4: bytecode of version 7, and versions up to 6 are read");
    refused(b"ML\xefR\x0dx", "byte 5: a text does not end");
    refused(b"ML\xefR\x0dx\0\x20", "byte 8: a byte is wanted, and none is left");
    refused(b"ML\xefR\x0dx\0\x20\x01", "byte 7: section 32 is not known");
    refused(b"ML\xefR\x0dx\0\0\x01\0\x01", "byte 9: the section of strings is there twice");
    refused(b"ML\xefR\x0dx\0", "byte 7: the section of strings is missing");
}

#[test]
fn unknown_ops_are_refused_unless_they_are_accepted() {
    let cx = context();
    let ir = parse(&cx, "x", "\"u.op\"() : () -> ()", true).expect("the text is right");
    refused(&written(&ir, VERSION), "unknown op `u.op`: the dialect `u` is not registered");
    let ir = parse(&cx, "x", "module attributes {a.b = #u.attr<1>} {}", true).expect("the text is right");
    refused(&written(&ir, VERSION), "`#u.attr<1>`: ");
}

#[test]
fn regions_may_nest_deeply() {
    let cx = context();
    let mut text = String::new();
    (0..2000).for_each(|_| text.push_str("\"u.op\"() ({"));
    (0..2000).for_each(|_| text.push_str("}) : () -> ()"));
    let ir = parse(&cx, "x", &text, true).expect("the text is right");
    let again = crate::common::read_again(&cx, "x", &written(&ir, VERSION));
    assert_eq!(generic(&again, false), generic(&ir, false));
}

#[test]
fn messages_about_ops_have_their_location() {
    let cx = context();
    let known = parse(&cx, "y", "func.func private @f()", false).expect("the text is right");
    let mut broken = read(&cx, "y", &written(&known, VERSION), ReadOptions::default(), &mut Diags::default())
        .expect("it was written");
    let function = broken.children_mut().next().expect("the function");
    let root = function.root();
    function.set_slot(root, 0, None);
    let shown = terrace_diag::render_all(verify(&broken, 1).iter(), cx.sources(), false);
    assert!(shown.contains("the op is at y:1:1"), "{shown}");
}
