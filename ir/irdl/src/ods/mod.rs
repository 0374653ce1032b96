//! Dialects of a C++ project: what `llvm-tblgen --dump-json` prints of its ODS becomes a description.
//!
//! Ops are read with operands, results, attributes, defaults, regions, successors, traits and declarative formats; so are
//! types, attributes and enumerations. C++ code is not: it is listed in `Description::left`, and what it would check is
//! not checked.

mod defs;
mod fields;
mod records;
mod regions;
mod traits;

use crate::constraint::NodeId;
use crate::description::{Description, Op};
use crate::predicate::{self, Classes};
use fields::Field;
use records::{Record, Records};
use terrace_diag::Diagnostic;
use terrace_ir::{Arity, Dialect, EnumDef};
use terrace_support::HashMap;

/// Import of one dialect
struct Import<'a> {
    records: &'a Records,
    known: &'a [&'static Dialect],
    out: Description,
    /// Constraints by the names of their records
    nodes: HashMap<String, NodeId>,
    /// C++ classes of types and attributes
    classes: Classes,
    /// Types of the dialect without `dialect.`, by record
    types: HashMap<String, String>,
    /// Attributes of the dialect, by record
    attrs: HashMap<String, usize>,
    /// Enumerations by name
    enums: HashMap<String, &'static EnumDef>,
    /// Ops by C++ class
    ops: HashMap<String, String>,
}

/// Descriptions of the dialects of a dump that are not registered
pub fn read(text: &str, known: &[&'static Dialect]) -> Result<Vec<Description>, Box<Diagnostic>> {
    let error = |code, message: String| Err(Box::new(Diagnostic::error(code, message)));
    let records = match Records::read(text) {
        Ok(records) => records,
        Err(why) => {
            let help = "`llvm-tblgen --dump-json -I include MyOps.td` prints one";
            return Err(Box::new(Diagnostic::error(&crate::codes::DUMP, why).help(help)));
        }
    };
    let (mut found, mut there) = (Vec::new(), Vec::new());
    for dialect in records.of_class("Dialect") {
        let name = dialect.text("name");
        if !is_name(name) {
            return error(&crate::codes::DUMP, format!("`{name}` is no name of a dialect"));
        }
        if known.iter().any(|known| known.name == name) || name == "builtin" {
            there.push(format!("`{name}`"));
        } else if !found.iter().any(|other: &Record<'_>| other.text("name") == name)
            && has_something(&records, dialect)
        {
            found.push(dialect);
        }
    }
    if found.is_empty() {
        let message = match there.is_empty() {
            true => "the dump defines no dialect".to_string(),
            false => format!("the dump defines no dialect that is not here: {}", there.join(", ")),
        };
        return error(&crate::codes::DIALECT, message);
    }
    Ok(found.into_iter().map(|dialect| import(&records, known, dialect)).collect())
}

/// Is it a name as dialects have?
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Can it follow `dialect.`?
fn is_mnemonic(name: &str) -> bool {
    name.split('.').all(is_name)
}

fn belongs(record: &Record<'_>, field: &str, dialect: &Record<'_>) -> bool {
    record.def(field).is_some_and(|other| other.name == dialect.name)
}

fn has_something(records: &Records, dialect: Record<'_>) -> bool {
    let has = |class: &str, field: &str| {
        records.of_class(class).iter().any(|record| belongs(record, field, &dialect))
    };
    has("Op", "opDialect") || has("TypeDef", "dialect") || has("AttrDef", "dialect")
}

fn import(records: &Records, known: &[&'static Dialect], dialect: Record<'_>) -> Description {
    let name = dialect.text("name");
    let out = Description { name: name.to_string(), ..Description::default() };
    let mut import = Import {
        records,
        known,
        out,
        nodes: HashMap::default(),
        classes: Classes::default(),
        types: HashMap::default(),
        attrs: HashMap::default(),
        enums: HashMap::default(),
        ops: HashMap::default(),
    };
    import.names();
    import.definitions(dialect);
    import.operations(dialect);
    if dialect.flag("hasOperationAttrVerify") {
        import.out.leave("verifiers", name, "of attributes that begin with the name of the dialect");
    }
    import.out
}

impl Import<'_> {
    /// Names of everything in the dump, of all dialects
    fn names(&mut self) {
        for (class, sigil) in [("TypeDef", '!'), ("AttrDef", '#')] {
            for record in self.records.of_class(class) {
                let (Some(dialect), Some(mnemonic)) = (record.def("dialect"), record.some_text("mnemonic"))
                else {
                    continue;
                };
                if dialect.text("name") == "builtin" {
                    continue;
                }
                let full = format!("{sigil}{}.{mnemonic}", dialect.text("name"));
                let cpp = predicate::normal(record.text("cppType"));
                let cpp = cpp.trim_start_matches("::").to_string();
                if let Some((_, class)) = cpp.rsplit_once("::") {
                    self.classes.entry(class.to_string()).or_insert_with(|| full.clone());
                }
                self.classes.insert(cpp, full);
            }
        }
        for record in self.records.of_class("Op") {
            let Some(dialect) = record.def("opDialect") else { continue };
            let full = format!("{}.{}", dialect.text("name"), record.text("opName"));
            self.ops.entry(record.class_name().to_string()).or_insert(full);
        }
    }

    /// Types, attributes and enumerations of the dialect
    fn definitions(&mut self, dialect: Record<'_>) {
        for record in self.records.of_class("AttrDef") {
            if !belongs(&record, "dialect", &dialect) || !self.named(record) {
                continue;
            }
            if record.is_a("EnumAttr") {
                if let Some(def) = self.enum_attr(record).filter(|def| !self.out.enums.contains(def)) {
                    self.out.enums.push(def);
                }
                continue;
            }
            let params = self.parameters(record);
            self.attrs.insert(record.name.to_string(), self.out.attrs.len());
            self.verified(record, &params.name);
            self.out.attrs.push(params);
        }
        let types = self
            .records
            .of_class("TypeDef")
            .into_iter()
            .filter(|record| belongs(record, "dialect", &dialect));
        let types: Vec<Record<'_>> = types.filter(|record| self.named(*record)).collect();
        for record in &types {
            self.types.insert(record.name.to_string(), record.text("mnemonic").to_string());
        }
        for record in types {
            let params = self.parameters(record);
            self.verified(record, &params.name);
            self.out.types.push(params);
        }
        // A dialect that reads its types with code of its own has some that no record describes. The flag for
        // attributes says nothing: it is off in dialects that have none.
        self.out.open |= !dialect.flag("useDefaultTypePrinterParser");
    }

    /// Has the type or attribute a name in text?
    fn named(&mut self, record: Record<'_>) -> bool {
        let named = is_mnemonic(record.text("mnemonic"));
        self.out.open |= !named;
        named
    }

    fn verified(&mut self, record: Record<'_>, name: &str) {
        if record.flag("genVerifyDecl") {
            self.out.leave("verifiers", name, "of the parameters");
        }
    }

    fn operations(&mut self, dialect: Record<'_>) {
        for record in self.records.of_class("Op") {
            if !belongs(&record, "opDialect", &dialect) {
                continue;
            }
            let name = record.text("opName");
            if !is_mnemonic(name) {
                self.out.leave("ops", record.name, format!("`{name}` is no name of an op"));
                continue;
            }
            let op = self.op(record, name);
            self.out.ops.push(op);
        }
    }

    fn op(&mut self, record: Record<'_>, name: &str) -> Op {
        let mut op = Op::named(name);
        op.summary = record.text("summary").trim().to_string();
        let mut other = None;
        for arg in record.args("arguments") {
            let Some(field) = arg.record.map(|inner| self.field(name, inner, &arg.name)) else { continue };
            match field {
                Field::Value(value) => op.operands.push(value),
                Field::Attr(attr) => op.attrs.push(attr),
                Field::Nothing => {}
                Field::Other(why) => other = Some(why),
            }
            if let Some(effects) = arg.record.and_then(traits::decorated) {
                op.effects = if op.effects == terrace_ir::Effects::UNKNOWN {
                    effects
                } else {
                    op.effects.and(effects)
                };
            }
        }
        for arg in record.args("results") {
            match arg.record.map(|inner| self.field(name, inner, &arg.name)) {
                Some(Field::Value(value)) => op.results.push(value),
                Some(Field::Other(why)) => other = Some(why),
                _ => {}
            }
        }
        self.regions(record, &mut op);
        self.traits(record, &mut op);
        op.format = record.some_text("assemblyFormat").map(str::to_string);
        for (flag, what) in [
            ("hasVerifier", "verifiers"),
            ("hasRegionVerifier", "verifiers"),
            ("hasFolder", "folders"),
            ("hasCanonicalizer", "rewrite rules"),
            ("hasCanonicalizeMethod", "rewrite rules"),
        ] {
            if record.flag(flag) {
                self.out.leave(what, name, "");
            }
        }
        if record.flag("hasCustomAssemblyFormat") {
            self.out.leave("formats", name, "the format is C++ code");
            op.format = None;
        }
        self.uneven(record, &mut op, other);
        op
    }

    /// Fields whose sizes the IR does not store become one field of any number
    fn uneven(&mut self, record: Record<'_>, op: &mut Op, other: Option<String>) {
        let traits = record.defs("traits");
        let has = |name: &str| {
            traits.iter().any(|one| one.text("trait").trim_start_matches("::mlir::OpTrait::") == name)
        };
        let varying = |values: &[crate::description::Value]| {
            values.iter().filter(|value| value.arity != Arity::One).count() > 1
        };
        let operands = varying(&op.operands) && !has("AttrSizedOperandSegments");
        let results = varying(&op.results) && !has("AttrSizedResultSegments");
        let why = match (operands || results, other) {
            (_, Some(why)) => why,
            (true, None) => "several fields vary in number, and no attribute has the numbers".to_string(),
            _ => return,
        };
        self.out.leave("operands in C++", &op.name, why);
        let node = self.any();
        let all = |name: &str| crate::description::Value {
            name: name.to_string(),
            arity: Arity::Variadic,
            node,
            what: "any type".to_string(),
            only: None,
            of: None,
        };
        op.operands = vec![all("operands")];
        if results {
            op.results = vec![all("results")];
        }
        op.relations.clear();
        op.format = None;
    }
}
