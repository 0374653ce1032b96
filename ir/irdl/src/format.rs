//! Declarative formats of ops that are loaded: the pieces, and whether they say all that there is to know.

use crate::description::{Form, Op, Relation, Value};
use crate::made::{Made, leak_str};
use terrace_asm_format::{FieldRef, Piece, contains};
use terrace_ir::Arity;
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::TypeDef;

/// Fields that formats can name: the parser's tables have so many places
const FIELDS: usize = 16;

/// The pieces of a format, or why the op is read in generic form only
pub fn pieces(text: &str, op: &Op, made: &Made) -> Result<Vec<Asm>, String> {
    for word in ["custom<", "oilist", "prop-dict", "ref("] {
        if text.contains(word) {
            return Err(format!(
                "the format has `{}`, which needs C++ code",
                word.trim_end_matches(['<', '('])
            ));
        }
    }
    if op.operands.len() > FIELDS || op.results.len() > FIELDS || op.attrs.len() > 64 {
        return Err("there are too many fields for a declarative format".to_string());
    }
    let pieces = terrace_asm_format::parse(text, op).map_err(|error| error.message)?;
    complete(&pieces, op)?;
    let mut asm = Vec::new();
    pieces.iter().try_for_each(|one| piece(one, op, made, &mut asm))?;
    Ok(asm)
}

fn piece(piece: &Piece, op: &Op, definitions: &Made, asm: &mut Vec<Asm>) -> Result<(), String> {
    let owner = |name: &Option<String>| -> Option<&'static TypeDef> {
        let name = name.as_deref()?;
        definitions
            .types
            .iter()
            .copied()
            .find(|def| def.name.split_once('.').is_some_and(|(_, own)| own == name))
    };
    let made = match piece {
        Piece::Lit(text) => Asm::Lit(leak_str(text)),
        Piece::Space(text) => Asm::Space(text),
        Piece::Operand(n) => Asm::Operand(*n as u8),
        Piece::Attr(n) => {
            // Flags have their brackets from the printer.
            let angle = matches!(op.attrs[*n].form, Form::Enum(def, true) if !def.flags);
            if angle {
                asm.extend([Asm::Lit("<"), Asm::Attr(*n as u8), Asm::Lit(">")]);
                return Ok(());
            }
            // Such an enumeration prints a blank of its own in upstream; formats take away the other one.
            if matches!(op.attrs[*n].form, Form::Enum(def, false) if !def.flags) {
                asm.pop_if(|last| matches!(last, Asm::Space("")));
            }
            Asm::Attr(*n as u8)
        }
        Piece::Region(n) => Asm::Region(*n as u8),
        Piece::Successor(n) => Asm::Successor(*n as u8),
        Piece::OperandType(n) => match owner(&op.operands[*n].of) {
            Some(def) if op.operands[*n].arity == Arity::One => Asm::OperandParams(*n as u8, def),
            _ => Asm::OperandType(*n as u8),
        },
        Piece::ResultType(n) => match owner(&op.results[*n].of) {
            Some(def) if op.results[*n].arity == Arity::One => Asm::ResultParams(*n as u8, def),
            _ => Asm::ResultType(*n as u8),
        },
        Piece::Qualified(inner) => match **inner {
            Piece::OperandType(n) => Asm::OperandType(n as u8),
            Piece::ResultType(n) => Asm::ResultType(n as u8),
            _ => return Err("`qualified` of an attribute".to_string()),
        },
        Piece::Operands => Asm::Operands,
        Piece::OperandTypes => Asm::OperandTypes,
        Piece::ResultTypes => Asm::ResultTypes,
        Piece::FunctionalType => Asm::FunctionalType,
        Piece::AttrDict => Asm::AttrDict,
        Piece::AttrDictWithKeyword => Asm::AttrDictWithKeyword,
        Piece::Optional { anchor, then, otherwise } => {
            let list = |pieces: &[Piece]| -> Result<&'static [Asm], String> {
                let mut asm = Vec::new();
                pieces.iter().try_for_each(|one| self::piece(one, op, definitions, &mut asm))?;
                Ok(Box::leak(asm.into_boxed_slice()))
            };
            let anchor = match anchor {
                FieldRef::Operand(n) => Anchor::Operand(*n as u8),
                FieldRef::Result(n) => Anchor::Result(*n as u8),
                FieldRef::Attr(n) => Anchor::Attr(*n as u8),
                FieldRef::Region(n) => Anchor::Region(*n as u8),
                FieldRef::Successor(n) => Anchor::Successor(*n as u8),
            };
            Asm::Optional { anchor, then: list(then)?, otherwise: list(otherwise)? }
        }
    };
    asm.push(made);
    Ok(())
}

/// Does the format say all operands, regions and successors, and all types that nothing else gives?
fn complete(pieces: &[Piece], op: &Op) -> Result<(), String> {
    let has = |piece: &Piece| contains(pieces, &|other| other == piece);
    let missing = |what: &str, name: &str| Err(format!("the format leaves out {what} `{name}`"));
    for (n, field) in op.operands.iter().enumerate() {
        if !has(&Piece::Operand(n)) && !has(&Piece::Operands) {
            return missing("operand", &field.name);
        }
    }
    for (n, field) in op.regions.iter().enumerate() {
        if !has(&Piece::Region(n)) {
            return missing("region", &field.name);
        }
    }
    for (n, field) in op.successors.iter().enumerate() {
        if !has(&Piece::Successor(n)) {
            return missing("successor", &field.0);
        }
    }
    let all = has(&Piece::FunctionalType) || has(&Piece::ResultTypes);
    let of_result = |(n, field): (usize, &Value)| all || has(&Piece::ResultType(n)) || field.only.is_some();
    let mut known = Known { results: op.results.iter().enumerate().map(of_result).collect() };
    known.complete(&op.relations);
    // Operands whose type nothing says have that of the value; results have none.
    for (known, field) in known.results.iter().zip(&op.results) {
        if !known {
            return missing("the type of result", &field.name);
        }
    }
    Ok(())
}

/// Which results have a type that is known; all operands have
struct Known {
    results: Vec<bool>,
}

impl Known {
    fn has(&self, place: FieldRef) -> bool {
        if let FieldRef::Result(n) = place { self.results[n] } else { true }
    }

    fn learn(&mut self, place: FieldRef) -> bool {
        if let FieldRef::Result(n) = place { !std::mem::replace(&mut self.results[n], true) } else { false }
    }

    /// What follows by relations is known too
    fn complete(&mut self, relations: &[Relation]) {
        let mut news = true;
        while news {
            news = false;
            for relation in relations {
                match relation {
                    Relation::Same(places) if places.iter().any(|place| self.has(*place)) => {
                        for place in places {
                            news |= self.learn(*place);
                        }
                    }
                    Relation::Element(from, to)
                    | Relation::ElementOrSelf(from, to)
                    | Relation::BoolLike(from, to)
                    | Relation::OfAttr(from, to)
                        if self.has(*from) =>
                    {
                        news |= self.learn(*to);
                    }
                    _ => {}
                }
            }
        }
    }
}
