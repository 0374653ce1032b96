//! Fields of an op's struct: operands, attributes, results, regions, successors.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, Field, GenericArgument, Ident, ItemStruct, LitStr, Path, PathArguments, Result, Type};

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
}

/// A successor
pub struct SuccessorField {
    /// Field name
    pub ident: Ident,
    /// Any number
    pub variadic: bool,
    /// Operand field that becomes the block's arguments
    pub operands: Option<Ident>,
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

/// Where a name leads
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Operand field
    Operand(usize),
    /// Result field
    Result(usize),
    /// Attribute field
    Attr(usize),
    /// Region field
    Region(usize),
    /// Successor field
    Successor(usize),
}

const MARKERS: &str = "every field needs one of #[operand], #[attr], #[result], #[region], #[successor]";

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
        Ok(fields)
    }

    /// Find a field by its name or an attribute by its name in text
    pub fn find(&self, name: &str) -> Option<Place> {
        let at = |mut names: Box<dyn Iterator<Item = String> + '_>| names.position(|other| other == name);
        at(Box::new(self.operands.iter().map(|f| plain(&f.ident))))
            .map(Place::Operand)
            .or_else(|| at(Box::new(self.results.iter().map(|f| plain(&f.ident)))).map(Place::Result))
            .or_else(|| at(Box::new(self.attrs.iter().map(|f| plain(&f.ident)))).map(Place::Attr))
            .or_else(|| at(Box::new(self.attrs.iter().map(|f| f.name.clone()))).map(Place::Attr))
            .or_else(|| at(Box::new(self.regions.iter().map(|f| plain(&f.ident)))).map(Place::Region))
            .or_else(|| at(Box::new(self.successors.iter().map(|f| plain(&f.ident)))).map(Place::Successor))
    }

    fn field(&mut self, field: &Field) -> Result<()> {
        let ident = field.ident.clone().ok_or_else(|| syn::Error::new(field.span(), "fields need names"))?;
        if self.find(&plain(&ident)).is_some() {
            return Err(syn::Error::new(ident.span(), format!("field `{ident}` is there twice")));
        }
        let docs: Vec<_> = field.attrs.iter().filter(|attr| attr.path().is_ident("doc")).cloned().collect();
        let markers: Vec<_> = field.attrs.iter().filter(|attr| !attr.path().is_ident("doc")).collect();
        let [marker] = markers[..] else {
            return Err(syn::Error::new(ident.span(), MARKERS));
        };
        let Some(kind) = marker.path().get_ident().map(Ident::to_string) else {
            return Err(syn::Error::new(marker.span(), MARKERS));
        };
        let mut flags = Flags::default();
        if !matches!(marker.meta, syn::Meta::Path(_)) {
            marker.parse_nested_meta(|meta| flags.set(&kind, meta))?;
        }
        match kind.as_str() {
            "operand" | "result" => {
                let (arity, rule) = arity_and_rule(&field.ty)?;
                let list = if kind == "operand" { &mut self.operands } else { &mut self.results };
                list.push(ValueField { ident, arity, rule, docs });
            }
            "attr" => {
                let rule = path(&field.ty)?;
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
            "region" => self.regions.push(RegionField {
                ident,
                variadic: flags.variadic,
                single_block: flags.single_block,
                may_be_empty: flags.may_be_empty,
            }),
            "successor" => {
                self.successors.push(SuccessorField {
                    ident,
                    variadic: flags.variadic,
                    operands: flags.operands,
                });
            }
            _ => return Err(syn::Error::new(marker.span(), MARKERS)),
        }
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
                    _ => "nothing",
                };
                return Err(meta.error(format!("#[{kind}] takes {known}, not `{key}`")));
            }
        }
        Ok(())
    }
}

fn path(ty: &Type) -> Result<Path> {
    match ty {
        Type::Path(path) => Ok(path.path.clone()),
        _ => Err(syn::Error::new(ty.span(), "expected the name of a rule, such as `IntLike`")),
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
        _ => return Ok((Arity::One, outer)),
    };
    if let PathArguments::AngleBracketed(inner) = &last.arguments
        && let Some(GenericArgument::Type(inner)) = inner.args.first()
    {
        return Ok((arity, path(inner)?));
    }
    Err(syn::Error::new(ty.span(), "write `Variadic<Rule>` or `Optional<Rule>`"))
}
