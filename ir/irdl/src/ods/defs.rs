//! Types, attributes and enumerations of ODS.

use super::Import;
use super::records::{Arg, Record};
use crate::description::{Form, Param, ParamPiece, Params, Plain};
use crate::made::{leak, leak_str};
use crate::predicate;
use terrace_ir::EnumDef;

impl Import<'_> {
    /// A type or attribute with its parameters
    pub fn parameters(&mut self, record: Record<'_>) -> Params {
        let name = record.text("mnemonic").to_string();
        let args = record.args("parameters");
        let mut params = Vec::new();
        let mut why = None;
        for arg in &args {
            match self.param_form(arg) {
                Some((form, items)) => {
                    params.push((Param { name: arg.name.clone(), node: self.any(), form }, items))
                }
                None => why = Some(format!("the parameter `{}` is a C++ value", arg.name)),
            }
        }
        if record.flag("hasCustomAssemblyFormat") {
            why = Some("its syntax is C++ code".to_string());
        }
        let format = match why {
            None => syntax(record, &params),
            Some(why) => Err(why),
        };
        match format {
            Ok(format) => {
                Params { name, params: params.into_iter().map(|(param, _)| param).collect(), format }
            }
            Err(why) => {
                self.out.leave("parameters in C++", &name, why);
                // One parameter with all the text.
                let text = Param { name: "text".to_string(), node: self.any(), form: Form::Full };
                Params { name, params: vec![text], format: Some(vec![ParamPiece::Verbatim(0)]) }
            }
        }
    }

    /// Spelling of a parameter, and whether it is a list
    fn param_form(&mut self, arg: &Arg<'_>) -> Option<(Form, bool)> {
        let (class, record) = match (arg.text, arg.record) {
            (Some(text), _) => (predicate::normal(text), None),
            (None, Some(record)) => (predicate::normal(record.text("cppType")), Some(record)),
            _ => return None,
        };
        let is_a = |class: &str| record.is_some_and(|record| record.is_a(class));
        if is_a("EnumParameter") {
            let info = self.records.of_class("EnumInfo");
            let info = info.into_iter().find(|info| predicate::normal(info.text("cppType")) == class)?;
            let name = info.text("className").to_string();
            return self.enumeration(info, &name, ",").map(|def| (Form::Enum(def, false), false));
        }
        if record.is_some_and(|record| record.some_text("defaultValue").is_some())
            || is_a("AttributeSelfTypeParameter")
        {
            return None;
        }
        Some(match class.as_str() {
            "Type" => (Form::Type, false),
            "Attribute" | "StringAttr" | "StringRef" | "std::string" | "FlatSymbolRefAttr"
            | "SymbolRefAttr" | "ArrayAttr" | "DictionaryAttr" | "AffineMap" | "AffineMapAttr"
            | "TypedAttr" => (Form::Full, false),
            "bool" => (Form::Bare(Plain::Int(1)), false),
            "int" | "unsigned" | "int64_t" | "uint64_t" | "int32_t" | "uint32_t" | "int16_t" | "uint16_t"
            | "int8_t" | "uint8_t" | "size_t" | "unsigned int" => (Form::Bare(Plain::Int(64)), false),
            "ArrayRef<Type>" | "ArrayRef<Attribute>" => (Form::Full, true),
            // Other types of dialects are types to the IR.
            _ if class.ends_with("Type") && !class.contains('<') => (Form::Type, false),
            _ => return None,
        })
    }

    /// The definition of an attribute that is an enumeration: one that is registered, or a new one
    pub fn enum_attr(&mut self, record: Record<'_>) -> Option<&'static EnumDef> {
        let dialect = record.def("dialect")?.text("name");
        let full = format!("{dialect}.{}", record.text("mnemonic"));
        let registered = self.known.iter().flat_map(|dialect| dialect.enums).find(|def| def.name == full);
        if let Some(def) = registered {
            return Some(def);
        }
        let format = record.text("assemblyFormat");
        let separator = if format.contains('<') { "," } else { " " };
        self.enumeration(record.def("enum")?, &full, separator)
    }

    /// An enumeration by the record that has its cases
    pub fn enumeration(&mut self, info: Record<'_>, name: &str, separator: &str) -> Option<&'static EnumDef> {
        if let Some(def) = self.enums.get(name) {
            return Some(def);
        }
        let flags = info.is_a("BitEnumBase");
        let mut cases = Vec::new();
        for case in info.defs("enumerants") {
            let text = case.some_text("str").unwrap_or(case.text("symbol"));
            cases.push((leak_str(text), u64::try_from(case.number("value")?).ok()?));
        }
        let separator = if flags { info.some_text("separator").unwrap_or(",") } else { separator };
        let def: &'static EnumDef = leak(EnumDef {
            name: leak_str(name),
            cases: Box::leak(cases.into_boxed_slice()),
            flags,
            separator: leak_str(separator),
        });
        self.enums.insert(name.to_string(), def);
        Some(def)
    }
}

/// Pieces of the syntax of parameters, or why it is not understood
fn syntax(record: Record<'_>, params: &[(Param, bool)]) -> Result<Option<Vec<ParamPiece>>, String> {
    let Some(text) = record.some_text("assemblyFormat") else {
        return match params.is_empty() {
            true => Ok(Some(Vec::new())),
            false => Err("its syntax is C++ code".to_string()),
        };
    };
    let piece = |name: &str| {
        let n = params.iter().position(|(param, _)| param.name == name);
        let n = n.ok_or_else(|| format!("the format has `${name}`, which is no parameter"))?;
        Ok::<_, String>(if params[n].1 { ParamPiece::Items(n) } else { ParamPiece::Param(n) })
    };
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('`') {
            let (literal, after) = after.split_once('`').ok_or("a literal is not closed")?;
            if literal.trim().is_empty() {
                return Err("the format has blanks of its own".to_string());
            }
            pieces.push(ParamPiece::Lit(literal.to_string()));
            rest = after.trim_start();
            continue;
        }
        let qualified = rest.strip_prefix("qualified(").map(str::trim_start);
        if let Some(after) = qualified.unwrap_or(rest).strip_prefix('$') {
            let len = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
            pieces.push(piece(&after[..len])?);
            rest = after[len..].trim_start();
            if qualified.is_some() {
                rest = rest.strip_prefix(')').ok_or("`qualified` is not closed")?.trim_start();
            }
            continue;
        }
        let after = rest.strip_prefix("params").filter(|_| params.iter().all(|(_, items)| !items));
        let Some(after) = after else {
            return Err(format!("the format has `{}`", rest.split_whitespace().next().unwrap_or_default()));
        };
        for n in 0..params.len() {
            if n > 0 {
                pieces.push(ParamPiece::Lit(",".to_string()));
            }
            pieces.push(ParamPiece::Param(n));
        }
        rest = after.trim_start();
    }
    let all = (0..params.len()).all(|n| {
        pieces.iter().any(|piece| matches!(piece, ParamPiece::Param(m) | ParamPiece::Items(m) if *m == n))
    });
    if all { Ok(Some(pieces)) } else { Err("the format leaves out parameters".to_string()) }
}
