//! Tiling in two dimensions: macro rules, each the composition of rules on one dimension.
//!
//! `windows x` is `map transpose (slide n by s (map (slide n by s) x))`, what `slide_nd` is written out to; `untile` joins rows
//! of tiles: `join (map (row -> map join (transpose row)))`.

use crate::rule::Done;
use crate::rules::outside::{extended, total};
use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{self as array, Map, Pad};
use terrace_ir::{OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

/// Windows in one dimension
#[derive(Clone)]
pub(super) struct Windows {
    size: Nat,
    step: Nat,
    strict: bool,
}

/// A map over rows and columns
struct Both {
    outer: OpId,
    inner: OpId,
    f: Fun,
}

/// The root as a map in a map
fn both(s: &mut Site<'_, '_>) -> Result<Both, Miss> {
    let outer = s.op;
    let rows = s.fun(outer)?;
    let inner = s.only(rows, Map::DEF)?;
    Ok(Both { outer, inner, f: s.fun(inner)? })
}

fn read(s: &mut Site<'_, '_>, slide: OpId) -> Result<Windows, Miss> {
    let strict = s.ir().attr(slide, "strict").is_some();
    Ok(Windows { size: s.nat(slide, "size")?, step: s.nat(slide, "step")?, strict })
}

/// Windows of rows and of columns, and what they are windows of
pub(super) fn windows(s: &mut Site<'_, '_>, x: Value) -> Result<(Windows, Windows, Value), Miss> {
    let turned = s.from(x, Map::DEF)?;
    let f = s.fun(turned)?;
    s.only(f, array::Transpose::DEF)?;
    let rows = Map(turned).x(s.ir());
    let rows = s.from(rows, array::Slide::DEF)?;
    let columns = array::Slide(rows).x(s.ir());
    let mapped = s.from(columns, Map::DEF)?;
    let f = s.fun(mapped)?;
    let columns = s.only(f, array::Slide::DEF)?;
    Ok((read(s, rows)?, read(s, columns)?, Map(mapped).x(s.ir())))
}

/// `windows x`
pub(super) fn slide_2d(
    s: &mut Site<'_, '_>,
    rows: &Windows,
    columns: &Windows,
    x: Value,
) -> Result<Value, Miss> {
    let in_rows = s.map_whole(x, &mut |s, row| s.slide(columns.strict, &columns.size, &columns.step, row))?;
    let both = s.slide(rows.strict, &rows.size, &rows.step, in_rows)?;
    s.map_whole(both, &mut |s, row| s.transpose(row))
}

/// `untile`
fn untile(s: &mut Site<'_, '_>, tiles: Value) -> Result<Value, Miss> {
    let rows = s.map_whole(tiles, &mut |s, row| {
        let turned = s.transpose(row)?;
        s.map_whole(turned, &mut |s, part| s.join(part))
    })?;
    s.join(rows)
}

/// `map (map f) x` as it was
fn again(s: &mut Site<'_, '_>, both: &Both, names: [&str; 2], x: Value) -> Result<Value, Miss> {
    let name = |s: &Site<'_, '_>, op, name| s.ir().attr(op, "name").is_none().then_some(name);
    let (outer, inner) = (name(s, both.outer, names[0]), name(s, both.inner, names[1]));
    s.map_named(outer, Some(both.outer), x, &mut |s, row| {
        let row = row[0];
        Ok(vec![s.map_named(inner, Some(both.inner), row, &mut |s, a| s.inline(both.f, a))?])
    })
}

/// One dimension of slideTiling's conditions
fn fits(s: &mut Site<'_, '_>, w: &Windows, n: &Nat, u: &Nat, v: &Nat) -> Result<(), Miss> {
    let (left, right) = (s.size(u.minus(v))?, s.size(w.size.minus(&w.step))?);
    s.equal("tiles overlap as windows do", &left, &right)?;
    s.divides("tiles begin where windows do", &w.step, v)?;
    s.at_most("a tile is inside of the array", u, n)?;
    let rest = s.size(n.minus(u))?;
    s.divides("tiles leave no rest", v, &rest)
}

/// Overlapped tiles
pub(super) fn tile(s: &mut Site<'_, '_>) -> Done {
    let (both, x, u) = (both(s)?, s.x(), s.arg(0)?);
    let (rows, columns, x) = windows(s, x)?;
    let (height, width, _) = s.matrix(x)?;
    let v = match s.word(1) {
        Some(_) => s.arg(1)?,
        None => s.size(u.minus(&rows.size).and_then(|rest| rest.plus(&rows.step)))?,
    };
    fits(s, &rows, &height, &u, &v)?;
    fits(s, &columns, &width, &u, &v)?;
    s.implied();
    let tile = Windows { size: u, step: v, strict: true };
    let tiles = slide_2d(s, &tile, &tile, x)?;
    let done = s.map_named(Some("tiles"), None, tiles, &mut |s, row| {
        let row = row[0];
        Ok(vec![s.map_named(Some("tile"), None, row, &mut |s, tile| {
            let inside = slide_2d(s, &rows, &columns, tile[0])?;
            Ok(vec![again(s, &both, ["windows", "window"], inside)?])
        })?])
    })?;
    let result = untile(s, done)?;
    s.done(result)
}

/// More windows than there were
pub(super) fn extend(s: &mut Site<'_, '_>) -> Done {
    let (both, of, r) = (both(s)?, s.x(), s.arg(0)?);
    let (rows, columns, x) = windows(s, of)?;
    (!rows.strict && !columns.strict).or_miss("strict windows may not fit any more")?;
    let (high, wide, _) = s.matrix(of)?;
    s.at_most("padding is not negative", &Nat::from(0), &r)?;
    total(s, both.f)?;
    let more = extended(s, x, &r)?;
    // By a number, if that is what the rows are padded with.
    let pad = s.ir().defining_op(more);
    let number =
        pad.and_then(|pad| s.ir().operands(pad).nth(1)).filter(|value| s.is_scalar(s.ir().ty(*value)));
    let (zero, r) = (s.nat_attr(&Nat::from(0)), s.nat_attr(&r));
    let (_, width, _) = s.matrix(more)?;
    s.at_most("elements", &Nat::from(1), &width)?;
    let mode = s.cx().str_attr(if number.is_some() { "value" } else { "clamp" });
    let padded = s.map_whole(more, &mut |s, row| {
        let operands: Vec<Value> = [row].into_iter().chain(number).collect();
        s.view(Pad::DEF, &operands, &[("low", Some(zero)), ("high", Some(r)), ("mode", Some(mode))])
    })?;
    s.call(padded, "padded");
    s.implied();
    let all = slide_2d(s, &rows, &columns, padded)?;
    let done = again(s, &both, ["windows", "window"], all)?;
    s.call(done, "extended");
    let cut = s.slice(&Nat::from(0), &high, done)?;
    let cut = s.map_whole(cut, &mut |s, row| s.slice(&Nat::from(0), &wide, row))?;
    s.done(cut)
}

/// Overlapped strips: rows of windows, all columns
pub(super) fn tile_rows(s: &mut Site<'_, '_>) -> Done {
    let (map, x, k) = (s.op, s.x(), s.arg(0)?);
    let f = s.fun(map)?;
    let (rows, columns, of) = windows(s, x)?;
    let high = s.len(x)?;
    s.divides("parts divide the windows", &k, &high)?;
    let v = s.size(k.times(&rows.step))?;
    let u = s.size(v.minus(&rows.step).and_then(|rest| rest.plus(&rows.size)))?;
    s.implied();
    let strips = s.slide(false, &u, &v, of)?;
    let (outer, inner) = (s.word(1), s.word(2));
    let done = s.map_named(outer, Some(map), strips, &mut |s, strip| {
        let inside = slide_2d(s, &rows, &columns, strip[0])?;
        Ok(vec![s.map_named(inner, None, inside, &mut |s, a| s.inline(f, a))?])
    })?;
    let joined = s.join(done)?;
    s.done(joined)
}

/// Tiles without overlap
pub(super) fn tile_2d(s: &mut Site<'_, '_>) -> Done {
    let (both, x, n, m) = (both(s)?, s.x(), s.arg(0)?, s.arg(1)?);
    let (rows, columns, _) = s.matrix(x)?;
    s.divides("tiles divide the rows", &n, &rows)?;
    s.divides("tiles divide the columns", &m, &columns)?;
    let (outer, inner) = (s.word(2).unwrap_or("tiles"), s.word(3).unwrap_or("tile"));
    // [N][M] to [N / n][n][M / m][m], then the two in the middle exchanged.
    let parts = s.split(&n, x)?;
    let tiles = s.map_whole(parts, &mut |s, rows| {
        let cut = s.map_whole(rows, &mut |s, row| s.split(&m, row))?;
        s.transpose(cut)
    })?;
    let done = s.map_named(Some(outer), None, tiles, &mut |s, row| {
        let row = row[0];
        Ok(vec![s.map_named(Some(inner), None, row, &mut |s, tile| {
            Ok(vec![again(s, &both, ["rows", "columns"], tile[0])?])
        })?])
    })?;
    let result = untile(s, done)?;
    s.done(result)
}
