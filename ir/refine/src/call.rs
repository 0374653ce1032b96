//! A call with all that it is given, buffers included.

use std::fmt;
use terrace_interp::text::{parse_value, split, value_text};
use terrace_interp::{Interpreter, RtValue, Trap};
use terrace_ir::{Context, DYNAMIC, Type, TypeKind};

/// What a function is given for one parameter
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A value
    Value(RtValue),
    /// A buffer of its own
    Buffer {
        /// Sizes of the dimensions
        sizes: Vec<i64>,
        /// What it holds at the start, row by row; the rest is not written
        elements: Vec<RtValue>,
    },
}

/// A call from outside
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Name of the function
    pub function: String,
    /// What it is given
    pub args: Vec<Arg>,
}

impl Call {
    /// A call on values alone
    pub fn of(function: &str, args: &[RtValue]) -> Call {
        Call { function: function.into(), args: args.iter().cloned().map(Arg::Value).collect() }
    }

    /// Read what follows the name: arguments between commas, a buffer as the list of its elements, row by row
    ///
    /// Before the list of a buffer with an open size all its sizes stand, `2x3[1, 2, 3, 4, 5, 6]`. The error names the argument.
    pub fn parse(cx: &Context, function: &str, text: &str, types: &[Type]) -> Result<Call, String> {
        let texts = split(text);
        if texts.len() != types.len() {
            return Err(format!("@{function} takes {} arguments", types.len()));
        }
        let args = texts.iter().zip(types).map(|(text, ty)| {
            let wrong = || format!("`{text}` is no value of the argument's type");
            Arg::parse(cx, text, *ty).ok_or_else(wrong)
        });
        Ok(Call { function: function.into(), args: args.collect::<Result<_, _>>()? })
    }

    /// Do the arguments fit a function with parameters of these types?
    pub fn fits(&self, cx: &Context, types: &[Type]) -> bool {
        self.args.len() == types.len() && self.args.iter().zip(types).all(|(arg, ty)| arg.fits(cx, *ty))
    }

    /// The values to call with; buffers are allocated and filled
    pub(crate) fn prepare(&self, interpreter: &mut Interpreter<'_>) -> Result<Vec<RtValue>, Trap> {
        let mut values = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            values.push(match arg {
                Arg::Value(value) => value.clone(),
                Arg::Buffer { sizes, elements } => {
                    let memory = interpreter.memory();
                    let view = memory.alloc(sizes)?;
                    memory.set_elements(&view, elements.iter().cloned().enumerate())?;
                    RtValue::MemRef(view)
                }
            });
        }
        Ok(values)
    }
}

impl Arg {
    /// Read one argument, see [`Call::parse`]
    pub fn parse(cx: &Context, text: &str, ty: Type) -> Option<Arg> {
        let TypeKind::MemRef { shape, elem, .. } = ty.kind(cx) else {
            return parse_value(cx, text, ty).map(Arg::Value);
        };
        let text = text.trim();
        let (sizes, list) = text.split_at(text.find('[')?);
        let sizes: Vec<i64> = match sizes.trim() {
            "" => shape.to_vec(),
            sizes => sizes.split('x').map(|size| size.trim().parse().ok()).collect::<Option<_>>()?,
        };
        let fits = |(size, wanted): (&i64, &i64)| *size >= 0 && (*wanted == DYNAMIC || size == wanted);
        if sizes.len() != shape.len() || !sizes.iter().zip(&**shape).all(fits) {
            return None;
        }
        let list = list.trim().strip_prefix('[')?.strip_suffix(']')?;
        let elements: Vec<RtValue> =
            split(list).iter().map(|one| parse_value(cx, one, *elem)).collect::<Option<_>>()?;
        let count = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        (count == i64::try_from(elements.len()).ok()).then_some(Arg::Buffer { sizes, elements })
    }
}

impl Arg {
    /// Is it an argument for a parameter of this type?
    pub fn fits(&self, cx: &Context, ty: Type) -> bool {
        // The text of a value does not have its type: it reads back as the same value at its own type only.
        Arg::parse(cx, &self.to_string(), ty).as_ref() == Some(self)
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Value(value) => f.write_str(&value_text(value)),
            Arg::Buffer { sizes, elements } => {
                let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
                let elements: Vec<String> = elements.iter().map(value_text).collect();
                write!(f, "{}[{}]", sizes.join("x"), elements.join(", "))
            }
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.args.iter().map(Arg::to_string).collect();
        write!(f, "@{}({})", self.function, args.join(", "))
    }
}
