//! The computations that `terrace-benches cpu` measures: a row of the table, a program, sizes, work.
//!
//! Programs are mathematics (`programs/*.mlir.in`, `{NAME}` stands for a size); the default schedule does the rest.

use serde_json::{Map, Value, json};

use crate::bound::Demand;

/// What a time is turned into
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Work {
    /// Operations on numbers, as GFLOP/s
    Flops(f64),
    /// Bytes that have to move, as GB/s
    Bytes(f64),
    /// Points, as billions per second
    Points(f64),
}

impl Work {
    /// Amount in units of 10⁹ per second, from nanoseconds
    pub fn rate(self, ns: f64) -> f64 {
        let (Self::Flops(amount) | Self::Bytes(amount) | Self::Points(amount)) = self;
        amount / ns
    }

    /// What the rate is in
    pub fn unit(self) -> &'static str {
        match self {
            Self::Flops(_) => "GFLOP/s",
            Self::Bytes(_) => "GB/s",
            Self::Points(_) => "G/s",
        }
    }
}

/// One computation of given sizes
#[derive(Clone, Debug)]
pub struct Case {
    /// Row of the table it belongs to: what `--only` names
    pub row: &'static str,
    /// Program, and what the peers call it
    pub kind: &'static str,
    /// As the table shows it
    pub name: String,
    /// What stands for `{NAME}`
    pub sizes: Vec<(String, String)>,
    /// What is counted
    pub work: Work,
    /// Ratio to the best peer that is the goal
    pub goal: f64,
    /// Bytes that it has to read and to write at least, where these decide
    pub traffic: Option<(u64, u64)>,
}

impl Case {
    /// The program with its sizes
    pub fn program(&self) -> String {
        let template = TEMPLATES.iter().find(|(kind, _)| *kind == self.kind).map_or("", |(_, text)| text);
        self.sizes
            .iter()
            .fold(template.to_owned(), |text, (name, size)| text.replace(&format!("{{{name}}}"), size))
    }

    /// The same computation with every extent so much larger; what follows from others follows. None where an extent would be none
    pub fn resized(&self, by: i64) -> Option<Case> {
        let number = |wanted: &str| self.sizes.iter().find(|(name, _)| name == wanted)?.1.parse::<i64>().ok();
        let image = number("H");
        let mut sizes: Vec<(&str, u64)> = Vec::new();
        for (name, size) in &self.sizes {
            let Ok(size) = size.parse::<i64>() else { continue };
            let other = match (name.as_str(), image) {
                // A filter, its steps and its border make another computation; one image stays one.
                ("R" | "P" | "T", Some(_)) => size,
                ("N", Some(_)) if size == 1 => 1,
                ("O", Some(image)) => {
                    let [taps, border, step] = [("R", 3), ("P", 0), ("T", 1)]
                        .map(|(name, otherwise)| number(name).unwrap_or(otherwise));
                    (image + by + 2 * border - taps) / step + 1
                }
                _ => size + by,
            };
            let valid = other > 0 || other == size;
            sizes.push((name, u64::try_from(other).ok().filter(|_| valid)?));
        }
        let name = self.name.clone();
        if self.kind != "contraction" {
            return Some(case(self.row, self.kind, name, &sizes, self.goal));
        }
        let extents: Vec<(char, u64)> =
            sizes.iter().filter_map(|(name, size)| Some((name.chars().next()?, *size))).collect();
        let spec = name.split(' ').next_back()?;
        Some(contraction(spec, &extents, self.goal))
    }

    /// What the processor can do at most is measured by this
    pub fn demand(&self) -> Demand {
        let operations = match self.work {
            Work::Flops(all) => Some(all),
            Work::Bytes(_) | Work::Points(_) => None,
        };
        Demand { traffic: self.traffic, operations }
    }

    /// How many arrays the program is given
    pub fn inputs(&self) -> usize {
        let program = self.program();
        let arguments = program.split_once("func.func @main(").map_or("", |(_, rest)| rest);
        arguments.split_once("->").map_or(0, |(arguments, _)| arguments.matches(": tensor<").count())
    }

    /// What the peers' process prepares it from
    pub fn request(&self) -> Value {
        let plain = self.sizes.iter().filter(|(name, _)| !matches!(name.as_str(), "XS" | "YS" | "ZS"));
        let sizes: Map<String, Value> = plain.map(|(name, size)| (name.clone(), json!(size))).collect();
        json!({ "kind": self.kind, "sizes": sizes })
    }

    /// Whether one of the names is this case's row or a part of its name; no names are all
    pub fn named_by(&self, only: &[String]) -> bool {
        only.is_empty() || only.iter().any(|name| self.row == name || self.name.contains(name.as_str()))
    }
}

macro_rules! templates {
    ($($kind:literal)*) => {
        const TEMPLATES: &[(&str, &str)] =
            &[$(($kind, include_str!(concat!("../../programs/", $kind, ".mlir.in")))),*];
    };
}

templates! {
    "matmul" "bmm" "conv" "depthwise" "softmax" "fused" "gauss" "dot" "gemv" "sum_all" "sum_rows" "sum_columns" "jacobi2d"
    "jacobi3d" "contraction" "histogram" "scan" "mbbs" "prl"
}

const F32: f64 = 4.0;

fn case(row: &'static str, kind: &'static str, name: String, sizes: &[(&str, u64)], goal: f64) -> Case {
    let of =
        |wanted: &str| sizes.iter().find(|(name, _)| *name == wanted).map_or(1.0, |(_, size)| *size as f64);
    let all: f64 = sizes.iter().map(|(_, size)| *size as f64).product();
    let work = match kind {
        "matmul" | "bmm" => Work::Flops(2.0 * all),
        "conv" => Work::Flops(2.0 * of("N") * of("O") * of("O") * of("K") * of("C") * of("R") * of("R")),
        "depthwise" => Work::Flops(2.0 * of("N") * of("O") * of("O") * of("C") * of("R") * of("R")),
        "softmax" => Work::Bytes(2.0 * F32 * all),
        "fused" => Work::Bytes(3.0 * F32 * all),
        "gauss" | "jacobi2d" => Work::Bytes(F32 * (of("H").powi(2) + of("O").powi(2))),
        "jacobi3d" => Work::Bytes(F32 * (of("H").powi(3) + of("O").powi(3))),
        "dot" | "scan" => Work::Bytes(2.0 * F32 * all),
        "histogram" => Work::Bytes(F32 * of("N")),
        "prl" => Work::Points(all),
        _ => Work::Bytes(F32 * all),
    };
    // What is written: as much as is read where the result has a point for each element.
    let traffic = match (work, kind) {
        (Work::Bytes(all), "softmax" | "scan") => Some((all / 2.0, all / 2.0)),
        (Work::Bytes(all), "gauss" | "jacobi2d") => {
            Some((all - F32 * of("O").powi(2), F32 * of("O").powi(2)))
        }
        (Work::Bytes(all), "jacobi3d") => Some((all - F32 * of("O").powi(3), F32 * of("O").powi(3))),
        (Work::Bytes(all), _) => Some((all, 0.0)),
        _ => None,
    };
    let traffic = traffic.map(|(read, write)| (read as u64, write as u64));
    let sizes = sizes.iter().map(|(name, size)| ((*name).to_owned(), size.to_string())).collect();
    Case { row, kind, name, sizes, work, goal, traffic }
}

fn matmul(m: u64, n: u64, k: u64, goal: f64) -> Case {
    case("matmul", "matmul", format!("MatMul {m}×{n}×{k}"), &[("M", m), ("N", n), ("K", k)], goal)
}

/// Image of `h`×`h`×`c`, `k` filters of `r`×`r`, steps of `t`, as much padding as keeps the size
pub(crate) fn conv(row: &'static str, name: &str, [h, c, k, r, t]: [u64; 5], goal: f64) -> Case {
    let pad = (r - 1) / 2;
    let out = (h + 2 * pad - r) / t + 1;
    let name = format!("{name} {c}×{h}×{h}→{k}, {r}×{r}/{t}");
    let sizes = [("N", 1), ("H", h), ("C", c), ("K", k), ("R", r), ("P", pad), ("T", t), ("O", out)];
    case(row, "conv", name, &sizes, goal)
}

fn depthwise(row: &'static str, name: &str, [h, c, r, t]: [u64; 4], goal: f64) -> Case {
    let pad = (r - 1) / 2;
    let out = (h + 2 * pad - r) / t + 1;
    let name = format!("{name} {c}×{h}×{h}, {r}×{r}/{t} depthwise");
    let sizes = [("N", 1), ("H", h), ("C", c), ("R", r), ("P", pad), ("T", t), ("O", out)];
    case(row, "depthwise", name, &sizes, goal)
}

/// A contraction of tensors, by the indices of result and operands: `abcdef-gdab-efgc`
fn contraction(spec: &str, extents: &[(char, u64)], goal: f64) -> Case {
    let extent = |index: char| extents.iter().find(|(name, _)| *name == index).map_or(1, |(_, size)| *size);
    let join = |part: &str, by: &str, text: &dyn Fn(char) -> String| {
        part.chars().map(text).collect::<Vec<_>>().join(by)
    };
    let parts: Vec<&str> = spec.split('-').collect();
    let mut sizes: Vec<(String, String)> =
        extents.iter().map(|(name, size)| (name.to_string(), size.to_string())).collect();
    for (name, part) in ["Z", "X", "Y"].iter().zip(&parts) {
        sizes.push(((*name).to_owned(), join(part, ", ", &|index| index.to_string())));
        sizes.push((format!("{name}S"), join(part, "x", &|index| extent(index).to_string())));
    }
    let points: u64 = extents.iter().map(|(_, size)| size).product();
    let work = Work::Flops(2.0 * points as f64);
    let name = format!("CCSD(T) {spec}");
    Case { row: "ccsdt", kind: "contraction", name, sizes, work, goal, traffic: None }
}

/// All of them, row by row
pub fn all() -> Vec<Case> {
    let mut all = vec![
        matmul(1024, 1024, 1024, 1.08),
        matmul(4096, 4096, 4096, 1.03),
        matmul(16, 1000, 2048, 1.7),
        matmul(128, 32, 1024, 1.4),
        matmul(10, 500, 64, 1.5),
        case(
            "matmul",
            "bmm",
            "bMatMul 16×10×500×64".into(),
            &[("B", 16), ("M", 10), ("N", 500), ("K", 64)],
            1.5,
        ),
    ];
    for (h, c, k) in [
        (224, 3, 64),
        (224, 64, 64),
        (112, 64, 128),
        (112, 128, 128),
        (56, 128, 256),
        (56, 256, 256),
        (28, 256, 512),
        (28, 512, 512),
        (14, 512, 512),
    ] {
        all.push(conv("vgg", "VGG-16", [h, c, k, 3, 1], 1.05));
    }
    all.push(conv("yolo", "YOLO C1", [448, 3, 64, 7, 2], 1.15));
    all.push(conv("yolo", "YOLO C13", [14, 1024, 1024, 3, 1], 1.5));
    for sizes in [
        [224, 3, 64, 7, 2],
        [56, 64, 64, 3, 1],
        [56, 64, 256, 1, 1],
        [28, 128, 128, 3, 1],
        [14, 256, 256, 3, 1],
        [7, 512, 512, 3, 1],
        [56, 256, 512, 1, 2],
    ] {
        all.push(conv("resnet", "ResNet-50", sizes, 1.2));
    }
    all.push(conv("mobilenet", "MobileNet", [224, 3, 32, 3, 2], 1.2));
    all.push(depthwise("mobilenet", "MobileNet", [112, 32, 3, 1], 1.2));
    all.push(depthwise("mobilenet", "MobileNet", [56, 128, 3, 2], 1.2));
    all.push(conv("mobilenet", "MobileNet", [56, 64, 128, 1, 1], 1.2));
    all.push(conv("mobilenet", "MobileNet", [14, 512, 512, 1, 1], 1.2));
    all.extend([
        case("softmax", "softmax", "softmax 1280×21128".into(), &[("M", 1280), ("N", 21128)], 1.2),
        case("fused", "fused", "Σ (x+y)·z 64×128×768".into(), &[("I", 64), ("J", 128), ("K", 768)], 1.35),
        case("gauss", "gauss", "Gauss 3×3 4096²".into(), &[("H", 4098), ("O", 4096)], 1.4),
        case("dot", "dot", "dot 2²⁴".into(), &[("N", 1 << 24)], 1.0),
        case("stream", "gemv", "gemv 4096²".into(), &[("M", 4096), ("N", 4096)], 1.0),
        case("stream", "sum_all", "sum of all 4096²".into(), &[("M", 4096), ("N", 4096)], 1.0),
        case("stream", "sum_rows", "sums of rows 4096²".into(), &[("M", 4096), ("N", 4096)], 1.0),
        case("stream", "sum_columns", "sums of columns 4096²".into(), &[("M", 4096), ("N", 4096)], 1.0),
        case("stream", "jacobi2d", "Jacobi 2D 4096²".into(), &[("H", 4098), ("O", 4096)], 1.0),
        case("stream", "jacobi3d", "Jacobi 3D 256³".into(), &[("H", 258), ("O", 256)], 1.0),
    ]);
    let first = [('a', 24), ('b', 16), ('c', 16), ('d', 16), ('e', 24), ('f', 16), ('g', 24)];
    let second = [('a', 24), ('b', 16), ('c', 16), ('d', 24), ('e', 16), ('f', 16), ('g', 24)];
    for spec in ["gdab-efgc", "gdac-efgb", "gdbc-efga"] {
        all.push(contraction(&format!("abcdef-{spec}"), &first, 3.0));
    }
    for spec in ["geab-dfgc", "geac-dfgb", "gebc-dfga", "gfab-degc", "gfac-degb", "gfbc-dega"] {
        all.push(contraction(&format!("abcdef-{spec}"), &second, 3.0));
    }
    all.extend([
        case("prl", "prl", "PRL 2¹⁰×2¹⁵".into(), &[("M", 1 << 10), ("N", 1 << 15)], 1.5),
        case("histogram", "histogram", "histogram 2²⁰, 256 bins".into(), &[("N", 1 << 20), ("B", 256)], 1.5),
        case("scan", "scan", "scan 2²⁴".into(), &[("N", 1 << 24)], 1.5),
        case("mbbs", "mbbs", "MBBS 4096²".into(), &[("M", 4096), ("N", 4096)], 1.5),
    ]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_filled_in() {
        for case in all() {
            let text = case.program();
            assert!(text.contains("mdh.compute"), "{}", case.name);

            for letter in ["{N}", "{H}", "{O}", "{K}", "{X}", "{XS}", "{a}"] {
                assert!(!text.contains(letter), "{}: {letter}", case.name);
            }
        }
    }

    #[test]
    fn contractions_name_extents() {
        let case = contraction("ab-ga-gb", &[('a', 2), ('b', 3), ('g', 5)], 3.0);
        assert_eq!(case.work, Work::Flops(60.0));
        assert!(case.sizes.contains(&("XS".into(), "5x2".into())));
        assert!(case.sizes.contains(&("Y".into(), "g, b".into())));
    }

    #[test]
    fn padding_keeps_the_size() {
        let case = conv("yolo", "C1", [448, 3, 64, 7, 2], 1.15);
        assert!(case.sizes.contains(&("O".into(), "224".into())));
    }
}
