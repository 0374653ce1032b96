//! Wheels of a vendor in a private Python environment under the target folder
//!
//! Nothing of them is linked or shipped: what they hold is started or opened at run time, and what needs it is skipped by
//! name where it is absent.

use super::apt;
use crate::progress::Step;
use crate::{Fallible, process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package with its pinned version
pub type Wheel = (&'static str, &'static str);

/// The folder of Python's packages, where all of these are there in their versions
pub fn installed(environment: &Path, wheels: &[Wheel]) -> Option<PathBuf> {
    let packages = site_packages(environment)?;
    for (name, version) in wheels {
        let info = format!("{}-{version}.dist-info", name.replace('-', "_"));
        packages.join(info).is_dir().then_some(())?;
    }
    Some(packages)
}

/// Bring wheels without what they depend on
pub fn install(environment: &Path, wheels: &[Wheel], what: &str) -> Fallible {
    make_environment(environment)?;
    let step = Step::start(&format!("setup: pip install {what}"));
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-cache-dir",
    ]);
    pip.args(wheels.iter().map(|(name, version)| format!("{name}=={version}")));
    let outcome = process::text(&mut pip);
    step.end(&outcome);
    outcome.map(|_| ())
}

/// A virtual environment with pip, made with what the system has
fn make_environment(environment: &Path) -> Fallible {
    if environment.join("bin/pip").is_file() {
        return Ok(());
    }
    let create = || {
        // What a broken earlier attempt left would be taken for a whole one.
        let _ = fs::remove_dir_all(environment);
        let system = Path::new("/usr/bin/python3");
        let python = if system.is_file() { system } else { Path::new("python3") };
        process::text(Command::new(python).args(["-m", "venv"]).arg(environment))
    };
    if create().is_ok() {
        return Ok(());
    }
    match apt::situation() {
        apt::Situation::Root => apt::bring(&["python3-venv"])?,
        apt::Situation::NoRoot => {
            return Err("Python's venv is missing; run: sudo apt-get install -y python3-venv".into());
        }
        apt::Situation::NoApt => return Err("Python 3 with venv and pip is missing; install it".into()),
    }
    create().map(|_| ())
}

/// `lib/python3.N/site-packages`, whichever N
fn site_packages(environment: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(environment.join("lib")).ok()?.flatten().map(|entry| entry.path()).collect();
    found.sort();
    found.into_iter().map(|python| python.join("site-packages")).find(|path| path.is_dir())
}
