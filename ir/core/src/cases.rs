//! Attributes that are one of several words, or a set of them, as Rust enums.
//!
//! [`attr_enums!`](crate::attr_enums) makes an enum whose cases are the words, and [`attr_flags!`](crate::attr_flags) a set
//! of bits. Both are attribute rules: a field of an `#[op]` struct names the type, its accessor returns it, and `build`
//! takes it. Each has its table [`EnumDef`] as `DEF`, which parser, printer and registration read.

use crate::attrs::Attr;
use crate::context::Context;
use crate::defs::EnumDef;
use crate::types::Type;

/// How an enumeration is kept: as its own attribute, or as an integer of this type
pub type Stored = Option<fn(&Context) -> Type>;

/// Value of an attribute in this enumeration
pub fn read(cx: &Context, attr: Attr, def: &'static EnumDef, stored: Stored) -> Option<u64> {
    match stored {
        None => attr.as_enum(cx, def),
        Some(wanted) => {
            let (value, ty) = attr.as_int(cx)?;
            u64::try_from(value).ok().filter(|_| ty == wanted(cx))
        }
    }
}

/// The attribute of a value
pub fn write(cx: &Context, value: u64, def: &'static EnumDef, stored: Stored) -> Attr {
    match stored {
        None => cx.enum_attr(def, value),
        Some(ty) => cx.int_attr(value.into(), ty(cx)),
    }
}

/// Enums of attribute cases: `/// doc  pub Name = "dialect.name", "what errors say", form { Case "word" value, … }`
///
/// The form is `keyword` for an attribute `#dialect.name<word>`, `spaced` for `#dialect<name word>`, and `i32` or `i64`
/// for a keyword kept as an integer of this type.
#[macro_export]
macro_rules! attr_enums {
    ($($(#[$doc:meta])* $vis:vis $name:ident = $text:literal, $what:literal, $form:ident
        { $($case:ident $word:literal $value:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $name {
            $(#[doc = concat!("`", $word, "`")] $case,)*
        }

        #[allow(dead_code)]
        impl $name {
            /// The table of names and values
            $vis const DEF: &'static $crate::EnumDef = {
                static DEF: $crate::EnumDef = $crate::EnumDef {
                    name: $text,
                    cases: &[$(($word, $value)),*],
                    flags: false,
                    separator: $crate::attr_enums!(@separator $form),
                };
                &DEF
            };
            const STORED: $crate::cases::Stored = $crate::attr_enums!(@stored $form);
            /// All cases, in the order of the definition
            $vis const ALL: &'static [$name] = &[$($name::$case),*];

            /// The word in text
            $vis const fn word(self) -> &'static str {
                match self { $($name::$case => $word,)* }
            }

            /// The number that stands for the case
            $vis const fn value(self) -> u64 {
                match self { $($name::$case => $value,)* }
            }

            /// The case of a number
            $vis const fn from_value(value: u64) -> ::core::option::Option<$name> {
                match value {
                    $($value => ::core::option::Option::Some($name::$case),)*
                    _ => ::core::option::Option::None,
                }
            }

            /// The case of a word
            $vis fn from_word(word: &str) -> ::core::option::Option<$name> {
                match word {
                    $($word => ::core::option::Option::Some($name::$case),)*
                    _ => ::core::option::Option::None,
                }
            }

            /// The case that an attribute names
            $vis fn of(cx: &$crate::Context, attr: $crate::Attr) -> ::core::option::Option<$name> {
                $name::from_value($crate::cases::read(cx, attr, $name::DEF, $name::STORED)?)
            }

            /// The attribute
            $vis fn attr(self, cx: &$crate::Context) -> $crate::Attr {
                $crate::cases::write(cx, self.value(), $name::DEF, $name::STORED)
            }
        }

        $crate::attr_enums!(@rule $name $what, $crate::attr_enums!(@form $name $form));
    )*};
    (@rule $name:ident $what:literal, $form:expr) => {
        impl $crate::rules::AttrRule for $name {
            const RULE: $crate::defs::AttrConstraint = $crate::defs::AttrConstraint {
                what: $what,
                form: $form,
                test: |cx, attr| $name::of(cx, attr).is_some(),
            };
            type Value = $name;

            fn read(cx: &$crate::Context, attr: $crate::Attr) -> ::core::option::Option<$name> {
                $name::of(cx, attr)
            }

            fn write(cx: &$crate::Context, value: $name) -> $crate::Attr {
                value.attr(cx)
            }
        }
    };
    (@separator spaced) => { " " };
    (@separator $form:ident) => { "" };
    (@stored i32) => { ::core::option::Option::Some(|cx| cx.common().i32) };
    (@stored i64) => { ::core::option::Option::Some(|cx| cx.common().i64) };
    (@stored $form:ident) => { ::core::option::Option::None };
    (@form $name:ident i32) => { $crate::AttrForm::IntEnum($name::DEF, |cx| cx.common().i32) };
    (@form $name:ident i64) => { $crate::AttrForm::IntEnum($name::DEF, |cx| cx.common().i64) };
    (@form $name:ident $form:ident) => { $crate::AttrForm::Enum($name::DEF) };
}

/// Sets of attribute cases: `/// doc  pub Name = "dialect.name", "what errors say", ", " { CASE "word" bits, … }`
///
/// The last text separates cases. A case of no bits is the empty set.
#[macro_export]
macro_rules! attr_flags {
    ($($(#[$doc:meta])* $vis:vis $name:ident = $text:literal, $what:literal, $separator:literal
        { $($case:ident $word:literal $value:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        $vis struct $name(u64);

        #[allow(dead_code)]
        impl $name {
            $(#[doc = concat!("`", $word, "`")] $vis const $case: $name = $name($value);)*
            /// The table of names and values
            $vis const DEF: &'static $crate::EnumDef = {
                static DEF: $crate::EnumDef = $crate::EnumDef {
                    name: $text,
                    cases: &[$(($word, $value)),*],
                    flags: true,
                    separator: $separator,
                };
                &DEF
            };

            /// The bits
            $vis const fn bits(self) -> u64 {
                self.0
            }

            /// Is nothing set?
            $vis const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Are all of these set?
            $vis const fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// Is one of these set?
            $vis const fn has_any(self, other: $name) -> bool {
                self.0 & other.0 != 0
            }

            /// What one of the two sets has
            $vis const fn and(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// The set that an attribute names
            $vis fn of(cx: &$crate::Context, attr: $crate::Attr) -> ::core::option::Option<$name> {
                attr.as_enum(cx, $name::DEF).map($name)
            }

            /// The attribute
            $vis fn attr(self, cx: &$crate::Context) -> $crate::Attr {
                cx.enum_attr($name::DEF, self.0)
            }

            /// The attribute of the empty set, the usual default of a field
            $vis fn none(cx: &$crate::Context) -> $crate::Attr {
                $name::default().attr(cx)
            }
        }

        $crate::attr_enums!(@rule $name $what, $crate::AttrForm::Enum($name::DEF));
    )*};
}
