//! Interchange: what is outside goes inside.

use crate::rule::{Done, array_rules};
use crate::site::{Fun, Site};
use terrace_dialect_array::{self as array, Map, Reduce, Unzip};
use terrace_dialect_sched::Operator;
use terrace_ir::{OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "interchange":
    /// Two maps over arrays that do not depend on each other.
    MAP_MAP_INTERCHANGE "mapMapInterchange" () Some(Map::DEF),
        "map (a -> map (b -> f a b) y) x => transpose (map (b -> map (a -> f a b) x) y)",
        ["independent"] => map_map_interchange;
    /// A map over each row, zipped with others, as a map over columns.
    MAP_MAP_INTERCHANGE_ZIP "mapMapInterchangeZip" () Some(Map::DEF),
        "map (a -> map f (zip a w)) x => transpose (map (a, b -> map (a -> f a b) a) (zip (transpose x) w))",
        ["independent"] => map_map_interchange_zip;
    /// A reduction of each row, as a reduction of columns; it and the columns may get names.
    MAP_REDUCE_INTERCHANGE "mapReduceInterchange" ("name?", "columns?") Some(Map::DEF),
        "map (row -> reduce + init z g row) x => reduce + init z (column -> map g column) (transpose x)",
        ["independent", "one known operator", "a number as start value"] => |s| map_reduce_interchange(s, false);
    /// The same where each row is zipped with others.
    MAP_REDUCE_INTERCHANGE_ZIP "mapReduceInterchangeZip" ("name?", "columns?") Some(Map::DEF),
        "map (a -> reduce + init z g (zip a w)) x => reduce + init z (a, b -> map (a -> g a b) a) (zip (transpose x) w)",
        ["independent", "one known operator", "a number as start value"] => |s| map_reduce_interchange(s, true);
    /// A reduction of columns, as a reduction of each row.
    REDUCE_MAP_INTERCHANGE "reduceMapInterchange" () Some(Reduce::DEF),
        "reduce + init z (column -> map g column) x => map (row -> reduce + init z g row) (transpose x)",
        ["independent", "one known operator"] => reduce_map_interchange;
    /// All elements of a matrix, columns first.
    TRANSPOSE_BOTH_SIDES "transposeBothSides" () Some(Map::DEF),
        "map (map f) x => transpose (map (map f) (transpose x))", ["independent"] => transpose_both_sides;
}

fn map_map_interchange(s: &mut Site<'_, '_>) -> Done {
    let (outer, x) = (s.op, s.x());
    let f = s.fun(outer)?;
    let result = s.yielded(f)?;
    let inner = s.from(result, Map::DEF)?;
    s.inside(result, f).or_miss("the inner map stands outside")?;
    let y = Map(inner).x(s.ir());
    s.independent(y, f)?;
    let swapped = s.map_like(inner, y, &mut |s, b| {
        let b = b.to_vec();
        Ok(vec![s.map_like(outer, x, &mut |s, a| s.nest(f, a, inner, &b))?])
    })?;
    let back = s.transpose(swapped)?;
    s.done(back)
}

/// One known operator, which works on each number of arrays too
pub(crate) fn lifts(s: &mut Site<'_, '_>, reduce: OpId) -> Result<(), Miss> {
    let one = matches!(s.operators(reduce).as_slice(), [Operator::Builtin(_)]);
    let text = s.operator_text(reduce);
    s.require("one known operator", one, |_| text)
}

/// What the inner op works on: a row, or one that does not depend on the row
#[derive(Clone, Copy)]
enum Part {
    Row(usize),
    Other(Value),
}

/// What an op in a map over rows works on, and the same by columns
struct Columns {
    parts: Vec<Part>,
    columns: Value,
    /// The first array that was turned
    turned: Option<Value>,
}

/// The array that the inner op works on: the function's row, or a zip of rows and others
fn columns(s: &mut Site<'_, '_>, f: Fun, x: Value, of: Value, zipped: bool) -> Result<Columns, Miss> {
    let all: Vec<Value> = match zipped {
        false => vec![of],
        true => {
            let zip = s.from(of, array::Zip::DEF)?;
            s.ir().operands(zip).collect()
        }
    };
    let params = s.params(f);
    let mut parts = Vec::new();
    for value in all {
        parts.push(match params.iter().position(|param| *param == value) {
            Some(n) => Part::Row(n),
            None => {
                s.independent(value, f)?;
                Part::Other(value)
            }
        });
    }
    parts.iter().any(|part| matches!(part, Part::Row(_))).or_miss("no row is worked on")?;
    let arrays = if params.len() > 1 { components(s, x)? } else { vec![x] };
    let (mut columns, mut turned) = (Vec::new(), None);
    for part in &parts {
        columns.push(match part {
            Part::Row(n) => {
                let rows = *arrays.get(*n).or_miss("no such row")?;
                let column = s.transpose(rows)?;
                turned = turned.or(Some(column));
                column
            }
            Part::Other(value) => *value,
        });
    }
    Ok(Columns { parts, columns: s.zip(&columns)?, turned })
}

/// The outer map over what a function of columns gets, with the inner op's function in it
fn over_rows(
    s: &mut Site<'_, '_>,
    parts: &[Part],
    outer: OpId,
    inner: OpId,
    given: &[Value],
) -> Result<Value, Miss> {
    let is_row = |part: &Part| matches!(part, Part::Row(_));
    let rows: Vec<Value> =
        given.iter().zip(parts).filter(|(_, part)| is_row(part)).map(|(value, _)| *value).collect();
    let several = rows.len() > 1;
    let rows = s.zip(&rows)?;
    s.map_like(outer, rows, &mut |s, elems| {
        // One row alone has its elements' components apart.
        let mut elems = if several { elems.to_vec() } else { vec![s.pack(elems)?] }.into_iter();
        let args: Option<Vec<Value>> = given
            .iter()
            .zip(parts)
            .map(|(value, part)| if is_row(part) { elems.next() } else { Some(*value) })
            .collect();
        let args = args.or_miss("a row has no element")?;
        let args = if let [one] = args.as_slice() { s.apart(*one)? } else { args };
        let g = s.fun(inner)?;
        s.inline(g, &args)
    })
}

fn map_reduce_interchange(s: &mut Site<'_, '_>, zipped: bool) -> Done {
    let (outer, x) = (s.op, s.x());
    let f = s.fun(outer)?;
    let result = s.yielded(f)?;
    let inner = s.from(result, Reduce::DEF)?;
    s.inside(result, f).or_miss("the reduction stands outside")?;
    s.closed(inner, f)?;
    lifts(s, inner)?;
    let init = s.ir().operands(inner).nth(1);
    if let Some(init) = init {
        s.independent(init, f)?;
        let number = s.is_scalar(s.ir().ty(init));
        s.require("a number as start value", number, |_| "the start value is no number".to_string())?;
    }
    let of = Reduce(inner).x(s.ir());
    let Columns { parts, columns, turned } = columns(s, f, x, of, zipped)?;
    let swapped = s.reduce_like(inner, init, columns, &mut |s, args| {
        Ok(vec![over_rows(s, &parts, outer, inner, args)?])
    })?;
    if let Some(name) = s.word(0) {
        s.call(swapped, name);
    }
    if let (Some(name), Some(turned)) = (s.word(1), turned) {
        s.call(turned, name);
    }
    s.done(swapped)
}

fn map_map_interchange_zip(s: &mut Site<'_, '_>) -> Done {
    let (outer, x) = (s.op, s.x());
    let f = s.fun(outer)?;
    let result = s.yielded(f)?;
    let inner = s.from(result, Map::DEF)?;
    s.inside(result, f).or_miss("the inner map stands outside")?;
    s.closed(inner, f)?;
    let of = Map(inner).x(s.ir());
    let Columns { parts, columns, .. } = columns(s, f, x, of, true)?;
    let swapped =
        s.map_like(inner, columns, &mut |s, args| Ok(vec![over_rows(s, &parts, outer, inner, args)?]))?;
    let back = s.transpose(swapped)?;
    s.done(back)
}

/// The operands of a zip, or what an array of tuples consists of
pub(crate) fn components(s: &mut Site<'_, '_>, x: Value) -> Result<Vec<Value>, Miss> {
    match s.from(x, array::Zip::DEF) {
        Ok(zip) => Ok(s.ir().operands(zip).collect()),
        Err(_) => s.views(Unzip::DEF, &[x], &[]),
    }
}

fn reduce_map_interchange(s: &mut Site<'_, '_>) -> Done {
    let (outer, x) = (s.op, s.x());
    let columns = s.fun(outer)?;
    let inner = s.only(columns, Map::DEF)?;
    lifts(s, outer)?;
    let g = s.fun(inner)?;
    let init = s.ir().operands(outer).nth(1);
    let rows = s.transpose(x)?;
    let number = init.is_none_or(|init| s.is_scalar(s.ir().ty(init)));
    let swapped = match init.filter(|_| !number) {
        None => s.map_like(inner, rows, &mut |s, row| {
            let row = row[0];
            Ok(vec![s.reduce_like(outer, init, row, &mut |s, a| s.inline(g, a))?])
        })?,
        Some(start) => {
            let zipped = s.zip(&[rows, start])?;
            s.map_like(inner, zipped, &mut |s, args| {
                let (row, start) = (args[0], args[1]);
                Ok(vec![s.reduce_like(outer, Some(start), row, &mut |s, a| s.inline(g, a))?])
            })?
        }
    };
    s.done(swapped)
}

fn transpose_both_sides(s: &mut Site<'_, '_>) -> Done {
    let (outer, x) = (s.op, s.x());
    let rows: Fun = s.fun(outer)?;
    let inner = s.only(rows, Map::DEF)?;
    let f = s.fun(inner)?;
    let columns = s.transpose(x)?;
    let swapped = s.map_like(inner, columns, &mut |s, column| {
        let column = column[0];
        Ok(vec![s.map_like(outer, column, &mut |s, a| s.inline(f, a))?])
    })?;
    let back = s.transpose(swapped)?;
    s.done(back)
}
