//! C without a directive keeps its order, bit by bit, on every back end: sums begin with what is there, and no part is summed for
//! itself. What a compiler of C gives without contraction is what the interpreter gives.

use crate::common::backends::with_devices;
use crate::common::{place, stdout};
use std::process::Command;

const PROGRAMS: [(&str, usize, &str); 4] = [
    ("rows", 2, "void rows(float s[restrict 5], const float x[restrict 5][67]) {
  for (int i = 0; i < 5; ++i) for (int k = 0; k < 67; ++k) s[i] += x[i][k];
}"),
    ("dot", 3, "void dot(double *restrict s, const double x[restrict 1009], const double y[restrict 1009]) {
  for (int k = 0; k < 1009; ++k) s[0] += x[k] * y[k];
}"),
    ("windows", 3, "void windows(float y[restrict 13][17], const float x[restrict 15][21], const float w[restrict 3][5]) {
  for (int i = 0; i < 13; ++i) for (int j = 0; j < 17; ++j)
    for (int r = 0; r < 3; ++r) for (int s = 0; s < 5; ++s) y[i][j] += x[i + r][j + s] * w[r][s];
}"),
    ("product", 3, "void product(float c[restrict 33][48], const float a[restrict 33][131], const float b[restrict 131][48]) {
  for (int i = 0; i < 33; ++i) for (int j = 0; j < 48; ++j) for (int k = 0; k < 131; ++k) c[i][j] += a[i][k] * b[k][j];
}"),
];

#[test]
fn c_keeps_its_order_on_every_back_end() {
    for (name, arguments, text) in PROGRAMS {
        let file = place(&format!("{name}.c"));
        std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
        command.arg(&file).args(["--tolerance=exact", &format!("--compare={}", with_devices(name))]);
        for n in 0..arguments {
            command.arg(format!("--in={n}=random:{}", n + 1));
        }
        let shown = stdout(&command.output().expect("cargo built the tool"));
        let _ = std::fs::remove_file(file);
        assert!(
            !shown.contains("elements differ") && shown.contains("without any difference"),
            "{name}: {shown}"
        );
    }
}
