//! Other names of ops in the text; [`names`](crate::names) has what they mean.

use crate::{AsScalar, AsVector, JoinNd, Map, MapNd, PadNd, Place, Reduce, Scan, Slide, SlideNd, ZipNd};
use terrace_text::OtherNames;

macro_rules! names {
    ($($op:ident: $($name:literal)*;)*) => {$(
        impl OtherNames for $op {
            const NAMES: &'static [&'static str] = &[$($name),*];
        }
    )*};
}

names! {
    Map: "array.mapSeq" "array.mapSeqUnroll" "array.mapPar" "array.mapGlb" "array.mapWrg" "array.mapLcl" "array.mapGlobal"
        "array.mapWorkGroup" "array.mapLocal";
    Reduce: "array.reduceSeq" "array.reduceSeqUnroll";
    Place: "array.toGlobal" "array.toLocal" "array.toPrivate";
    Slide: "array.slideStrict";
    Scan: "array.scanSeq";
    AsVector: "array.asVector";
    AsScalar: "array.asScalar";
    MapNd: "array.mapND";
    ZipNd: "array.zipND";
    JoinNd: "array.joinND";
    SlideNd: "array.slideND";
    PadNd: "array.padND";
}
