//! Windows of convolutions and pools: sizes, strides, dilations and borders of a node, and how many windows there are.

use crate::call::Call;
use crate::wrong::Done;
use terrace_ir::Attr;

/// A window along one dimension
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Elements of the input
    pub size: i64,
    pub kernel: i64,
    pub stride: i64,
    pub dilation: i64,
    /// Border before the input
    pub low: i64,
    /// Border behind it, as the model says
    pub high: i64,
    /// Number of windows
    pub count: i64,
}

/// Numbers of windows are of so many elements at most, so that none overflows
const MOST: i64 = 1 << 31;

impl Window {
    /// From the first to behind the last element of a window
    pub fn reach(&self) -> i64 {
        (self.kernel - 1) * self.dilation + 1
    }

    /// Border behind the input that the last window needs: less than nothing where no window is
    pub fn needed(&self) -> i64 {
        (self.count - 1) * self.stride + self.reach() - self.size - self.low
    }

    /// Elements of each window from a place on to before another
    pub fn covered(&self, from: i64, to: i64) -> Vec<i64> {
        let inside =
            |at: i64| (0..self.kernel).filter(|k| (from..to).contains(&(at + k * self.dilation))).count();
        (0..self.count).map(|n| inside(n * self.stride - self.low) as i64).collect()
    }
}

/// A list with a number for each dimension of space
pub(super) fn list(c: &Call<'_, '_>, name: &str, rank: usize, default: i64) -> Done<Vec<i64>> {
    let Some(all) = c.ints(name)? else { return Ok(vec![default; rank]) };
    match all.len() == rank && all.iter().all(|number| (default..MOST).contains(number)) {
        true => Ok(all),
        false => {
            let message = format!("`{name}` has {rank} numbers of {default} or more, found {all:?}");
            Err(crate::attributes::wrong(c.node, message))
        }
    }
}

/// Windows of these sizes over the dimensions of space
pub(super) fn windows(c: &Call<'_, '_>, space: &[i64], kernel: &[i64]) -> Done<Vec<Window>> {
    let rank = space.len();
    let [strides, dilations] = ["strides", "dilations"].map(|name| list(c, name, rank, 1));
    let (strides, dilations, auto) = (strides?, dilations?, c.text("auto_pad", "NOTSET")?);
    let pads = list(c, "pads", 2 * rank, 0)?;
    if auto != "NOTSET" && pads.iter().any(|pad| *pad != 0) {
        return Err(crate::attributes::wrong(
            c.node,
            format!("`auto_pad = {auto}` and `pads` exclude each other"),
        ));
    }
    let up = c.int("ceil_mode", 0)? != 0;
    let mut all = Vec::new();
    for n in 0..rank {
        let (size, kernel, stride, dilation) = (space[n], kernel[n], strides[n], dilations[n]);
        if !(1..MOST).contains(&kernel) || size >= MOST {
            return Err(c.shape_wrong(format!("a window of {kernel} over {size} elements has no form here")));
        }
        let mut window =
            Window { size, kernel, stride, dilation, low: pads[n], high: pads[n + rank], count: 0 };
        match auto {
            "NOTSET" | "VALID" => {
                let room = size + window.low + window.high - window.reach();
                window.count = if room < 0 { 0 } else { room / stride + 1 };
                // One more that is cut off, but only if it begins inside or in the border before.
                let more = room >= 0 && room % stride != 0 && window.count * stride < size + window.low;
                window.count += i64::from(up && more);
            }
            "SAME_UPPER" | "SAME_LOWER" => {
                window.count = (size + stride - 1) / stride;
                let border = window.needed().max(0);
                let half = if auto == "SAME_UPPER" { border / 2 } else { border - border / 2 };
                (window.low, window.high) = (half, border - half);
            }
            other => return Err(c.no_form("auto_pad", other)),
        }
        all.push(window);
    }
    Ok(all)
}

/// Pairs of borders as an attribute
pub(super) fn borders(c: &Call<'_, '_>, pairs: &[[i64; 2]]) -> Attr {
    let cx = c.e.cx();
    let ty = cx.tensor(&[pairs.len() as i64, 2], cx.common().i64);
    cx.dense_attr(ty, pairs.iter().flatten().flat_map(|number| number.to_le_bytes()).collect())
}
