//! What is replayed: one table of kinds of cases, and the runs that test files ask for

use super::corpus::{Program, Source, below};
use crate::Fallible;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;

/// What a recording keeps of standard output
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Its text
    Text,
    /// Its length and a hash, of code that is not read here
    Hash,
}

/// One run of one tool
#[derive(Clone, Debug)]
pub struct Case {
    /// The file that records it, without its extension
    pub name: String,
    /// The tool
    pub tool: &'static str,
    /// The program it reads
    pub program: Program,
    /// Other words of its command
    pub words: Vec<String>,
    /// What is kept
    pub keep: Keep,
}

/// A row of the table: a command for programs of these sources, once for each device
struct CaseKind {
    name: &'static str,
    sources: &'static [Source],
    devices: &'static [&'static str],
    tool: &'static str,
    /// `{device}` stands for the device, `{chosen}` for passes that make scheduled computations of any input
    words: &'static [&'static str],
    keep: Keep,
}

use Keep::{Hash, Text};
use Source::{Bench, Computations, Nests, Programs, Schedules, Structured};

const WRITTEN: &[Source] = &[Bench, Programs];
const DRAWN: &[Source] = &[Computations, Schedules];
const MATHEMATICS: &[Source] = &[Bench, Programs, Computations, Schedules];

/// A processor, kernels that the same processor runs, and a GPU
const FEW: &[&str] = &["x86-64-v4", "opencl-cpu", "cuda-sm90"];
/// Every file of `devices/`
const ALL: &[&str] = &["*"];
const HOST_AND_GPU: &[&str] = &["x86-64-v4", "cuda-sm90"];
const X86: &[&str] = &["x86-64-v2", "x86-64-v3", "x86-64-v4"];

const CHOSEN: &str =
    "func.func(bind-sizes),linalg-operators,func.func(linalg-to-mdh,mdh-schedule{target={device}})";

const OPT: &str = "terrace-opt";
const VIEW: &str = "terrace-view";
const TUNE: &str = "terrace-tune";

const fn opt(
    name: &'static str,
    sources: &'static [Source],
    devices: &'static [&'static str],
    words: &'static [&'static str],
    keep: Keep,
) -> CaseKind {
    CaseKind { name, sources, devices, tool: OPT, words, keep }
}

const fn view(name: &'static str, words: &'static [&'static str], keep: Keep) -> CaseKind {
    CaseKind { name, sources: WRITTEN, devices: FEW, tool: VIEW, words, keep }
}

const fn tune(
    name: &'static str,
    devices: &'static [&'static str],
    words: &'static [&'static str],
) -> CaseKind {
    CaseKind { name, sources: WRITTEN, devices, tool: TUNE, words, keep: Text }
}

/// The kinds. What test files ask for themselves is read from them.
#[rustfmt::skip]
const KINDS: &[CaseKind] = &[
    opt("schedule", WRITTEN, ALL, &["--pipeline={chosen}"], Text),
    opt("schedule", &[Computations], FEW, &["--pipeline={chosen}"], Text),
    opt("sched", WRITTEN, ALL, &["--pipeline={chosen},func.func(mdh-to-sched,sched-fuse)"], Text),
    opt("sched", DRAWN, FEW, &["--pipeline={chosen},func.func(mdh-to-sched,sched-fuse)"], Text),
    opt("obj", MATHEMATICS, X86, &["--pipeline={chosen},to-host", "--emit=obj", "--target-cpu={device}"], Hash),
    opt("obj", &[Structured, Nests], &["x86-64-v4"], &["--pipeline=to-host", "--emit=obj", "--target-cpu={device}"], Hash),
    opt("openmp", MATHEMATICS, &["openmp"], &["--pipeline={chosen},to-openmp", "--emit=openmp"], Hash),
    opt("opencl", MATHEMATICS, &["opencl-cpu", "mali-g72"], &["--pipeline={chosen},to-opencl", "--emit=opencl"], Hash),
    opt("cuda", MATHEMATICS, &["cuda-sm90"], &["--pipeline={chosen},to-cuda", "--emit=cuda"], Hash),
    opt("ptx", MATHEMATICS, &["cuda-sm90"], &["--pipeline={chosen},to-ptx", "--emit=ptx", "--target-cpu=sm_90"], Hash),
    view("view-svg", &["--target={device}", "--to=svg"], Hash),
    view("view-html", &["--target={device}", "--to=html"], Hash),
    view("view-text", &["--target={device}", "--to=text"], Text),
    view("view-toml", &["--target={device}", "--to=toml"], Text),
    view("view-json", &["--target={device}", "--to=json"], Text),
    view("view-tvm", &["--target={device}", "--to=tvm"], Text),
    view("view-parameters", &["--target={device}", "--to=parameters"], Text),
    view("view-traffic", &["--target={device}", "--to=traffic"], Text),
    tune("tune-auto", HOST_AND_GPU, &["--target={device}", "--auto", "--dry-run"]),
    tune("tune-size", HOST_AND_GPU, &["--target={device}", "--free=size", "--dry-run"]),
    // Spaces of levels and regions of a processor take up to minutes each: two of them are in `SEARCHES`.
    tune("tune-free", &["cuda-sm90"], &["--target={device}", "--free=core,region", "--dry-run"]),
];

/// Searches of single files: name, file, words
const SEARCHES: &[(&str, &str, &[&str])] = &[
    (
        "matmul-free",
        "test-files/demo/matmul.mlir",
        &["--target=x86-64-v4", "--free=size,core,region", "--dry-run"],
    ),
    ("conv-free", "test-files/demo/conv2d.mlir", &["--target=x86-64-v4", "--free=core,region", "--dry-run"]),
    ("nest", "test-files/passes/sched/decide.mlir", &["--dry-run"]),
    (
        "conv-search",
        "test-files/programs/conv_search.mlir",
        &[
            "--space=@tuning",
            "--target=opencl",
            "--dry-run",
            "--set=H=28",
            "--set=W=28",
            "--set=C=512",
            "--set=M=512",
            "--set=K=3",
            "--set=p=1",
        ],
    ),
    (
        "conv-search-fixed",
        "test-files/programs/conv_search.mlir",
        &[
            "--space=@tuning",
            "--target=opencl",
            "--dry-run",
            "--set=H=14",
            "--set=W=14",
            "--set=C=256",
            "--set=M=512",
            "--set=K=3",
            "--set=p=1",
            "--fix=theta=4",
            "--fix=tiles=block.x",
        ],
    ),
    (
        "conv-host",
        "test-files/programs/conv_host.mlir",
        &[
            "--space=@host",
            "--target=x86-64-v4",
            "--dry-run",
            "--set=H=56",
            "--set=W=56",
            "--set=C=128",
            "--set=M=256",
            "--set=K=3",
            "--set=p=1",
        ],
    ),
];

/// All cases, in order of their names
pub fn all(ws: &Workspace, corpus: &Path) -> Fallible<Vec<Case>> {
    let mut cases = of_test_files(&ws.root)?;
    let every = devices(&ws.root)?;
    for kind in KINDS {
        for source in kind.sources {
            for program in source.programs(&ws.root, corpus)? {
                let named = kind.devices.iter().map(|device| (*device).to_owned());
                let devices = if kind.devices == ALL { every.clone() } else { named.collect() };
                cases.extend(devices.iter().map(|device| kind.case(&program, device)));
            }
        }
    }
    cases.extend(SEARCHES.iter().map(|(name, path, words)| Case {
        name: format!("search/{name}"),
        tool: TUNE,
        program: Program { folder: ws.root.clone(), path: (*path).to_owned() },
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        keep: Text,
    }));
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// Names of the files of `devices/`
fn devices(root: &Path) -> Fallible<Vec<String>> {
    let name = |file: Program| Some(file.path.strip_prefix("devices/")?.strip_suffix(".toml")?.to_owned());
    Ok(below(root, "devices")?.into_iter().filter_map(name).collect())
}

impl CaseKind {
    fn case(&self, program: &Program, device: &str) -> Case {
        let word = |word: &&str| word.replace("{chosen}", CHOSEN).replace("{device}", device);
        Case {
            name: format!("{}/{device}/{}", self.name, program.path),
            tool: self.tool,
            program: program.clone(),
            words: self.words.iter().map(word).collect(),
            keep: self.keep,
        }
    }
}

/// The runs of the `test:` lines of all test files
///
/// `--verify-diagnostics` goes, so that the messages are recorded.
fn of_test_files(root: &Path) -> Fallible<Vec<Case>> {
    let mut cases = Vec::new();
    for program in below(root, "test-files")? {
        let path = root.join(&program.path);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (n, mut words) in runs(&text).into_iter().enumerate() {
            words.retain(|word| word != "--verify-diagnostics");
            let name = format!("test/{}/{n}", program.path.trim_start_matches("test-files/"));
            cases.push(Case { name, tool: OPT, program: program.clone(), words, keep: Text });
        }
    }
    Ok(cases)
}

/// The words after `test: opt` of each such line; of `test: round-trip` one run without words
fn runs(text: &str) -> Vec<Vec<String>> {
    let comments = text.lines().filter_map(|line| line.split_once("//")).map(|(_, comment)| comment.trim());
    comments
        .filter_map(|comment| match comment.strip_prefix("test:")?.trim() {
            "round-trip" => Some(Vec::new()),
            line => line.strip_prefix("opt").map(split_words),
        })
        .collect()
}

/// Words, with double or single quotes around what holds blanks
fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match c {
            '"' | '\'' if quoted.is_none() => quoted = Some(c),
            c if quoted == Some(c) => quoted = None,
            c if c.is_whitespace() && quoted.is_none() => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Keep every eleventh case of each kind, the first of each among them
pub fn thin(cases: &mut Vec<Case>) {
    let mut seen = std::collections::BTreeMap::new();
    cases.retain(|case| {
        let kind = case.name.split('/').next().unwrap_or_default().to_owned();
        let count: &mut usize = seen.entry(kind).or_default();
        *count += 1;
        // 11 has no factor in common with the counts of devices and forms, so that all of them occur.
        *count % 11 == 1
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn devices_of_the_table_have_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let files = devices(&root).expect("the folder is there");
        for device in KINDS.iter().filter(|kind| kind.devices != ALL).flat_map(|kind| kind.devices) {
            assert!(files.iter().any(|file| file == device), "{device}");
        }
    }

    #[test]
    fn lines_of_test_files_become_words() {
        let text =
            "// test: opt --pipeline=\"func.func(cse, dce)\" --stats\n// check: a\n// test: round-trip\n";
        assert_eq!(runs(text), [vec!["--pipeline=func.func(cse, dce)".to_owned(), "--stats".into()], vec![]]);
    }

    #[test]
    fn cases_have_names_of_their_own_and_no_holes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let program = Program { folder: root.clone(), path: "a.mlir".into() };
        let cases = KINDS.iter().flat_map(|kind| {
            let sources = kind.sources.iter();
            sources
                .flat_map(|source| kind.devices.iter().map(|device| (*source, kind.case(&program, device))))
        });
        let mut names = BTreeSet::new();
        for (source, case) in cases {
            assert!(names.insert((case.name.clone(), source as u8)), "{} of {source:?} twice", case.name);
            assert!(!case.words.iter().any(|word| word.contains("{device}") || word.contains("{chosen}")));
        }
        assert!(of_test_files(&root).expect("test files are there").len() > 300);
    }

    #[test]
    fn a_quick_replay_has_every_kind() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let program = Program { folder: root, path: "a.mlir".into() };
        let mut cases: Vec<Case> = KINDS
            .iter()
            .flat_map(|kind| kind.devices.iter().map(|device| kind.case(&program, device)))
            .collect();
        let kinds = |cases: &[Case]| -> BTreeSet<String> {
            cases.iter().filter_map(|case| Some(case.name.split('/').next()?.to_owned())).collect()
        };
        let before = kinds(&cases);
        thin(&mut cases);
        assert_eq!(kinds(&cases), before);
    }
}
