//! The layers of VGG-16, and where in the spaces of `convHost` and its like each is run.

/// A point of a strategy's space, and who works on it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Rows of windows of a strip; none without strips
    pub h: Option<u64>,
    /// Windows of a tile
    pub q: u64,
    /// Kernels of a panel
    pub o: u64,
    /// Channels of a part; none for all at once
    pub c: Option<u64>,
    /// `blocks` (strips are tasks), `packed` (the same, panels packed before), `panels` (which share a strip) or `direct` (panels,
    /// no strips)
    pub tasks: &'static str,
}

/// A layer: 3×3 windows, steps of one, one row and column of zeros around
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Its numbers among torchvision's modules
    pub names: &'static str,
    /// How many layers have these sizes
    pub count: u64,
    /// Height and width
    pub size: u64,
    /// Channels
    pub channels: u64,
    /// Kernels
    pub kernels: u64,
    /// The point on one thread
    pub one: Point,
    /// The point on several
    pub several: Point,
}

impl Layer {
    /// Operations on numbers
    pub fn flops(&self) -> f64 {
        (2 * 9 * self.size * self.size * self.channels * self.kernels) as f64
    }

    /// As the table shows it
    pub fn name(&self) -> String {
        let Layer { names, size, channels, kernels, .. } = self;
        format!("{names}: {channels}×{size}×{size}→{kernels}")
    }

    /// Its first number: what options call it
    pub fn first(&self) -> &'static str {
        self.names.split(',').next().unwrap_or_default()
    }

    /// The point on so many threads
    pub fn point(&self, threads: usize) -> Point {
        if threads == 1 { self.one } else { self.several }
    }

    /// The layer as a program
    pub fn program(&self) -> String {
        let sizes = [("{H}", self.size), ("{C}", self.channels), ("{K}", self.kernels)];
        let template = include_str!("../../programs/conv_host.mlir.in").to_owned();
        sizes.iter().fold(template, |text, (name, size)| text.replace(name, &size.to_string()))
    }
}

/// Strips are tasks, each with a copy of what it reads
const fn strips(h: u64, q: u64, o: u64) -> Point {
    Point { h: Some(h), q, o, c: None, tasks: "blocks" }
}

/// The same where all panels are packed before
const fn packed(h: u64, q: u64, o: u64) -> Point {
    Point { h: Some(h), q, o, c: None, tasks: "packed" }
}

/// Panels are tasks, which share a strip
const fn panels(h: u64, q: u64, o: u64) -> Point {
    Point { h: Some(h), q, o, c: None, tasks: "panels" }
}

/// The same with parts of channels
const fn parts(h: u64, q: u64, o: u64, c: u64) -> Point {
    Point { h: Some(h), q, o, c: Some(c), tasks: "panels" }
}

/// Panels are tasks, with parts of channels or without; windows are read where they are
const fn direct(q: u64, o: u64, c: Option<u64>) -> Point {
    Point { h: None, q, o, c, tasks: "direct" }
}

const fn layer(
    (names, count): (&'static str, u64),
    [size, channels, kernels]: [u64; 3],
    one: Point,
    several: Point,
) -> Layer {
    Layer { names, count, size, channels, kernels, one, several }
}

/// The nine
pub const ALL: [Layer; 9] = [
    layer(("0", 1), [224, 3, 64], strips(4, 4, 64), strips(4, 4, 64)),
    layer(("2", 1), [224, 64, 64], packed(8, 14, 32), packed(7, 14, 32)),
    layer(("5", 1), [112, 64, 128], strips(14, 14, 32), packed(2, 14, 32)),
    layer(("7", 1), [112, 128, 128], panels(14, 14, 32), packed(1, 14, 32)),
    layer(("10", 1), [56, 128, 256], parts(28, 14, 32, 32), direct(14, 32, None)),
    layer(("12, 14", 2), [56, 256, 256], parts(28, 14, 32, 64), direct(14, 32, Some(128))),
    layer(("17", 1), [28, 256, 512], parts(28, 14, 32, 64), parts(28, 14, 32, 64)),
    layer(("19, 21", 2), [28, 512, 512], parts(28, 14, 32, 128), parts(28, 14, 32, 128)),
    layer(("24, 26, 28", 3), [14, 512, 512], parts(14, 14, 32, 128), parts(14, 14, 32, 128)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_divide_their_layers() {
        for layer in ALL {
            for point in [layer.one, layer.several] {
                let rows = point.h.is_none_or(|h| layer.size % h == 0);
                assert!(rows && layer.size % point.q == 0, "{}", layer.name());
                assert!(layer.kernels % point.o == 0 && point.o % 16 == 0, "{}", layer.name());
                assert!(point.c.is_none_or(|c| layer.channels % c == 0), "{}", layer.name());
                // Sums, a vector of weights for each, and one number of a window.
                assert!((point.q + 1) * (point.o / 16) < 31, "{}", layer.name());
            }
        }
    }

    #[test]
    fn thirteen_layers() {
        assert_eq!(ALL.iter().map(|layer| layer.count).sum::<u64>(), 13);
        let billions = ALL.iter().map(|layer| layer.flops() * layer.count as f64).sum::<f64>() / 1e9;
        assert!((30.6..30.8).contains(&billions), "{billions}");
    }
}
