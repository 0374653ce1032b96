//! Simplifying: pairs that undo each other.
//!
//! Measure: with each application the number of operands of zips falls, or else twice the number of ops and that of their
//! operands; a cast, which may come where two sizes are equal only by what is bound, counts as an op without.

use crate::rule::{Done, array_rules};
use crate::site::Site;
use terrace_dialect_array::{self as array, Map, Reduce};
use terrace_ir::{TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "simplify":
    /// Exchanging two dimensions twice changes nothing.
    TRANSPOSE_TRANSPOSE "transposeTranspose" () Some(array::Transpose::DEF),
        "transpose (transpose x) => x", [] => |s| undo(s, array::Transpose::DEF);
    /// Parts joined again are the whole.
    JOIN_SPLIT_ID "joinSplitId" () Some(array::Join::DEF), "join (split n x) => x", [] => |s| undo(s, array::Split::DEF);
    /// Rows joined and cut at their length are the rows.
    SPLIT_JOIN_ID "splitJoinId" () Some(array::Split::DEF),
        "split n (join x) => x", ["parts are as long as the rows"] => split_join_id;
    /// Vectors taken apart again are the numbers.
    AS_SCALAR_AS_VECTOR "asScalarAsVector" () Some(array::AsScalar::DEF),
        "as_scalar (as_vector v x) => x", [] => |s| undo(s, array::AsVector::DEF);
    /// The lanes of vectors as vectors of the same length are these.
    AS_VECTOR_AS_SCALAR "asVectorAsScalar" () Some(array::AsVector::DEF),
        "as_vector v (as_scalar x) => x", ["the vectors are equally long"] => as_vector_as_scalar;
    /// The components of an array of tuples zipped again.
    ZIP_UNZIP "zipUnzip" () Some(array::Zip::DEF), "zip (unzip x) => x", [] => zip_unzip;
    /// What was zipped taken apart again.
    UNZIP_ZIP "unzipZip" () Some(array::Unzip::DEF), "unzip (zip a b) => a, b", [] => unzip_zip;
    /// What was padded, cut off again.
    PAD_SLICE "padSlice" () Some(array::Slice::DEF),
        "slice l, n (pad l, r x) => x", ["the slice is what was padded"] => pad_slice;
    /// The function that gives what it gets.
    MAP_ID "mapId" () Some(Map::DEF), "map (a -> a) x => x", [] => map_id;
    /// One array zipped with itself comes once.
    REMOVE_DUPLICATE_ZIP_ARG "removeDuplicateZipArg" () Some(Map::DEF),
        "map (a, b -> f a b) (zip x x) => map (a -> f a a) x", [] => remove_duplicate;
    /// The same below a reduction.
    REMOVE_DUPLICATE_ZIP_ARG_REDUCE "removeDuplicateZipArgReduce" () Some(Reduce::DEF),
        "reduce + (a, b -> f a b) (zip x x) => reduce + (a -> f a a) x", [] => remove_duplicate;
    /// A component of a tuple that is made in sight.
    GET_TUPLE "getTuple" () Some(array::Get::DEF), "get k (tuple a b) => a or b", [] => get_tuple;
    /// A tuple of all components of a tuple.
    TUPLE_GET "tupleGet" () Some(array::Tuple::DEF), "tuple (get 0 x) (get 1 x) => x", [] => tuple_get;
    /// All of an array.
    SLICE_ALL "sliceAll" () Some(array::Slice::DEF), "slice 0, n x => x", ["the slice is the whole"] => slice_all;
    /// A cast to the same type, or through one.
    CAST_CAST "castCast" () Some(array::Cast::DEF), "cast (cast x) => x", ["the types are equal"] => cast_cast;
}

/// The operand of the operand, if that comes from the op that undoes the root
fn undo(s: &mut Site<'_, '_>, inverse: &'static terrace_ir::OpDef) -> Done {
    let x = s.x();
    let inner = s.from(x, inverse)?;
    s.done(s.ir().operand(inner, 0))
}

fn split_join_id(s: &mut Site<'_, '_>) -> Done {
    let (x, n) = (s.x(), s.nat(s.op, "size")?);
    let join = s.from(x, array::Join::DEF)?;
    let rows = array::Join(join).x(s.ir());
    let (_, size, _) = s.matrix(rows)?;
    s.same("parts are as long as the rows", &n, &size)?;
    s.done(rows)
}

fn as_vector_as_scalar(s: &mut Site<'_, '_>) -> Done {
    let x = s.x();
    let inner = s.from(x, array::AsScalar::DEF)?;
    let vectors = array::AsScalar(inner).x(s.ir());
    let same = s.array(vectors)?.1 == s.array(s.ir().result(s.op, 0))?.1;
    s.require("the vectors are equally long", same, |_| "other lengths".to_string())?;
    s.done(vectors)
}

fn zip_unzip(s: &mut Site<'_, '_>) -> Done {
    let x = s.x();
    let unzip = s.from(x, array::Unzip::DEF)?;
    let same = s.ir().operands(s.op).eq(s.ir().results(unzip));
    same.or_miss("not all components, or in another order")?;
    s.done(array::Unzip(unzip).x(s.ir()))
}

fn unzip_zip(s: &mut Site<'_, '_>) -> Done {
    let x = s.x();
    let zip = s.from(x, array::Zip::DEF)?;
    Ok(s.ir().operands(zip).collect())
}

fn pad_slice(s: &mut Site<'_, '_>) -> Done {
    let (x, offset, size) = (s.x(), s.nat(s.op, "offset")?, s.nat(s.op, "size")?);
    let pad = s.from(x, array::Pad::DEF)?;
    let (low, inner) = (s.nat(pad, "low")?, array::Pad(pad).x(s.ir()));
    let n = s.len(inner)?;
    s.same("the slice is what was padded", &offset, &low)?;
    s.same("the slice is what was padded", &size, &n)?;
    s.done(inner)
}

fn map_id(s: &mut Site<'_, '_>) -> Done {
    let f = s.fun(s.op)?;
    s.is_identity(f).or_miss("the function does something")?;
    s.done(s.x())
}

fn remove_duplicate(s: &mut Site<'_, '_>) -> Done {
    let (x, f, root) = (s.x(), s.fun(s.op)?, s.op);
    let zip = s.from(x, array::Zip::DEF)?;
    let all: Vec<Value> = s.ir().operands(zip).collect();
    let mut once: Vec<Value> = Vec::new();
    all.iter().for_each(|value| {
        if !once.contains(value) {
            once.push(*value);
        }
    });
    (once.len() < all.len()).or_miss("all zipped arrays are different")?;
    let zipped = s.zip(&once)?;
    let inits: Vec<Value> = s.ir().operands(root).skip(1).collect();
    let body = &mut |s: &mut Site<'_, '_>, args: &[Value]| {
        // One array left: its elements come apart.
        let elems = if once.len() == 1 { vec![s.pack(args)?] } else { args.to_vec() };
        let at =
            |value: &Value| once.iter().position(|other| other == value).and_then(|n| elems.get(n).copied());
        let given: Option<Vec<Value>> = all.iter().map(at).collect();
        s.inline(f, &given.ok_or(Miss("the function gets something else"))?)
    };
    let result = match s.ir().is(root, Map::DEF) {
        true => s.map_like(root, zipped, body)?,
        false => s.reduce_like(root, inits.first().copied(), zipped, body)?,
    };
    s.done(result)
}

fn get_tuple(s: &mut Site<'_, '_>) -> Done {
    let (x, k) = (s.x(), s.nat(s.op, "component")?);
    let tuple = s.from(x, array::Tuple::DEF)?;
    let part = k.as_constant().and_then(|k| s.ir().operands(tuple).nth(usize::try_from(k).ok()?));
    s.done(part.or_miss("no such component")?)
}

fn tuple_get(s: &mut Site<'_, '_>) -> Done {
    let parts: Vec<Value> = s.ir().operands(s.op).collect();
    let mut whole = None;
    for (k, part) in parts.iter().enumerate() {
        let get = s.from(*part, array::Get::DEF)?;
        let at = s.nat(get, "component")?.as_constant() == Some(k as i64);
        let of = array::Get(get).x(s.ir());
        (at && *whole.get_or_insert(of) == of).or_miss("not all components of one tuple")?;
    }
    let whole = whole.or_miss("an empty tuple")?;
    let count = match s.ir().ty(whole).kind(s.cx()) {
        TypeKind::Tuple(types) => types.len(),
        _ => 0,
    };
    (count == parts.len()).or_miss("not all components of one tuple")?;
    s.done(whole)
}

fn slice_all(s: &mut Site<'_, '_>) -> Done {
    let (x, size) = (s.x(), s.nat(s.op, "size")?);
    let n = s.len(x)?;
    // With all of the size there is no other offset than 0.
    s.same("the slice is the whole", &size, &n)?;
    s.done(x)
}

fn cast_cast(s: &mut Site<'_, '_>) -> Done {
    let x = s.x();
    let want = s.ir().ty(s.ir().result(s.op, 0));
    if s.ir().ty(x) == want {
        return s.done(x);
    }
    let inner = s.from(x, array::Cast::DEF)?;
    let from = array::Cast(inner).x(s.ir());
    let same = s.ir().ty(from) == want;
    s.require("the types are equal", same, |_| "the first and last type differ".to_string())?;
    s.done(from)
}
