//! Tiling: one array becomes parts, windows become windows of tiles; what does not fit is padded and cut off again.

use crate::rule::{Done, array_rules};
use crate::rules::outside::{extended, total};
use crate::rules::{parts, stencil};
use crate::site::Site;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{self as array, Map};
use terrace_rewrite::OrMiss;

array_rules! { "tile":
    /// Parts of `n`, one after the other; the maps over parts and in them may get names.
    SPLIT_JOIN "splitJoin" ("n", "outer?", "inner?") Some(Map::DEF),
        "map f x => join (map (map f) (split n x))", ["parts divide the size"] => split_join;
    /// Two maps that do nothing else, as one over all elements.
    JOIN_SPLIT "joinSplit" () Some(Map::DEF),
        "map (map f) x => split m (map f (join x))", ["independent", "same_level", "rows have elements"] => join_split;
    /// Overlapped tiles of `u` elements, `v` apart.
    SLIDE_TILING "slideTiling" ("u", "v") Some(array::Slide::DEF),
        "slide n by s x => join (map (slide n by s) (slide strict u by v x))",
        ["tiles overlap as windows do", "tiles begin where windows do", "tiles leave no rest"] => slide_tiling;
    /// Tiles of `k` windows each; a rest that the windows leave stays.
    SLIDE_TILING_STEP "slideTilingStep" ("k") Some(array::Slide::DEF),
        "slide n by s x => join (map (slide n by s) (slide (n + (k - 1) s) by (k s) x))",
        ["parts divide the windows"] => slide_tiling_step;
    /// More windows, so that their number fits; what is too much is cut off.
    PAD_EXTEND "padExtend" ("r") Some(Map::DEF),
        "map f (slide n by s x) => slice 0, w (map f (slide n by s (pad 0, r x)))",
        ["padding is not negative", "total", "elements"] => pad_extend;
    /// More elements, so that their number fits; what is too much is cut off.
    CROP_BACK "cropBack" ("r") Some(Map::DEF),
        "map f x => slice 0, n (map f (pad 0, r x))", ["padding is not negative", "total", "elements"] => crop_back;
    /// Overlapped tiles of `u` by `u`, `v` apart in both dimensions: a map over tiles, in each the windows.
    TILE_STENCIL_2D "tileStencil2D" ("u", "v?") Some(Map::DEF),
        "map (map f) (windows x) => untile (map (map (tile -> map (map f) (windows tile))) (tiles x))",
        ["tiles overlap as windows do", "tiles begin where windows do", "tiles leave no rest", "independent"] => stencil::tile;
    /// More windows in both dimensions; what is too much is cut off.
    PAD_EXTEND_2D "padExtend2D" ("r") Some(Map::DEF),
        "map (map f) (windows x) => slice (map (map f) (windows (pad x)))",
        ["padding is not negative", "total", "elements", "independent"] => stencil::extend;
    /// Overlapped strips of a map over windows: `k` rows of windows each; the maps over strips and in them may get names.
    TILE_ROWS "tileRows" ("k", "outer?", "inner?") Some(Map::DEF),
        "map f (windows x) => join (map (strip -> map f (windows strip)) (slide (n + (k - 1) s) by (k s) x))",
        ["parts divide the windows"] => stencil::tile_rows;
    /// Sums over windows and kernels, over parts of `m` channels outside of both: windows of a part are all that is needed at a
    /// time. The sum of parts may get a name, and so may a map of its start values, which there is else only where kernels have
    /// start values of their own.
    SUM_OF_PARTS "sumOfParts" ("m", "name?", "starts?") Some(Map::DEF),
        "map (map (w -> map (k -> reduce + init z g (zip (join (join w)) (join (join k)))) ks)) (windows x) => reduce + init z (x, ks -> map (map (w -> map (k -> reduce + g (zip (join (join w)) (join (join k)))) ks)) (windows x)) (zip (parts m x) (parts m ks))",
        ["parts divide the channels", "order", "independent", "one known operator"] => parts::sum_of_parts;
    /// Tiles of a map over rows and columns: `n` rows of `m` columns each.
    TILE_2D "tile2D" ("n", "m", "outer?", "inner?") Some(Map::DEF),
        "map (map f) x => untile (map (map (map (map f))) (tiles x))",
        ["tiles divide the rows", "tiles divide the columns", "independent"] => stencil::tile_2d;
    /// A map of joined rows, row by row.
    MAP_JOIN "mapJoin" () Some(Map::DEF),
        "map f (join x) => join (map (map f) x)", ["one_use"] => map_join;
    /// First work, then cut off.
    SLICE_MAP "sliceMap" () Some(Map::DEF),
        "map f (slice o, k x) => slice o, k (map f x)", ["total"] => slice_map;
    /// First cut off, then work.
    MAP_SLICE "mapSlice" () Some(array::Slice::DEF),
        "slice o, k (map f x) => map f (slice o, k x)", ["one_use"] => map_slice;
}

fn split_join(s: &mut Site<'_, '_>) -> Done {
    let (map, x, n) = (s.op, s.x(), s.arg(0)?);
    let (f, size) = (s.fun(map)?, s.len(x)?);
    s.divides("parts divide the size", &n, &size)?;
    let parts = s.split(&n, x)?;
    let (outer, inner) = (s.word(1), s.word(2));
    let done = s.map_named(outer, Some(map), parts, &mut |s, part| {
        let part = part[0];
        Ok(vec![s.map_named(inner, None, part, &mut |s, a| s.inline(f, a))?])
    })?;
    let joined = s.join(done)?;
    s.done(joined)
}

fn join_split(s: &mut Site<'_, '_>) -> Done {
    let (outer, x) = (s.op, s.x());
    let rows = s.fun(outer)?;
    let inner = s.only(rows, Map::DEF)?;
    s.same_level(outer, inner)?;
    let (f, (_, m, _)) = (s.fun(inner)?, s.matrix(x)?);
    s.at_most("rows have elements", &Nat::from(1), &m)?;
    let joined = s.join(x)?;
    let done = s.map_like(outer, joined, &mut |s, a| s.inline(f, a))?;
    let split = s.split(&m, done)?;
    s.done(split)
}

fn slide_tiling(s: &mut Site<'_, '_>) -> Done {
    let (root, x, u, v) = (s.op, s.x(), s.arg(0)?, s.arg(1)?);
    let (n, step, size) = (s.nat(root, "size")?, s.nat(root, "step")?, s.len(x)?);
    let (left, right) = (s.size(u.minus(&v))?, s.size(n.minus(&step))?);
    s.equal("tiles overlap as windows do", &left, &right)?;
    s.divides("tiles begin where windows do", &step, &v)?;
    let rest = s.size(size.minus(&u))?;
    s.at_most("a tile is inside of the array", &u, &size)?;
    s.divides("tiles leave no rest", &v, &rest)?;
    let strict = s.ir().attr(root, "strict").is_some();
    tiles(s, (&n, &step), strict, (&u, &v), true)
}

fn slide_tiling_step(s: &mut Site<'_, '_>) -> Done {
    let (root, k) = (s.op, s.arg(0)?);
    let (n, step) = (s.nat(root, "size")?, s.nat(root, "step")?);
    let windows = s.len(s.ir().result(root, 0))?;
    s.divides("parts divide the windows", &k, &windows)?;
    let v = s.size(k.times(&step))?;
    let u = s.size(v.minus(&step).and_then(|rest| rest.plus(&n)))?;
    let strict = s.ir().attr(root, "strict").is_some();
    tiles(s, (&n, &step), strict, (&u, &v), false)
}

fn tiles(s: &mut Site<'_, '_>, window: (&Nat, &Nat), strict: bool, tile: (&Nat, &Nat), exact: bool) -> Done {
    let x = s.x();
    // The windows of a tile fit it exactly: the conditions say so.
    s.implied();
    let tiles = s.slide(exact, tile.0, tile.1, x)?;
    let inside = s.map_whole(tiles, &mut |s, tile| s.slide(strict, window.0, window.1, tile))?;
    let joined = s.join(inside)?;
    s.done(joined)
}

fn map_join(s: &mut Site<'_, '_>) -> Done {
    let (map, all, f) = (s.op, s.x(), s.fun(s.op)?);
    let join = s.from(all, array::Join::DEF)?;
    s.one_use(all)?;
    let rows = array::Join(join).x(s.ir());
    let done = s.map_like(map, rows, &mut |s, row| {
        let row = row[0];
        Ok(vec![s.map(row, &mut |s, a| s.inline(f, a))?])
    })?;
    let joined = s.join(done)?;
    s.done(joined)
}

fn pad_extend(s: &mut Site<'_, '_>) -> Done {
    let (map, windows, r) = (s.op, s.x(), s.arg(0)?);
    let slide = s.from(windows, array::Slide::DEF)?;
    s.ir().attr(slide, "strict").is_none().or_miss("strict windows may not fit any more")?;
    let (f, count, x) = (s.fun(map)?, s.len(windows)?, array::Slide(slide).x(s.ir()));
    s.at_most("padding is not negative", &Nat::from(0), &r)?;
    total(s, f)?;
    let more = extended(s, x, &r)?;
    s.implied();
    let windows = s.view_like(slide, &[more])?;
    let done = s.map_like(map, windows, &mut |s, a| s.inline(f, a))?;
    let cut = s.slice(&Nat::from(0), &count, done)?;
    s.done(cut)
}

fn crop_back(s: &mut Site<'_, '_>) -> Done {
    let (map, x, r) = (s.op, s.x(), s.arg(0)?);
    let (f, count) = (s.fun(map)?, s.len(x)?);
    s.at_most("padding is not negative", &Nat::from(0), &r)?;
    total(s, f)?;
    let more = extended(s, x, &r)?;
    s.implied();
    let done = s.map_like(map, more, &mut |s, a| s.inline(f, a))?;
    let cut = s.slice(&Nat::from(0), &count, done)?;
    s.done(cut)
}

fn slice_map(s: &mut Site<'_, '_>) -> Done {
    let (map, part) = (s.op, s.x());
    let slice = s.from(part, array::Slice::DEF)?;
    let (f, x) = (s.fun(map)?, array::Slice(slice).x(s.ir()));
    total(s, f)?;
    // Without elements it did not run.
    if !s.meets(map) {
        let size = s.len(part)?;
        s.at_most("total", &Nat::from(1), &size)?;
    }
    let done = s.map_like(map, x, &mut |s, a| s.inline(f, a))?;
    let cut = s.view_like(slice, &[done])?;
    s.done(cut)
}

fn map_slice(s: &mut Site<'_, '_>) -> Done {
    let (slice, all) = (s.op, s.x());
    let map = s.from(all, Map::DEF)?;
    s.one_use(all)?;
    let (f, x) = (s.fun(map)?, Map(map).x(s.ir()));
    let part = s.view_like(slice, &[x])?;
    let done = s.map_like(map, part, &mut |s, a| s.inline(f, a))?;
    s.done(done)
}
