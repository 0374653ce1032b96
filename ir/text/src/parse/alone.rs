//! One attribute or type that is all of a text.

use super::begin;
use super::state::{Parse, Parser};
use crate::ParseOptions;
use std::sync::Arc;
use terrace_diag::{Diags, SourceId};
use terrace_ir::{Attr, Context, Type};

/// Parse a source of the context that is one attribute; `None` if there were errors
pub fn parse_attr(
    cx: &Arc<Context>,
    source: SourceId,
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Attr> {
    alone(cx, source, options, diags, |parser| parser.attr())
}

/// Parse a source of the context that is one type; `None` if there were errors
pub fn parse_type(
    cx: &Arc<Context>,
    source: SourceId,
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Type> {
    alone(cx, source, options, diags, |parser| parser.ty())
}

fn alone<T>(
    cx: &Arc<Context>,
    source: SourceId,
    options: &ParseOptions,
    diags: &mut Diags,
    parse: impl FnOnce(&mut Parser<'_>) -> Parse<T>,
) -> Option<T> {
    let (module, _) = begin(cx, source, diags)?;
    let mut parser = Parser::new(cx, source, options, module);
    let read = match parse(&mut parser) {
        Ok(_) if !parser.lx.is_end() => parser.expected("the end of the text"),
        read => read,
    };
    diags.append(parser.diags);
    read.ok()
}
