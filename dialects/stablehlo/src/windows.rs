//! Text of a convolution's dimensions, `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, and of its window.

use terrace_diag::Reported;
use terrace_ir::show::push_int;
use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, DenseData};
use terrace_text::{Delim, OpParser, OpPrinter};

/// Letters of the two dimensions that are not of space, by tensor
const LETTERS: [[&str; 2]; 3] = [["b", "f"], ["i", "o"], ["b", "f"]];
const BETWEEN: [&str; 3] = ["", "x", "->"];

/// What is wrong with the attributes of a window or the numbers of dimensions
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WindowError {
    /// A dimension of a tensor that it does not have
    Range {
        /// Input, kernel or output
        tensor: &'static str,
        /// Number of its dimensions
        rank: usize,
        /// The dimension
        dim: i64,
    },
    /// A dimension of a tensor that is there twice
    Twice {
        /// Input, kernel or output
        tensor: &'static str,
        /// All dimensions
        dims: Vec<i64>,
    },
    /// A list of another length than there are dimensions
    Length {
        /// Which list
        name: &'static str,
        /// Number of dimensions
        rank: usize,
        /// Its length
        len: usize,
    },
    /// A number that is not positive
    Sign {
        /// Which number
        what: &'static str,
        /// Of which dimension
        dim: usize,
        /// The number
        value: i64,
    },
    /// A border of another shape than two numbers for each dimension; its type
    Padding(String),
}

impl std::fmt::Display for WindowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WindowError::Range { tensor, rank, dim } => {
                write!(f, "expects {tensor} dimension-numbers to be in-range [0, {rank}), got {dim}")
            }
            WindowError::Twice { tensor, dims } => {
                write!(f, "expects {tensor} dimension-numbers to be unique, got {dims:?}")
            }
            WindowError::Length { name, rank, len } => write!(
                f,
                "expects {name} to have same dimension-size as size of window dimensions ({rank}), but got: {len}."
            ),
            WindowError::Sign { what, dim, value } => {
                write!(
                    f,
                    "expects window to have positive {what} for {dim}-th window dimension, but got {value}."
                )
            }
            WindowError::Padding(ty) => {
                write!(f, "expects the padding-attribute to be 2D with shape [N, 2], but got {ty}")
            }
        }
    }
}

impl std::error::Error for WindowError {}

/// Is each dimension of each tensor there once?
pub fn verify_dimensions(cx: &Context, params: &[Attr]) -> Result<(), WindowError> {
    for (params, tensor) in params.chunks(3).zip(["input", "kernel", "output"]) {
        let &[first, second, spatial] = params else { return Ok(()) };
        let mut dims: Vec<i64> = [first, second].iter().filter_map(|attr| attr.as_i64(cx)).collect();
        dims.extend(spatial.as_dense_array(cx).unwrap_or(&[]));
        let rank = dims.len();
        if let Some(dim) = dims.iter().copied().find(|dim| !(0..rank as i64).contains(dim)) {
            return Err(WindowError::Range { tensor, rank, dim });
        }
        if (1..rank).any(|n| dims[..n].contains(&dims[n])) {
            return Err(WindowError::Twice { tensor, dims });
        }
    }
    Ok(())
}

/// Append the dimensions
pub fn spell_dimensions(cx: &Context, params: &[Attr], out: &mut String) {
    for ((letters, between), params) in LETTERS.into_iter().zip(BETWEEN).zip(params.chunks(3)) {
        let &[first, second, spatial] = params else { return };
        let spatial = spatial.as_dense_array(cx).unwrap_or(&[]);
        let mut words: Vec<Option<String>> = vec![None; spatial.len() + 2];
        let mut put = |at: Option<i64>, word: String| {
            let place = at.and_then(|at| usize::try_from(at).ok()).and_then(|at| words.get_mut(at));
            if let Some(place) = place {
                *place = Some(word);
            }
        };
        put(first.as_i64(cx), letters[0].into());
        put(second.as_i64(cx), letters[1].into());
        for (n, at) in spatial.iter().enumerate() {
            put(Some(*at), n.to_string());
        }
        out.push_str(between);
        out.push('[');
        let words: Vec<String> = words.into_iter().map(|word| word.unwrap_or_else(|| "?".into())).collect();
        out.push_str(&words.join(", "));
        out.push(']');
    }
}

/// The same, read: the nine parameters of the attribute
pub fn read_dimensions(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
    let mut params = Vec::new();
    for (letters, between) in LETTERS.into_iter().zip(BETWEEN) {
        match between {
            "x" => p.keyword("x")?,
            "->" => p.punct("->")?,
            _ => {}
        }
        let (named, spatial) = read_tensor(p, letters)?;
        let number = |value: i64| p.cx().int_attr(value.into(), p.cx().common().i64);
        params.extend([number(named[0]), number(named[1]), p.cx().i64_array(&spatial)]);
    }
    Ok(params)
}

/// `[b, 0, 1, f]`: places of the two letters and of the numbers, by number
fn read_tensor(p: &mut OpParser<'_, '_>, letters: [&str; 2]) -> Result<([i64; 2], Vec<i64>), Reported> {
    let at = p.here();
    let (mut named, mut numbers, mut next) = ([None; 2], Vec::<(i64, i64)>::new(), 0);
    p.list(Delim::Square, |p| {
        let here = p.here();
        if let Some(number) = p.int_opt()? {
            let number = i64::try_from(number).ok().filter(|number| (0..64).contains(number));
            let Some(number) = number else {
                return Err(p.error_in(here, "a dimension of space is a number from 0 to 63"));
            };
            if numbers.iter().any(|(other, _)| *other == number) {
                return Err(p.error_in(here, format!("Duplicate entries for spatial dimension {number}")));
            }
            numbers.push((number, next));
        } else {
            let n = p.one_of(&letters)?;
            if named[n].replace(next).is_some() {
                return Err(
                    p.error_in(here, format!("Duplicate entries for non-spatial dimension {}", letters[n]))
                );
            }
        }
        next += 1;
        Ok(())
    })?;
    let mut found = [0; 2];
    for (n, place) in named.into_iter().enumerate() {
        let Some(place) = place else {
            return Err(p.error_in(at, format!("Expected dimensions {} not specified", letters[n])));
        };
        found[n] = place;
    }
    numbers.sort_unstable();
    for (n, (number, _)) in numbers.iter().enumerate() {
        if *number != n as i64 {
            return Err(p.error_in(at, format!("Expected spatial dimensions {n} not specified")));
        }
    }
    Ok((found, numbers.into_iter().map(|(_, place)| place).collect()))
}

/// Words of a window, and the attributes that they set
const WINDOW: [(&str, &str); 5] = [
    ("stride", "window_strides"),
    ("pad", "padding"),
    ("lhs_dilate", "lhs_dilation"),
    ("rhs_dilate", "rhs_dilation"),
    ("reverse", "window_reversal"),
];

/// `stride = [1], pad = [[0, 0]], reverse = [false]` between braces that are there already
pub fn read_window(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let words = WINDOW.map(|(word, _)| word);
    while !p.at_punct("}") {
        let at = p.here();
        let n = p.one_of(&words)?;
        let (word, name) = WINDOW[n];
        if p.get_attr(name).is_some() {
            return Err(p.error_in(at, format!("Unexpected keyword {word}: it is there twice")));
        }
        p.punct("=")?;
        let attr = match word {
            "pad" => read_padding(p)?,
            "reverse" => read_reversal(p)?,
            _ => {
                let numbers = super::fields::sizes(p, Delim::Square)?;
                p.cx().i64_array(&numbers)
            }
        };
        p.set_attr(name, attr);
        if !p.punct_opt(",") {
            break;
        }
    }
    Ok(())
}

fn read_padding(p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
    let mut raw = Vec::new();
    let mut rows = 0;
    p.list(Delim::Square, |p| {
        let at = p.here();
        let pair = super::fields::sizes(p, Delim::Square)?;
        if pair.len() != 2 {
            let message = format!("Expected array with 2 elements, got {} elements instead", pair.len());
            return Err(p.error_in(at, message));
        }
        raw.extend(pair.iter().flat_map(|number| number.to_le_bytes()));
        rows += 1;
        Ok(())
    })?;
    let ty = p.cx().tensor(&[rows, 2], p.cx().common().i64);
    Ok(p.cx().dense_attr(ty, raw))
}

fn read_reversal(p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
    let mut values = Vec::new();
    p.list(Delim::Square, |p| {
        values.push(match p.int_opt()? {
            Some(number) => i64::from(number != 0),
            None => p.one_of(&["false", "true"])? as i64,
        });
        Ok(())
    })?;
    let elem = p.cx().common().i1;
    Ok(p.cx().attr(AttrKind::DenseArray { elem, values: values.into() }))
}

/// The same as text
pub fn print_window(p: &mut OpPrinter<'_>) {
    let (ir, cx, op) = (p.ir(), p.cx(), p.op());
    let mut any = false;
    for (word, name) in WINDOW {
        let Some(attr) = ir.attr(op, name) else { continue };
        p.text(if any { ", " } else { "" });
        any = true;
        p.text(word);
        p.text(" = [");
        let mut text = String::new();
        let numbers = match word {
            "pad" => pairs(cx, attr).unwrap_or_default(),
            _ => Vec::new(),
        };
        for (n, [low, high]) in numbers.into_iter().enumerate() {
            text.push_str(if n > 0 { ", [" } else { "[" });
            push_int(&mut text, low.into());
            text.push_str(", ");
            push_int(&mut text, high.into());
            text.push(']');
        }
        for (n, number) in attr.as_dense_array(cx).unwrap_or(&[]).iter().enumerate() {
            text.push_str(if n > 0 { ", " } else { "" });
            match word {
                "reverse" => text.push_str(if *number == 0 { "false" } else { "true" }),
                _ => push_int(&mut text, (*number).into()),
            }
        }
        p.text(&text);
        p.text("]");
    }
}

/// Rows of `dense<[[0, 1], …]> : tensor<…x2xi64>`; nothing if it has another shape
pub fn pairs(cx: &Context, attr: Attr) -> Option<Vec<[i64; 2]>> {
    let AttrKind::Dense { ty, .. } = attr.kind(cx) else { return None };
    let &[rows, 2] = ty.shape(cx)? else { return None };
    let numbers = numbers(cx, attr)?;
    let rows = usize::try_from(rows).ok().filter(|rows| numbers.len() == 2 * rows)?;
    Some((0..rows).map(|n| [numbers[2 * n], numbers[2 * n + 1]]).collect())
}

/// Elements of `dense<…> : tensor<…xi64>`, row by row
pub fn numbers(cx: &Context, attr: Attr) -> Option<Vec<i64>> {
    let AttrKind::Dense { ty, data } = attr.kind(cx) else { return None };
    if ty.scalar(cx) != cx.common().i64 {
        return None;
    }
    let count =
        ty.num_elements(cx).and_then(|count| usize::try_from(count).ok()).filter(|n| *n <= 1 << 20)?;
    let read = |raw: &[u8]| raw.try_into().map(i64::from_le_bytes).ok();
    match data {
        DenseData::Splat(raw) => read(raw).map(|value| vec![value; count]),
        DenseData::Raw(raw) => raw.chunks(8).map(read).collect(),
        DenseData::Strs(_) => None,
    }
}

/// A window along one dimension
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Elements of the window
    pub size: i64,
    /// Distance of neighboring windows
    pub stride: i64,
    /// Border before the base; a negative one cuts elements off
    pub low: i64,
    /// Border behind the base
    pub high: i64,
    /// Distance of neighboring elements of the base, between which there is nothing
    pub base_dilation: i64,
    /// Distance of neighboring elements of the window
    pub dilation: i64,
    /// The window is read backwards
    pub reversed: bool,
}

/// Attributes of windows, as they are: absent ones are one, zero and false for each dimension
#[derive(Clone, Default, Debug)]
pub struct WindowAttrs<'a> {
    /// Sizes of the window
    pub sizes: Vec<i64>,
    /// Distances of neighboring windows
    pub strides: &'a [i64],
    /// Borders
    pub padding: Vec<[i64; 2]>,
    /// Distances of elements of the base
    pub base_dilations: &'a [i64],
    /// Distances of elements of the window
    pub dilations: &'a [i64],
    /// Which dimensions are read backwards
    pub reversals: &'a [i64],
}

impl WindowAttrs<'_> {
    /// A window for each dimension, or what is wrong with an attribute
    pub fn windows(&self) -> Result<Vec<Window>, WindowError> {
        let rank = self.sizes.len();
        let lists = [
            (self.strides.len(), "window-strides"),
            (self.base_dilations.len(), "base-dilation factors"),
            (self.dilations.len(), "window-dilation factors"),
            (self.padding.len(), "padding-entries"),
            (self.reversals.len(), "window-reversal"),
        ];
        for (len, name) in lists {
            if len != 0 && len != rank {
                return Err(WindowError::Length { name, rank, len });
            }
        }
        (0..rank).map(|n| self.window(n)).collect()
    }

    fn window(&self, n: usize) -> Result<Window, WindowError> {
        let of = |list: &[i64]| list.get(n).copied().unwrap_or(1);
        let [low, high] = self.padding.get(n).copied().unwrap_or([0, 0]);
        let window = Window {
            size: self.sizes[n],
            stride: of(self.strides),
            low,
            high,
            base_dilation: of(self.base_dilations),
            dilation: of(self.dilations),
            reversed: self.reversals.get(n).is_some_and(|flag| *flag != 0),
        };
        let positive = [
            (window.size, "value"),
            (window.stride, "stride"),
            (window.base_dilation, "base dilation factor"),
            (window.dilation, "window dilation factor"),
        ];
        match positive.into_iter().find(|(value, _)| *value <= 0 && *value != DYNAMIC) {
            Some((value, what)) => Err(WindowError::Sign { what, dim: n, value }),
            None => Ok(window),
        }
    }
}

impl Window {
    /// Number of windows over a base of this size; not known if a size is not, or beyond 64 bits
    pub fn count(self, base: i64) -> i64 {
        if base == DYNAMIC || self.size == DYNAMIC {
            return DYNAMIC;
        }
        // Elements with the distance between them: n elements reach over (n - 1) * distance + 1.
        let reach = |size: i64, distance: i64| match size {
            0 => 0,
            _ => (i128::from(size) - 1) * i128::from(distance) + 1,
        };
        let base = reach(base, self.base_dilation) + i128::from(self.low) + i128::from(self.high);
        let window = reach(self.size, self.dilation);
        let count =
            if base <= 0 || window > base { 0 } else { (base - window) / i128::from(self.stride) + 1 };
        i64::try_from(count).unwrap_or(DYNAMIC)
    }
}
