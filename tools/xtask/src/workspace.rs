//! Where the workspace is and what cargo says about it

use crate::{Fallible, process};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The workspace around the current folder
pub struct Workspace {
    /// Its top folder
    pub root: PathBuf,
    /// Where cargo builds
    pub target: PathBuf,
}

impl Workspace {
    /// Search upwards from the current folder
    pub fn find() -> Fallible<Self> {
        let here = std::env::current_dir().map_err(|e| format!("no current folder: {e}"))?;
        let root = here.ancestors().find(|dir| dir.join("tools/xtask/Cargo.toml").is_file());
        let root = root.ok_or("run this inside of the Terrace repository")?.to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => here.join(dir),
            None => root.join("target"),
        };
        Ok(Workspace { root, target })
    }

    /// The folder of what set-up and tests leave behind
    pub fn state(&self) -> PathBuf {
        self.target.join("terrace")
    }

    /// Every package of the workspace, by cargo's own account
    pub fn packages(&self) -> Fallible<Vec<Package>> {
        let mut cargo = process::cargo(&self.root);
        let json = process::text(cargo.args(["metadata", "--no-deps", "--format-version", "1"]))?;
        parse_packages(&json, &self.root)
    }
}

/// One package of the workspace
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name
    pub name: String,
    /// Its folder from the root, such as `ir/core`
    pub folder: String,
    /// Declared features, implicit ones too
    pub features: Vec<String>,
    /// What it depends on
    pub dependencies: Vec<Dependency>,
    /// May it go to a registry?
    pub published: bool,
    /// Has it a description and a license?
    pub described: bool,
}

/// One dependency as declared
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The package's name
    pub name: String,
    /// Only for tests, examples and benchmarks
    pub dev: bool,
    /// In the workspace
    pub local: bool,
    /// Says which version
    pub versioned: bool,
}

fn parse_packages(json: &str, root: &Path) -> Fallible<Vec<Package>> {
    let tree: Value = serde_json::from_str(json).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = tree["packages"].as_array().ok_or("cargo metadata names no packages")?;
    let mut out: Vec<Package> = packages.iter().map(|package| parse_package(package, root)).collect();
    out.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(out)
}

fn parse_package(package: &Value, root: &Path) -> Package {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().unwrap_or(root);
    let folder = folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().into_owned();
    let features = package["features"].as_object();
    let mut features: Vec<String> = features.into_iter().flat_map(|map| map.keys().cloned()).collect();
    features.sort();
    let dependencies =
        package["dependencies"].as_array().into_iter().flatten().map(|dependency| Dependency {
            name: dependency["name"].as_str().unwrap_or_default().to_owned(),
            dev: dependency["kind"].as_str() == Some("dev"),
            local: dependency["path"].is_string(),
            versioned: dependency["req"].as_str().is_some_and(|version| version != "*"),
        });
    Package {
        name: package["name"].as_str().unwrap_or_default().to_owned(),
        folder,
        features,
        dependencies: dependencies.collect(),
        // An empty list means no registry at all.
        published: package["publish"].as_array().is_none_or(|registries| !registries.is_empty()),
        described: package["description"].is_string() && package["license"].is_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_cargo_prints() {
        let json = r#"{"packages": [{"name": "terrace-ir", "manifest_path": "/r/ir/core/Cargo.toml",
            "features": {"b": [], "a": []}, "dependencies": [
            {"name": "terrace-diag", "kind": null, "path": "/r/ir/diag", "req": "=0.1.0"}, {"name": "insta", "kind": "dev"}]},
            {"name": "xtask", "manifest_path": "/r/tools/xtask/Cargo.toml", "publish": [], "description": "d", "license": "l"}]}"#;
        let found = parse_packages(json, Path::new("/r")).expect("valid");
        assert_eq!(found[0].folder, "ir/core");
        assert_eq!(found[0].features, ["a", "b"]);
        assert!(found[0].dependencies[0].local && !found[0].dependencies[0].dev);
        assert!(found[0].dependencies[1].dev && !found[0].dependencies[1].local);
        assert!(found[0].dependencies[0].versioned && !found[0].dependencies[1].versioned);
        assert_eq!((found[0].published, found[0].described), (true, false));
        assert_eq!((found[1].published, found[1].described), (false, true));
    }

    #[test]
    fn refuses_what_is_not_metadata() {
        assert!(parse_packages("{}", Path::new("/r")).is_err());
        assert!(parse_packages("no", Path::new("/r")).is_err());
    }
}
