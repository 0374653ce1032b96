//! Arguments of `#[op("dialect.mnemonic", …)]`.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Result, Token, parenthesized};

/// A relation between fields, by name
pub struct Relation {
    /// `same`, `bool_like`, …
    pub kind: Ident,
    /// Fields in order
    pub fields: Vec<Ident>,
}

/// Everything in the attribute's parentheses
pub struct OpArgs {
    /// `dialect.mnemonic`
    pub name: LitStr,
    /// `traits(…)`
    pub traits: Vec<Ident>,
    /// `relations(…)`
    pub relations: Vec<Relation>,
    /// `asm = "…"`
    pub asm: Option<LitStr>,
    /// `effects(…)`
    pub effects: Option<Vec<Ident>>,
    /// `hooks(…)`
    pub hooks: Vec<Ident>,
    /// `interfaces(…)`
    pub interfaces: Vec<Path>,
    /// `parents("…")`
    pub parents: Vec<LitStr>,
    /// `implicit_terminator = "…"`
    pub implicit_terminator: Option<LitStr>,
}

const KEYS: &str = "traits, relations, asm, effects, hooks, interfaces, parents, implicit_terminator";

impl Parse for OpArgs {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: LitStr = input
            .parse()
            .map_err(|error| syn::Error::new(error.span(), "`op` needs `\"dialect.mnemonic\"` first"))?;
        if !name.value().contains('.') {
            return Err(syn::Error::new(name.span(), "an op's name is `dialect.mnemonic`"));
        }
        let mut args = OpArgs {
            name,
            traits: Vec::new(),
            relations: Vec::new(),
            asm: None,
            effects: None,
            hooks: Vec::new(),
            interfaces: Vec::new(),
            parents: Vec::new(),
            implicit_terminator: None,
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "traits" => args.traits = list(input)?,
                "hooks" => args.hooks = list(input)?,
                "interfaces" => args.interfaces = list(input)?,
                "parents" => args.parents = list(input)?,
                "effects" => args.effects = Some(list(input)?),
                "relations" => args.relations = list(input)?,
                "asm" => args.asm = Some(value(input)?),
                "implicit_terminator" => args.implicit_terminator = Some(value(input)?),
                other => {
                    let message = format!("unknown argument `{other}`; there are {KEYS}");
                    return Err(syn::Error::new(key.span(), message));
                }
            }
        }
        Ok(args)
    }
}

fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let inner;
    parenthesized!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

impl Parse for Relation {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let kind: Ident = input.parse()?;
        let inner;
        parenthesized!(inner in input);
        let mut fields = vec![inner.parse()?];
        while !inner.is_empty() {
            if inner.peek(Token![=>]) {
                inner.parse::<Token![=>]>()?;
            } else {
                inner.parse::<Token![,]>()?;
                if inner.is_empty() {
                    break;
                }
            }
            fields.push(inner.parse()?);
        }
        let count = match kind.to_string().as_str() {
            "same" => None,
            "bool_like" | "element_of" | "type_of_attr" | "same_shape" | "same_element" => Some(2),
            other => {
                let known = "same, bool_like, element_of, type_of_attr, same_shape, same_element";
                return Err(syn::Error::new(
                    kind.span(),
                    format!("unknown relation `{other}`; there are {known}"),
                ));
            }
        };
        if count.is_some_and(|count| count != fields.len()) {
            return Err(syn::Error::new(kind.span(), format!("`{kind}` relates two fields")));
        }
        Ok(Relation { kind, fields })
    }
}
