//! Machine code of kernels: what `nvdisasm` prints, counted by instruction.

use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// Instructions that are counted: memory with its width, products and sums, exchanges, barriers, branches
const COUNTED: [&str; 13] =
    ["LDG", "STG", "LDGSTS", "LDS", "STS", "FFMA", "FADD", "FMUL", "FMNMX", "MUFU", "SHFL", "BAR", "BRA"];

/// Code of one kernel
pub struct KernelCode {
    /// Kernel name
    pub name: String,
    /// Instructions, with the width of those that access memory: `LDG.128`
    instructions: Vec<String>,
    /// Bodies of loops, up to the branch back
    loops: Vec<Range<usize>>,
}

impl KernelCode {
    /// A line for the whole kernel, then one for each loop, indented by how many are around it
    pub fn counts(&self) -> String {
        let mut lines = vec![format!("{}: {}", self.name, self.counted(0..self.instructions.len()))];
        for own in &self.loops {
            let around = self.loops.iter().filter(|other| {
                other.start <= own.start
                    && own.end <= other.end
                    && (other.start, other.end) != (own.start, own.end)
            });
            lines.push(format!("{}loop: {}", "  ".repeat(1 + around.count()), self.counted(own.clone())));
        }
        lines.join("\n")
    }

    /// In the longest loop: instructions of a kind between the last one before and the first one after it, of two other kinds
    pub fn between(&self, before: &str, own: &str, after: &str) -> usize {
        let Some(range) = self.loops.iter().max_by_key(|range| range.len()) else { return 0 };
        let code = &self.instructions[range.clone()];
        let is = |name: &str, kind: &str| name.split('.').next() == Some(kind);
        let Some(first) = code.iter().position(|name| is(name, after)) else { return 0 };
        let Some(last) = code[..first].iter().rposition(|name| is(name, before)) else { return 0 };
        code[last..first].iter().filter(|name| is(name, own)).count()
    }

    fn counted(&self, range: Range<usize>) -> String {
        let mut found: Vec<(usize, &str, usize)> = Vec::new();
        for name in &self.instructions[range] {
            let base = name.split('.').next().unwrap_or_default();
            let Some(at) = COUNTED.iter().position(|counted| *counted == base) else { continue };
            match found.iter_mut().find(|(_, other, _)| other == name) {
                Some((_, _, count)) => *count += 1,
                None => found.push((at, name, 1)),
            }
        }
        found.sort_unstable();
        let all: Vec<String> = found.into_iter().map(|(_, name, count)| format!("{name} {count}")).collect();
        all.join(", ")
    }
}

/// Code of all kernels of a file of machine code, by name
pub fn disassemble(nvdisasm: &Path, code: &Path) -> Vec<KernelCode> {
    let out = Command::new(nvdisasm).arg("-c").arg(code).output().expect("nvdisasm runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut found = parse(&String::from_utf8_lossy(&out.stdout));
    found.sort_by(|one, two| one.name.cmp(&two.name));
    found
}

fn parse(text: &str) -> Vec<KernelCode> {
    let mut found: Vec<KernelCode> = Vec::new();
    let mut labels: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix(".text.").and_then(|name| name.strip_suffix(':')) {
            found.push(KernelCode { name: name.into(), instructions: Vec::new(), loops: Vec::new() });
            labels.clear();
        }
        let Some(kernel) = found.last_mut() else { continue };
        if let Some(label) = line.strip_suffix(':').filter(|label| label.starts_with(".L_")) {
            labels.push((label, kernel.instructions.len()));
        }
        // `        /*0010*/              @!P0 BRA `(.L_x_1) ;`
        let Some((_, rest)) = line.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
        else {
            continue;
        };
        let mut words = rest.split_whitespace().skip_while(|word| word.starts_with('@'));
        let Some(name) = words.next() else { continue };
        kernel.instructions.push(watched(name));
        let target = rest.split_once("`(").and_then(|(_, target)| target.split(')').next());
        let known = target.and_then(|target| labels.iter().find(|(label, _)| *label == target));
        let here = kernel.instructions.len();
        // What ends a kernel branches to itself.
        if let Some((_, start)) = known.filter(|(_, start)| name.starts_with("BRA") && start + 1 < here) {
            match kernel.loops.iter_mut().find(|own| own.start == *start) {
                Some(own) => own.end = here,
                None => kernel.loops.push(*start..here),
            }
        }
    }
    found.iter_mut().for_each(|kernel| kernel.loops.sort_by_key(|own| (own.start, usize::MAX - own.end)));
    found
}

/// A name without what is not counted: `LDG.E.128.CONSTANT` is `LDG.128`
fn watched(name: &str) -> String {
    let mut parts = name.split('.');
    let base = parts.next().unwrap_or_default();
    match parts.find(|part| ["64", "128"].contains(part)).filter(|_| base.starts_with(['L', 'S'])) {
        Some(width) => format!("{base}.{width}"),
        None => base.to_string(),
    }
}

#[test]
fn loops_and_widths_are_read() {
    let text = "\
.text.k:
        /*0000*/                   LDG.E.128.CONSTANT R4, desc[UR6][R2.64] ;
.L_x_0:
        /*0010*/                   FFMA R1, R2, R3, R1 ;
        /*0020*/                   LDS.128 R8, [R4] ;
        /*0030*/              @!P0 BRA `(.L_x_0) ;
        /*0040*/                   EXIT ;
.L_x_1:
        /*0050*/                   BRA `(.L_x_1);
";
    let [kernel] = &parse(text)[..] else { panic!("one kernel") };
    let wanted = "k: LDG.128 1, LDS.128 1, FFMA 1, BRA 2\n  loop: LDS.128 1, FFMA 1, BRA 1";
    assert_eq!(kernel.counts(), wanted);
}
