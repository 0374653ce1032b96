//! Text of the parameters of dialects' types and attributes: their own code, a declarative format, or `<a, b>`.

use super::{CustomText, Shower};
use crate::asm::{ParamFormat, ParamPiece};
use crate::attrs::{Attr, AttrKind};
use crate::defs::{AttrForm, ParamSpec};
use crate::interface::Interface;

impl Shower<'_> {
    /// Parameters of a dialect's type or attribute, as they follow its name
    pub fn params_of(&mut self, interfaces: &[Interface], specs: &[ParamSpec], params: &[Attr]) {
        if let Some(custom) = interfaces.iter().find_map(Interface::get::<CustomText>) {
            return (custom.print)(self, params);
        }
        match interfaces.iter().find_map(Interface::get::<ParamFormat>) {
            Some(format) => self.params_in_format(format, specs, params),
            None => self.params(params),
        }
    }

    fn params_in_format(&mut self, format: &ParamFormat, specs: &[ParamSpec], params: &[Attr]) {
        let (mut space, mut punct) = (true, false);
        for piece in format.0 {
            match *piece {
                ParamPiece::Lit(word) => {
                    let first = word.chars().next().unwrap_or(' ');
                    let tight = if punct { ">)}]," } else { "<>(){}[]," };
                    if space && ((word.len() != 1 && word != "->") || !tight.contains(first)) {
                        self.push(" ");
                    }
                    self.push(word);
                    space = word.len() != 1 || !"<({[".contains(first);
                    punct = first != '_' && !first.is_ascii_alphabetic();
                    continue;
                }
                ParamPiece::Verbatim(n) => {
                    let text = params[n as usize].as_str(self.cx).unwrap_or_default();
                    self.push(text);
                }
                ParamPiece::Param(n) => {
                    if space || !punct {
                        self.push(" ");
                    }
                    self.param(specs[n as usize].attr.form, params[n as usize]);
                }
                ParamPiece::Items(n) => {
                    if space || !punct {
                        self.push(" ");
                    }
                    self.list(params[n as usize].as_array(self.cx).unwrap_or_default(), Shower::attr);
                }
            }
            (space, punct) = (true, false);
        }
    }

    /// A parameter in the form of its constraint
    fn param(&mut self, form: AttrForm, attr: Attr) {
        match (form, self.cx.attr_kind(attr)) {
            (AttrForm::Bare(_) | AttrForm::List(_), _) => _ = self.attr_value(attr),
            (AttrForm::Enum(def), AttrKind::Enum { value, .. }) => self.push(&def.text(*value)),
            (AttrForm::Stripped(def), AttrKind::Dialect { def: other, params }) if def == *other => {
                self.params_of(def.interfaces, def.params, params);
            }
            _ => self.attr(attr),
        }
    }
}
