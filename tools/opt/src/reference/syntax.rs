//! A format table as the text it was written as.

use terrace_ir::OpDef;
use terrace_ir::asm::{Anchor, Asm};

/// The declarative format of an op, in the words of upstream's formats
pub(super) fn of(def: &OpDef) -> String {
    list(def, def.asm, None)
}

fn list(def: &OpDef, pieces: &[Asm], anchor: Option<Anchor>) -> String {
    let words: Vec<String> = pieces.iter().map(|piece| self::piece(def, piece, anchor)).collect();
    words.join(" ")
}

fn piece(def: &OpDef, piece: &Asm, anchor: Option<Anchor>) -> String {
    let operand = |n: &u8| def.operands.get(usize::from(*n)).map_or("?", |spec| spec.name);
    let result = |n: &u8| def.results.get(usize::from(*n)).map_or("?", |spec| spec.name);
    let mark = |is: bool| if is { "^" } else { "" };
    match piece {
        Asm::Lit(word) => format!("`{word}`"),
        Asm::Operand(n) => format!("${}{}", operand(n), mark(anchor == Some(Anchor::Operand(*n)))),
        Asm::Attr(n) => {
            let name = def.attrs.get(usize::from(*n)).map_or("?", |spec| spec.name);
            format!("${name}{}", mark(anchor == Some(Anchor::Attr(*n))))
        }
        Asm::Region(n) => {
            let name = def.regions.get(usize::from(*n)).map_or("?", |spec| spec.name);
            format!("${name}{}", mark(anchor == Some(Anchor::Region(*n))))
        }
        Asm::Successor(n) => {
            let name = def.successors.get(usize::from(*n)).map_or("?", |spec| spec.name);
            format!("${name}{}", mark(anchor == Some(Anchor::Successor(*n))))
        }
        Asm::OperandType(n) | Asm::OperandParams(n, _) => format!("type(${})", operand(n)),
        Asm::ResultType(n) | Asm::ResultParams(n, _) => {
            format!("type(${}){}", result(n), mark(anchor == Some(Anchor::Result(*n))))
        }
        Asm::Operands => "operands".into(),
        Asm::OperandTypes => "type(operands)".into(),
        Asm::ResultTypes => "type(results)".into(),
        Asm::FunctionalType => "functional-type(operands, results)".into(),
        Asm::AttrDict => "attr-dict".into(),
        Asm::AttrDictWithKeyword => "attr-dict-with-keyword".into(),
        Asm::Optional { anchor, then, otherwise } => {
            let then = list(def, then, Some(*anchor));
            match otherwise.is_empty() {
                true => format!("({then})?"),
                false => format!("({then}) : ({})?", list(def, otherwise, None)),
            }
        }
        Asm::Space("") => "``".into(),
        Asm::Space("\n") => "`\\n`".into(),
        Asm::Space(_) => "` `".into(),
    }
}
