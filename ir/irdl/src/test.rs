//! Tests on one type or attribute, and the parts of one that constraints look at.

use terrace_ir::{Attr, AttrKind, Context, FloatKind, Sign, Type, TypeKind};

/// A class of MLIR's C++ API
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Class {
    Integer,
    Index,
    Float,
    Complex,
    None,
    Function,
    Tuple,
    Vector,
    Tensor,
    RankedTensor,
    UnrankedTensor,
    MemRef,
    UnrankedMemRef,
    BaseMemRef,
    Shaped,
    OneFloat(FloatKind),
    StringAttr,
    IntegerAttr,
    FloatAttr,
    BoolAttr,
    ArrayAttr,
    DictAttr,
    TypeAttr,
    SymbolAttr,
    FlatSymbolAttr,
    UnitAttr,
    DenseArrayAttr,
    DenseArrayOf(u32),
    DenseFloatArrayOf(FloatKind),
    TypedAttr,
    AffineMapAttr,
    IntegerSetAttr,
    ElementsAttr,
    DenseElementsAttr,
    IntElementsAttr,
    FloatElementsAttr,
    StridedAttr,
    LocAttr,
}

/// Names of classes without their namespace
const CLASSES: &[(&str, Class)] = &[
    ("IntegerType", Class::Integer),
    ("IndexType", Class::Index),
    ("FloatType", Class::Float),
    ("ComplexType", Class::Complex),
    ("NoneType", Class::None),
    ("FunctionType", Class::Function),
    ("TupleType", Class::Tuple),
    ("VectorType", Class::Vector),
    ("TensorType", Class::Tensor),
    ("RankedTensorType", Class::RankedTensor),
    ("UnrankedTensorType", Class::UnrankedTensor),
    ("MemRefType", Class::MemRef),
    ("UnrankedMemRefType", Class::UnrankedMemRef),
    ("BaseMemRefType", Class::BaseMemRef),
    ("ShapedType", Class::Shaped),
    ("Float16Type", Class::OneFloat(FloatKind::F16)),
    ("BFloat16Type", Class::OneFloat(FloatKind::BF16)),
    ("Float32Type", Class::OneFloat(FloatKind::F32)),
    ("Float64Type", Class::OneFloat(FloatKind::F64)),
    ("StringAttr", Class::StringAttr),
    ("IntegerAttr", Class::IntegerAttr),
    ("FloatAttr", Class::FloatAttr),
    ("BoolAttr", Class::BoolAttr),
    ("ArrayAttr", Class::ArrayAttr),
    ("DictionaryAttr", Class::DictAttr),
    ("TypeAttr", Class::TypeAttr),
    ("SymbolRefAttr", Class::SymbolAttr),
    ("FlatSymbolRefAttr", Class::FlatSymbolAttr),
    ("UnitAttr", Class::UnitAttr),
    ("DenseArrayAttr", Class::DenseArrayAttr),
    ("DenseBoolArrayAttr", Class::DenseArrayOf(1)),
    ("DenseI8ArrayAttr", Class::DenseArrayOf(8)),
    ("DenseI16ArrayAttr", Class::DenseArrayOf(16)),
    ("DenseI32ArrayAttr", Class::DenseArrayOf(32)),
    ("DenseI64ArrayAttr", Class::DenseArrayOf(64)),
    ("DenseF32ArrayAttr", Class::DenseFloatArrayOf(FloatKind::F32)),
    ("DenseF64ArrayAttr", Class::DenseFloatArrayOf(FloatKind::F64)),
    ("TypedAttr", Class::TypedAttr),
    ("AffineMapAttr", Class::AffineMapAttr),
    ("IntegerSetAttr", Class::IntegerSetAttr),
    ("ElementsAttr", Class::ElementsAttr),
    ("DenseElementsAttr", Class::DenseElementsAttr),
    ("DenseIntOrFPElementsAttr", Class::DenseElementsAttr),
    ("DenseIntElementsAttr", Class::IntElementsAttr),
    ("DenseFPElementsAttr", Class::FloatElementsAttr),
    ("StridedLayoutAttr", Class::StridedAttr),
    ("LocationAttr", Class::LocAttr),
];

impl Class {
    /// The class of this name, without namespaces `mlir` and `llvm`
    pub fn find(name: &str) -> Option<Class> {
        let known = CLASSES.iter().find(|(other, _)| *other == name).map(|(_, class)| *class);
        // `Float8E4M3FNType` is `f8E4M3FN`.
        let float = || name.strip_prefix("Float")?.strip_suffix("Type");
        known.or_else(|| float().and_then(|rest| format!("f{rest}").parse().ok()).map(Class::OneFloat))
    }

    fn name(self) -> String {
        match (CLASSES.iter().find(|(_, class)| *class == self), self) {
            (Some((name, _)), _) => (*name).to_string(),
            (None, Class::OneFloat(kind)) => kind.to_string(),
            _ => "another class".to_string(),
        }
    }

    fn holds(self, cx: &Context, value: Attr) -> bool {
        match value.as_type(cx) {
            Some(ty) if self.of_type(cx, ty) => true,
            _ => self.of_attr(cx, value),
        }
    }

    fn of_type(self, cx: &Context, ty: Type) -> bool {
        let kind = ty.kind(cx);
        match self {
            Class::Integer => matches!(kind, TypeKind::Int { .. }),
            Class::Index => matches!(kind, TypeKind::Index),
            Class::Float => matches!(kind, TypeKind::Float(_)),
            Class::OneFloat(one) => matches!(kind, TypeKind::Float(other) if *other == one),
            Class::Complex => matches!(kind, TypeKind::Complex(_)),
            Class::None => matches!(kind, TypeKind::None),
            Class::Function => matches!(kind, TypeKind::Function { .. }),
            Class::Tuple => matches!(kind, TypeKind::Tuple(_)),
            Class::Vector => matches!(kind, TypeKind::Vector { .. }),
            Class::Tensor => matches!(kind, TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_)),
            Class::RankedTensor => matches!(kind, TypeKind::Tensor { .. }),
            Class::UnrankedTensor => matches!(kind, TypeKind::UnrankedTensor(_)),
            Class::MemRef => matches!(kind, TypeKind::MemRef { .. }),
            Class::UnrankedMemRef => matches!(kind, TypeKind::UnrankedMemRef { .. }),
            Class::BaseMemRef => matches!(kind, TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }),
            Class::Shaped => is_shaped(kind),
            _ => false,
        }
    }

    fn of_attr(self, cx: &Context, value: Attr) -> bool {
        let kind = value.kind(cx);
        let elements = |float: bool| matches!(kind, AttrKind::Dense { ty, .. } if ty.element(cx).is_some_and(|elem| elem.is_float(cx) == float));
        match self {
            Class::StringAttr => matches!(kind, AttrKind::Str { .. }),
            Class::IntegerAttr => matches!(kind, AttrKind::Int { .. } | AttrKind::Wide { .. }),
            Class::BoolAttr => value.as_int(cx).is_some_and(|(_, ty)| ty == cx.common().i1),
            Class::FloatAttr => matches!(kind, AttrKind::Float { .. }),
            Class::ArrayAttr => matches!(kind, AttrKind::Array(_)),
            Class::DictAttr => matches!(kind, AttrKind::Dict(_)),
            Class::TypeAttr => matches!(kind, AttrKind::Type(_)),
            Class::SymbolAttr => matches!(kind, AttrKind::Symbol { .. }),
            Class::FlatSymbolAttr => matches!(kind, AttrKind::Symbol { nested, .. } if nested.is_empty()),
            Class::UnitAttr => matches!(kind, AttrKind::Unit),
            Class::DenseArrayAttr => matches!(kind, AttrKind::DenseArray { .. }),
            Class::DenseArrayOf(width) => {
                matches!(kind, AttrKind::DenseArray { elem, .. } if elem.is_signless(cx, width))
            }
            Class::DenseFloatArrayOf(float) => matches!(kind, AttrKind::DenseArray { elem, .. }
                if matches!(elem.kind(cx), TypeKind::Float(other) if *other == float)),
            Class::TypedAttr => value.ty(cx).is_some(),
            Class::AffineMapAttr => matches!(kind, AttrKind::AffineMap(_)),
            Class::IntegerSetAttr => matches!(kind, AttrKind::IntegerSet(_)),
            Class::ElementsAttr => {
                matches!(kind, AttrKind::Dense { .. } | AttrKind::Sparse { .. } | AttrKind::Resource { .. })
            }
            Class::DenseElementsAttr => matches!(kind, AttrKind::Dense { .. }),
            Class::IntElementsAttr => elements(false),
            Class::FloatElementsAttr => elements(true),
            Class::StridedAttr => matches!(kind, AttrKind::Strided { .. }),
            Class::LocAttr => matches!(kind, AttrKind::Loc(_)),
            _ => false,
        }
    }
}

fn is_shaped(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Vector { .. }
            | TypeKind::Tensor { .. }
            | TypeKind::UnrankedTensor(_)
            | TypeKind::MemRef { .. }
            | TypeKind::UnrankedMemRef { .. }
    )
}

/// How two numbers are compared
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Compare::Equal => "",
            Compare::NotEqual => "other than ",
            Compare::Less => "below ",
            Compare::LessEqual => "at most ",
            Compare::Greater => "above ",
            Compare::GreaterEqual => "at least ",
        }
    }
}

/// A number of a type or attribute
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Number {
    Rank,
    Size,
    Value,
}

/// A test
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// Is of a class
    Isa(Class),
    /// An integer type of a sign, with one width or any; `None` is any sign
    Int(Option<Sign>, Option<u32>),
    /// A shape is known in part at least
    HasRank,
    /// No dimension is dynamic
    StaticShape,
    /// A number compared with a constant
    Number(Number, Compare, i128),
}

impl Test {
    /// Does it hold?
    pub fn holds(&self, cx: &Context, value: Attr) -> bool {
        match *self {
            Test::Isa(class) => class.holds(cx, value),
            Test::Int(sign, width) => match value.as_type(cx).map(|ty| ty.kind(cx)) {
                Some(TypeKind::Int { width: have, sign: other }) => {
                    sign.is_none_or(|sign| sign == *other) && width.is_none_or(|width| width == *have)
                }
                _ => false,
            },
            Test::HasRank => value.as_type(cx).is_some_and(|ty| ty.shape(cx).is_some()),
            Test::StaticShape => {
                let shape = value.as_type(cx).and_then(|ty| ty.shape(cx));
                shape.is_some_and(|shape| shape.iter().all(|size| *size >= 0))
            }
            Test::Number(number, compare, constant) => {
                number.of(cx, value).is_some_and(|have| compare.holds(have, constant))
            }
        }
    }

    /// The test in words
    pub fn words(&self) -> String {
        match self {
            Test::Isa(class) => class.name(),
            Test::Int(sign, width) => {
                let sign = match sign {
                    Some(Sign::Signless) => "signless ",
                    Some(Sign::Signed) => "signed ",
                    Some(Sign::Unsigned) => "unsigned ",
                    None => "",
                };
                width.map_or(format!("{sign}integer"), |width| format!("{width}-bit {sign}integer"))
            }
            Test::HasRank => "ranked".to_string(),
            Test::StaticShape => "of static shape".to_string(),
            Test::Number(number, compare, constant) => {
                let what = match number {
                    Number::Rank => "rank",
                    Number::Size => "size",
                    Number::Value => "value",
                };
                format!("of {what} {}{constant}", compare.words())
            }
        }
    }
}

impl Number {
    fn of(self, cx: &Context, value: Attr) -> Option<i128> {
        match self {
            Number::Rank => Some(value.as_type(cx)?.shape(cx)?.len() as i128),
            Number::Size => match value.kind(cx) {
                AttrKind::DenseArray { values, .. } => Some(values.len() as i128),
                AttrKind::Array(items) => Some(items.len() as i128),
                _ => None,
            },
            Number::Value => value.as_int(cx).map(|(value, _)| value),
        }
    }
}

/// A part of a type or attribute
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Element type of a shaped or complex type
    Element,
    /// Type of a number or of dense elements
    TypeOf,
    /// Type in a type attribute
    Held,
    /// A parameter by name, as C++ gets it: `valueType`
    Param(String),
}

impl Part {
    /// The part of a value
    pub fn of(&self, cx: &Context, value: Attr) -> Option<Attr> {
        match self {
            Part::Element => match value.as_type(cx)?.kind(cx) {
                TypeKind::Complex(part) => Some(cx.type_attr(*part)),
                _ => value.as_type(cx)?.element(cx).map(|ty| cx.type_attr(ty)),
            },
            Part::TypeOf => value.ty(cx).map(|ty| cx.type_attr(ty)),
            Part::Held => value.as_type(cx).map(|_| value),
            Part::Param(name) => {
                let (specs, params) = match value.as_type(cx).map(|ty| ty.kind(cx)) {
                    Some(TypeKind::Dialect { def, params }) => (def.params, params),
                    _ => match value.kind(cx) {
                        AttrKind::Dialect { def, params } => (def.params, params),
                        _ => return None,
                    },
                };
                params.get(specs.iter().position(|spec| spec.name == name)?).copied()
            }
        }
    }

    /// The part in words
    pub fn words(&self) -> String {
        match self {
            Part::Element => "an element type".to_string(),
            Part::TypeOf => "a type".to_string(),
            Part::Held => "a held type".to_string(),
            Part::Param(name) => format!("a parameter `{name}`"),
        }
    }
}
