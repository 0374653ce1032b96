//! Arguments of `#[op("dialect.mnemonic", …)]`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Result, Token, bracketed, parenthesized};

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
    pub traits: Vec<Path>,
    /// `relations(…)`
    pub relations: Vec<Relation>,
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

const KEYS: &str = "traits, relations, effects, hooks, interfaces, parents, implicit_terminator";

impl Parse for OpArgs {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: LitStr = input
            .parse()
            .map_err(|error| syn::Error::new(error.span(), "`op` needs `\"dialect.mnemonic\"` first"))?;
        check_name(&name)?;
        let mut args = OpArgs {
            name,
            traits: Vec::new(),
            relations: Vec::new(),
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
            let key = input.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "traits" => args.traits = list(input)?,
                "hooks" => args.hooks = list(input)?,
                "interfaces" => args.interfaces = list(input)?,
                "parents" => args.parents = list(input)?,
                "effects" => args.effects = Some(list(input)?),
                "relations" => args.relations = list(input)?,
                "implicit_terminator" => args.implicit_terminator = Some(value(input)?),
                "asm" => {
                    let message = "a syntax is an attribute of its own: `#[asm(\"…\")]` below `#[op]`";
                    return Err(syn::Error::new(key.span(), message));
                }
                other => {
                    let message = format!("unknown argument `{other}`; there are {KEYS}");
                    return Err(syn::Error::new(key.span(), message));
                }
            }
        }
        Ok(args)
    }
}

/// `dialect.mnemonic`, neither part empty
pub fn check_name(name: &LitStr) -> Result<()> {
    match name.value().split_once('.') {
        Some((dialect, mnemonic)) if !dialect.is_empty() && !mnemonic.is_empty() => Ok(()),
        _ => Err(syn::Error::new(name.span(), "a name is `\"dialect.mnemonic\"`")),
    }
}

/// Arguments of `#[dialect_type]` and `#[dialect_attr]`
pub struct ParamArgs {
    /// `dialect.mnemonic`
    pub name: LitStr,
    /// `hooks(verify)`
    pub hooks: Vec<Ident>,
    /// `interfaces(…)`
    pub interfaces: Vec<Path>,
}

impl Parse for ParamArgs {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: LitStr = input
            .parse()
            .map_err(|error| syn::Error::new(error.span(), "write `\"dialect.mnemonic\"` first"))?;
        check_name(&name)?;
        let mut args = ParamArgs { name, hooks: Vec::new(), interfaces: Vec::new() };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "hooks" => args.hooks = list(input)?,
                "interfaces" => args.interfaces = list(input)?,
                other => {
                    let message = format!("unknown argument `{other}`; there are hooks, interfaces");
                    return Err(syn::Error::new(key.span(), message));
                }
            }
        }
        match args.hooks.iter().find(|hook| *hook != "verify") {
            Some(hook) => {
                Err(syn::Error::new(hook.span(), format!("unknown hook `{hook}`; there is verify")))
            }
            None => Ok(args),
        }
    }
}

/// `: [a, b]`
pub fn list_in_brackets<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    input.parse::<Token![:]>()?;
    let inner;
    bracketed!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

/// `: value`
pub fn value_after_colon<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![:]>()?;
    input.parse()
}

/// `(a, b)`
pub fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let inner;
    parenthesized!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

/// `= value`
pub fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

impl Parse for Relation {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let kind: Ident = input.parse()?;
        let inner;
        parenthesized!(inner in input);
        let mut fields = vec![inner.call(Ident::parse_any)?];
        while !inner.is_empty() {
            if inner.peek(Token![=>]) {
                inner.parse::<Token![=>]>()?;
            } else {
                inner.parse::<Token![,]>()?;
                if inner.is_empty() {
                    break;
                }
            }
            fields.push(inner.call(Ident::parse_any)?);
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
