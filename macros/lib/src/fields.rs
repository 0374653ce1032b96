//! Fields of an op's struct: operands, attributes, results, regions, successors.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, Field, GenericArgument, Ident, ItemStruct, LitStr, Path, PathArguments, Result, Type,
};

/// How many values a field stands for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// One
    One,
    /// None or one
    Optional,
    /// Any number
    Variadic,
}

/// An operand or result
pub struct ValueField {
    /// Field name
    pub ident: Ident,
    /// Number of values
    pub arity: Arity,
    /// Path of the rule
    pub rule: Path,
    /// Doc comment
    pub docs: Vec<syn::Attribute>,
}

/// An attribute
pub struct AttrField {
    /// Field name
    pub ident: Ident,
    /// Name in text
    pub name: String,
    /// Path of the rule
    pub rule: Path,
    /// May be absent
    pub optional: bool,
    /// Function that makes the default
    pub default: Option<Expr>,
    /// Doc comment
    pub docs: Vec<syn::Attribute>,
}

/// A region
pub struct RegionField {
    /// Field name
    pub ident: Ident,
    /// Any number
    pub variadic: bool,
    /// One block at most
    pub single_block: bool,
    /// No block allowed
    pub may_be_empty: bool,
    /// Doc comment
    pub docs: Vec<syn::Attribute>,
}

/// A successor
pub struct SuccessorField {
    /// Field name
    pub ident: Ident,
    /// Any number
    pub variadic: bool,
    /// Operand field that becomes the block's arguments
    pub operands: Option<Ident>,
    /// Doc comment
    pub docs: Vec<syn::Attribute>,
}

/// All fields by kind, in order
#[derive(Default)]
pub struct Fields {
    /// Operands
    pub operands: Vec<ValueField>,
    /// Results
    pub results: Vec<ValueField>,
    /// Attributes
    pub attrs: Vec<AttrField>,
    /// Regions
    pub regions: Vec<RegionField>,
    /// Successors
    pub successors: Vec<SuccessorField>,
}

pub use terrace_asm_format::FieldRef;

const MARKERS: &str =
    "a field is marked #[attr], #[result], #[region] or #[successor]; one without a mark is an operand";

const RESERVED: &[&str] = &["build", "cast", "id"];

/// A name without `r#`
pub fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_string)
}

impl Fields {
    /// Read the struct
    pub fn parse(item: &ItemStruct) -> Result<Fields> {
        let mut fields = Fields::default();
        for field in &item.fields {
            fields.field(field)?;
        }
        fields.check()?;
        Ok(fields)
    }

    /// Find a field by its name or an attribute by its name in text
    pub fn find(&self, name: &str) -> Option<FieldRef> {
        let named = self.names().find(|(other, _)| other == name).map(|(_, place)| place);
        named.or_else(|| self.attrs.iter().position(|attr| attr.name == name).map(FieldRef::Attr))
    }

    /// All fields by kind
    pub fn names(&self) -> impl Iterator<Item = (String, FieldRef)> + '_ {
        let operands = self.operands.iter().enumerate().map(|(n, f)| (plain(&f.ident), FieldRef::Operand(n)));
        let results = self.results.iter().enumerate().map(|(n, f)| (plain(&f.ident), FieldRef::Result(n)));
        let attrs = self.attrs.iter().enumerate().map(|(n, f)| (plain(&f.ident), FieldRef::Attr(n)));
        let regions = self.regions.iter().enumerate().map(|(n, f)| (plain(&f.ident), FieldRef::Region(n)));
        let successors =
            self.successors.iter().enumerate().map(|(n, f)| (plain(&f.ident), FieldRef::Successor(n)));
        operands.chain(results).chain(attrs).chain(regions).chain(successors)
    }

    /// What to say of a name that is no field
    pub fn unknown(&self, name: &str) -> String {
        let names: Vec<String> = self.names().map(|(name, _)| name).collect();
        match names.is_empty() {
            true => format!("there is no field `{name}`; the op has no fields"),
            false => format!("there is no field `{name}`; there are {}", names.join(", ")),
        }
    }

    /// May the field have nothing in it?
    pub fn may_be_absent(&self, place: FieldRef) -> bool {
        match place {
            FieldRef::Operand(n) => self.operands[n].arity != Arity::One,
            FieldRef::Result(n) => self.results[n].arity != Arity::One,
            FieldRef::Attr(n) => self.attrs[n].optional || self.attrs[n].default.is_some(),
            FieldRef::Region(n) => self.regions[n].may_be_empty || self.regions[n].variadic,
            FieldRef::Successor(n) => self.successors[n].variadic,
        }
    }

    /// Rules that concern several fields
    fn check(&self) -> Result<()> {
        let before = self.regions.split_last().map_or(&[][..], |(_, before)| before);
        if let Some(region) = before.iter().find(|region| region.variadic) {
            return Err(syn::Error::new(region.ident.span(), "only the last region may be variadic"));
        }
        let before = self.successors.split_last().map_or(&[][..], |(_, before)| before);
        if let Some(successor) = before.iter().find(|successor| successor.variadic) {
            return Err(syn::Error::new(successor.ident.span(), "only the last successor may be variadic"));
        }
        for successor in &self.successors {
            if let Some(operands) = &successor.operands
                && !matches!(self.find(&plain(operands)), Some(FieldRef::Operand(_)))
            {
                let message = format!("`{operands}` is no operand of this op");
                return Err(syn::Error::new(operands.span(), message));
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &Field) -> Result<()> {
        let ident = field.ident.clone().ok_or_else(|| syn::Error::new(field.span(), "fields need names"))?;
        if self.find(&plain(&ident)).is_some() {
            return Err(syn::Error::new(ident.span(), format!("field `{ident}` is there twice")));
        }
        if RESERVED.contains(&plain(&ident).as_str()) {
            let message =
                format!("`{ident}` is a function that every op has; choose another name for the field");
            return Err(syn::Error::new(ident.span(), message));
        }
        let docs: Vec<_> = field.attrs.iter().filter(|attr| attr.path().is_ident("doc")).cloned().collect();
        let markers: Vec<_> = field.attrs.iter().filter(|attr| !attr.path().is_ident("doc")).collect();
        let marker = match markers[..] {
            [] => return self.operand(field, ident, docs),
            [marker] => marker,
            _ => return Err(syn::Error::new(ident.span(), MARKERS)),
        };
        let Some(kind) = marker.path().get_ident().map(Ident::to_string) else {
            return Err(syn::Error::new(marker.span(), MARKERS));
        };
        let mut flags = Flags::default();
        if !matches!(marker.meta, syn::Meta::Path(_)) {
            marker.parse_nested_meta(|meta| flags.set(&kind, meta))?;
        }
        match kind.as_str() {
            "result" => {
                let (arity, rule) = arity_and_rule(&field.ty)?;
                self.results.push(ValueField { ident, arity, rule, docs });
            }
            "attr" => {
                let rule = attr_rule(&field.ty)?;
                let name = flags.name.unwrap_or_else(|| plain(&ident));
                self.attrs.push(AttrField {
                    ident,
                    name,
                    rule,
                    optional: flags.optional,
                    default: flags.default,
                    docs,
                });
            }
            "region" => {
                marked(&field.ty, "Region", "region")?;
                let Flags { variadic, single_block, may_be_empty, .. } = flags;
                self.regions.push(RegionField { ident, variadic, single_block, may_be_empty, docs });
            }
            "successor" => {
                marked(&field.ty, "Successor", "successor")?;
                let Flags { variadic, operands, .. } = flags;
                self.successors.push(SuccessorField { ident, variadic, operands, docs });
            }
            _ => return Err(syn::Error::new(marker.span(), MARKERS)),
        }
        Ok(())
    }

    /// A field without a mark
    fn operand(&mut self, field: &Field, ident: Ident, docs: Vec<Attribute>) -> Result<()> {
        let (arity, rule) = arity_and_rule(&field.ty)?;
        let word = rule.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if matches!(word.as_str(), "Region" | "Successor") {
            let mark = word.to_lowercase();
            return Err(syn::Error::new(ident.span(), format!("write `#[{mark}] {ident}: {word}`")));
        }
        self.operands.push(ValueField { ident, arity, rule, docs });
        Ok(())
    }
}

#[derive(Default)]
struct Flags {
    name: Option<String>,
    optional: bool,
    default: Option<Expr>,
    variadic: bool,
    single_block: bool,
    may_be_empty: bool,
    operands: Option<Ident>,
}

impl Flags {
    fn set(&mut self, kind: &str, meta: syn::meta::ParseNestedMeta<'_>) -> Result<()> {
        let key = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
        match (kind, key.as_str()) {
            ("attr", "name") => self.name = Some(meta.value()?.parse::<LitStr>()?.value()),
            ("attr", "optional") => self.optional = true,
            ("attr", "default") => self.default = Some(meta.value()?.parse()?),
            ("region" | "successor", "variadic") => self.variadic = true,
            ("region", "single_block") => self.single_block = true,
            ("region", "may_be_empty") => self.may_be_empty = true,
            ("successor", "operands") => self.operands = Some(meta.value()?.parse()?),
            _ => {
                let known = match kind {
                    "attr" => "name, optional, default",
                    "region" => "variadic, single_block, may_be_empty",
                    "successor" => "variadic, operands",
                    "operand" => return Err(meta.error(MARKERS)),
                    "result" => {
                        let how = "`Optional<Rule>` for none or one, `Variadic<Rule>` for any number";
                        let message =
                            format!("#[{kind}] takes nothing, not `{key}`: its type says how many: {how}");
                        return Err(meta.error(message));
                    }
                    _ => "nothing",
                };
                return Err(meta.error(format!("#[{kind}] takes {known}, not `{key}`")));
            }
        }
        Ok(())
    }
}

/// The path that a field's type is
pub fn path(ty: &Type) -> Result<Path> {
    match ty {
        Type::Path(path) => Ok(path.path.clone()),
        _ => Err(syn::Error::new(ty.span(), RULES)),
    }
}

const RULES: &str = "expected the name of a rule: one of `terrace_ir::rules`, such as `IntLike` for values and `StrAttr` \
    for attributes, or one made with `type_rules!`, `attr_rules!` or `attr_enums!`";

/// The rule of an attribute, or what to write for the containers one would try
fn attr_rule(ty: &Type) -> Result<Path> {
    let outer = path(ty)?;
    match outer.segments.last().map(|last| last.ident.to_string()).as_deref() {
        Some("Optional" | "Option") => Err(syn::Error::new(
            ty.span(),
            "an attribute that may be absent is `#[attr(optional)] field: Rule`",
        )),
        Some("Variadic" | "Vec") => Err(syn::Error::new(
            ty.span(),
            "an attribute is one: for several take a rule for lists, such as `DenseI64Array` or `ArrayAttr`",
        )),
        _ => Ok(outer),
    }
}

/// Regions and successors have no rule: their type only says what they are
fn marked(ty: &Type, word: &str, kind: &str) -> Result<()> {
    match ty {
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == word) => Ok(()),
        _ => Err(syn::Error::new(
            ty.span(),
            format!("write `#[{kind}] field: {word}`; several are `#[{kind}(variadic)] field: {word}`"),
        )),
    }
}

fn arity_and_rule(ty: &Type) -> Result<(Arity, Path)> {
    let outer = path(ty)?;
    let Some(last) = outer.segments.last() else {
        return Err(syn::Error::new(Span::call_site(), "expected the name of a rule"));
    };
    let arity = match last.ident.to_string().as_str() {
        "Variadic" => Arity::Variadic,
        "Optional" => Arity::Optional,
        "Option" | "Vec" => {
            let message = "write `Optional<Rule>` for none or one, `Variadic<Rule>` for any number";
            return Err(syn::Error::new(ty.span(), message));
        }
        _ => return Ok((Arity::One, outer)),
    };
    if let PathArguments::AngleBracketed(inner) = &last.arguments
        && let Some(GenericArgument::Type(inner)) = inner.args.first()
    {
        return Ok((arity, path(inner)?));
    }
    Err(syn::Error::new(ty.span(), "write `Variadic<Rule>` or `Optional<Rule>`"))
}
