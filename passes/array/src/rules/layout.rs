//! Layout: views past maps, past each other, and into and out of zips.

use crate::rule::{Done, array_rules};
use crate::site::Site;
use terrace_dialect_array::{self as array, Map, Reorder, Zip};
use terrace_ir::{OpDef, OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "layout":
    /// Windows of joined rows, as joined windows.
    SLIDE_PROMOTION "slidePromotion" () Some(array::Slide::DEF),
        "slide n by s (map join x) => map (map join) (slide n by s x)", ["one_use"] => slide_promotion;
    /// Windows of what is laid out, as the layout of windows.
    SLIDE_SWAP "slideSwap" () Some(array::Slide::DEF),
        "slide n by s (map f x) => map (map f) (slide n by s x), f layout", ["one_use", "pure_layout"] => slide_swap;
    /// A map of all elements of the rows, after they are joined.
    JOIN_SWAP "joinSwap" () Some(array::Join::DEF),
        "join (map (map f) x) => map f (join x)", ["one_use", "independent"] => join_swap;
    /// Parts of what a map gives, as a map of parts.
    SPLIT_SWAP "splitSwap" () Some(array::Split::DEF),
        "split n (map f x) => map (map f) (split n x)", ["one_use"] => split_swap;
    /// A map of all elements, after rows and columns are exchanged.
    TRANSPOSE_SWAP "transposeSwap" () Some(array::Transpose::DEF),
        "transpose (map (map f) x) => map (map f) (transpose x)", ["one_use", "independent"] => transpose_swap;
    /// Windows of columns, as columns of windows.
    SLIDE_TRANSPOSE_SWAP "slideTransposeSwap" () Some(array::Slide::DEF),
        "slide n by s (transpose x) => map transpose (transpose (map (slide n by s) x))",
        ["one_use"] => |s| past_transpose(s, true);
    /// Joined rows exchanged with columns, as joined columns.
    TRANSPOSE_MAP_JOIN "transposeMapJoin" () Some(array::Transpose::DEF),
        "transpose (map join x) => join (map transpose (transpose x))", ["one_use"] => transpose_map_join;
    /// Columns cut into parts, as parts of rows.
    MAP_SPLIT_TRANSPOSE "mapSplitTranspose" () Some(Map::DEF),
        "map (split n) (transpose x) => transpose (map transpose (split n x))", ["one_use"] => map_split_transpose;
    /// Parts of columns, as columns of parts.
    SPLIT_TRANSPOSE "splitTranspose" () Some(array::Split::DEF),
        "split n (transpose x) => map transpose (transpose (map (split n) x))", ["one_use"] => |s| past_transpose(s, true);
    /// Parts of a zip, as zipped parts; they may get names.
    SPLIT_INTO_ZIP "splitIntoZip" ("first?", "second?") Some(array::Split::DEF),
        "split n (zip a b) => map zip (zip (split n a) (split n b))", ["one_use"] => split_into_zip;
    /// A zip in another order, as zipped orders.
    REORDER_INTO_ZIP "reorderIntoZip" () Some(array::Reorder::DEF),
        "reorder o (zip a b) => zip (reorder o a) (reorder o b)", ["one_use"] => reorder_into_zip;
    /// Joined arrays zipped, as joined zips.
    JOIN_FROM_ZIP "joinFromZip" () Some(array::Zip::DEF),
        "zip (join a) (join b) => join (map zip (zip a b))", ["equal rows"] => join_from_zip;
    /// Elements in another order, and back.
    REORDER_BOTH_SIDES "reorderBothSides" ("s") Some(Map::DEF),
        "map f x => reorder strided (n / s) (map f (reorder strided s x))", ["strides divide the size"] => reorder_both_sides;
    /// An order with a stride, by parts.
    REORDER_IS_TRANSPOSED_SPLIT "reorderIsTransposedSplit" () Some(array::Reorder::DEF),
        "reorder strided s x => join (transpose (split s x))", [] => reorder_is_transposed_split;
}

/// The map whose function is one layout op, which the root works on
fn mapped(s: &mut Site<'_, '_>, x: Value, def: &'static OpDef) -> Result<(OpId, OpId, Value), Miss> {
    let map = s.from(x, Map::DEF)?;
    s.one_use(x)?;
    let f = s.fun(map)?;
    let inner = s.only(f, def)?;
    Ok((map, inner, Map(map).x(s.ir())))
}

fn slide_promotion(s: &mut Site<'_, '_>) -> Done {
    let (slide, rows) = (s.op, s.x());
    let (_, _, x) = mapped(s, rows, array::Join::DEF)?;
    let windows = s.view_like(slide, &[x])?;
    let joined = s.map_whole(windows, &mut |s, window| s.map_whole(window, &mut |s, row| s.join(row)))?;
    s.done(joined)
}

/// `view (map f x) ⇒ map (map f) (view x)`, for a view that makes parts
fn parts_of_map(s: &mut Site<'_, '_>, layout: bool) -> Done {
    let (view, of) = (s.op, s.x());
    let map = s.from(of, Map::DEF)?;
    s.one_use(of)?;
    let (f, x) = (s.fun(map)?, Map(map).x(s.ir()));
    let pure = !layout || s.is_pure_layout(f);
    s.require("pure_layout", pure, |_| "the function computes: windows would do it again".to_string())?;
    let parts = s.view_like(view, &[x])?;
    let done = s.map(parts, &mut |s, part| {
        let part = part[0];
        Ok(vec![s.map_like(map, part, &mut |s, a| s.inline(f, a))?])
    })?;
    s.done(done)
}

fn slide_swap(s: &mut Site<'_, '_>) -> Done {
    parts_of_map(s, true)
}

fn split_swap(s: &mut Site<'_, '_>) -> Done {
    parts_of_map(s, false)
}

fn join_swap(s: &mut Site<'_, '_>) -> Done {
    let rows = s.x();
    let (outer, inner, x) = mapped(s, rows, Map::DEF)?;
    let f = s.fun(inner)?;
    let joined = s.join(x)?;
    let done = s.map_like(outer, joined, &mut |s, a| s.inline(f, a))?;
    s.done(done)
}

fn transpose_swap(s: &mut Site<'_, '_>) -> Done {
    let rows = s.x();
    let (outer, inner, x) = mapped(s, rows, Map::DEF)?;
    let f = s.fun(inner)?;
    let columns = s.transpose(x)?;
    let done = s.map_like(inner, columns, &mut |s, column| {
        let column = column[0];
        Ok(vec![s.map_like(outer, column, &mut |s, a| s.inline(f, a))?])
    })?;
    s.done(done)
}

/// `view (transpose x) ⇒ map transpose (transpose (map view x))`
fn past_transpose(s: &mut Site<'_, '_>, once: bool) -> Done {
    let (view, of) = (s.op, s.x());
    let transpose = s.from(of, array::Transpose::DEF)?;
    if once {
        s.one_use(of)?;
    }
    let x = array::Transpose(transpose).x(s.ir());
    let parts = s.map_whole(x, &mut |s, row| s.view_like(view, &[row]))?;
    let columns = s.transpose(parts)?;
    let done = s.map_whole(columns, &mut |s, part| s.transpose(part))?;
    s.done(done)
}

fn transpose_map_join(s: &mut Site<'_, '_>) -> Done {
    let rows = s.x();
    let (_, _, x) = mapped(s, rows, array::Join::DEF)?;
    let columns = s.transpose(x)?;
    let parts = s.map_whole(columns, &mut |s, part| s.transpose(part))?;
    let joined = s.join(parts)?;
    s.done(joined)
}

fn map_split_transpose(s: &mut Site<'_, '_>) -> Done {
    let columns = s.x();
    let f = s.fun(s.op)?;
    let split = s.only(f, array::Split::DEF)?;
    let transpose = s.from(columns, array::Transpose::DEF)?;
    s.one_use(columns)?;
    let x = array::Transpose(transpose).x(s.ir());
    let parts = s.view_like(split, &[x])?;
    let turned = s.map_whole(parts, &mut |s, part| s.transpose(part))?;
    let done = s.transpose(turned)?;
    s.done(done)
}

fn split_into_zip(s: &mut Site<'_, '_>) -> Done {
    let (split, of) = (s.op, s.x());
    let zip = s.from(of, array::Zip::DEF)?;
    s.one_use(of)?;
    let all: Vec<Value> = s.ir().operands(zip).collect();
    let parts: Vec<Value> = all.iter().map(|x| s.view_like(split, &[*x])).collect::<Result<_, _>>()?;
    for (n, part) in parts.iter().enumerate() {
        if let Some(name) = s.word(n) {
            s.call(*part, name);
        }
    }
    let zipped = s.zip(&parts)?;
    let done = s.map(zipped, &mut |s, parts| Ok(vec![s.view(Zip::DEF, parts, &[])?]))?;
    s.done(done)
}

fn reorder_into_zip(s: &mut Site<'_, '_>) -> Done {
    let (reorder, of) = (s.op, s.x());
    let zip = s.from(of, array::Zip::DEF)?;
    s.one_use(of)?;
    let all: Vec<Value> = s.ir().operands(zip).collect();
    let ordered: Vec<Value> = all.iter().map(|x| s.view_like(reorder, &[*x])).collect::<Result<_, _>>()?;
    let zipped = s.zip(&ordered)?;
    s.done(zipped)
}

fn join_from_zip(s: &mut Site<'_, '_>) -> Done {
    let all: Vec<Value> = s.ir().operands(s.op).collect();
    let mut rows = Vec::new();
    for joined in all {
        let join = s.from(joined, array::Join::DEF)?;
        rows.push(array::Join(join).x(s.ir()));
    }
    let (n, m, _) = s.matrix(*rows.first().or_miss("nothing is zipped")?)?;
    for other in &rows[1..] {
        let (k, l, _) = s.matrix(*other)?;
        s.equal("equal rows", &n, &k)?;
        s.equal("equal rows", &m, &l)?;
    }
    let zipped = s.zip(&rows)?;
    let parts = s.map(zipped, &mut |s, rows| Ok(vec![s.view(Zip::DEF, rows, &[])?]))?;
    let done = s.join(parts)?;
    s.done(done)
}

fn reorder_both_sides(s: &mut Site<'_, '_>) -> Done {
    let (map, x, stride) = (s.op, s.x(), s.arg(0)?);
    let (f, n) = (s.fun(map)?, s.len(x)?);
    s.divides("strides divide the size", &stride, &n)?;
    let inverse = s.size(n.exact_div(&stride))?;
    let strided = |s: &mut Site<'_, '_>, stride, x| {
        let stride = s.nat_attr(stride);
        s.view(Reorder::DEF, &[x], &[("stride", Some(stride))])
    };
    let there = strided(s, &stride, x)?;
    let done = s.map_like(map, there, &mut |s, a| s.inline(f, a))?;
    let back = strided(s, &inverse, done)?;
    s.done(back)
}

fn reorder_is_transposed_split(s: &mut Site<'_, '_>) -> Done {
    let (reorder, x) = (s.op, s.x());
    s.ir().attr(reorder, "stride").or_miss("the order has no stride")?;
    let stride = s.nat(reorder, "stride")?;
    let parts = s.split(&stride, x)?;
    let turned = s.transpose(parts)?;
    let done = s.join(turned)?;
    s.done(done)
}
