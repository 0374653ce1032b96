//! `terrace-benches networks`: whole networks from ONNX models, one image, against onnxruntime and torch.
//!
//! A script writes the models, with weights that show exchanged channels; results are compared with onnxruntime's. Times are of one call
//! behind the preparation of weights, which all sides do before: onnxruntime and oneDNN pack them, and so does `mdh-prepare`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Done;
use crate::contest::{self, Limit, Program, Subject, Timed, peers};

/// Packages that the peers need besides those of every contest
const MORE: [(&str, &[&str]); 2] = [("onnx", &["onnx"]), ("onnxruntime", &["onnxruntime"])];

/// Options of `networks`
#[derive(clap::Args)]
#[group(id = "networks")]
pub struct Options {
    /// Networks: resnet, vgg, yolo, overfeat; all if absent
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Writes the models
    #[arg(long, default_value = "test-files/frontends/onnx/networks.py")]
    script: PathBuf,
    #[command(flatten)]
    contest: contest::Options,
}

/// A network
struct Network {
    /// What the script calls it
    name: &'static str,
    title: &'static str,
    script: PathBuf,
}

const NETWORKS: [(&str, &str); 4] =
    [("resnet", "ResNet-50"), ("vgg", "VGG-16"), ("yolo", "YOLO-v1"), ("overfeat", "OverFeat")];

impl Subject for Network {
    fn name(&self) -> String {
        self.title.into()
    }

    fn request(&self) -> Value {
        json!({ "network": { "script": self.script, "name": self.name } })
    }

    fn program(&self, folder: &Path) -> Done<Program> {
        let file = folder.join(format!("{}.onnx", self.name));
        Ok(Program { file, arguments: vec!["--set=N=1".into()], outputs: vec!["logits".into()] })
    }

    fn limit(&self) -> Option<Limit> {
        None
    }

    fn line(&self, timed: &Timed) -> String {
        let ms = |all: &[f64]| {
            let all = crate::stats::Summary::of(all.iter().map(|ns| ns / 1e6));
            format!("{:.1} ({:.1}–{:.1}) ms", all.median, all.min, all.max)
        };
        let ours = if timed.terrace.is_empty() { "–".to_owned() } else { ms(&timed.terrace) };
        let peer = timed.best().map_or("–".to_owned(), |best| format!("{} {}", best.name, ms(&best.ns)));
        let ratio = timed.ratio().map_or("–".to_owned(), |ratio| {
            format!("**{:.2}** ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
        });
        let others: Vec<String> =
            timed.others().map(|peer| format!("{} {:.1}", peer.name, peer.median() / 1e6)).collect();
        let (others, values) = (others.join(", "), &timed.values);
        format!("| {} | {} | {ours} | {peer} | {ratio} | {others} | {values} |", self.title, timed.place)
    }

    fn json(&self, timed: &Timed) -> Value {
        let peers: serde_json::Map<String, Value> =
            timed.peers.iter().map(|peer| (peer.name.clone(), json!(peer.ns))).collect();
        json!({ "network": self.name, "place": timed.place, "terrace_ns": timed.terrace, "peers_ns": peers, "values": timed.values })
    }
}

/// The networks of these names; all if there are none
fn named(only: &[String]) -> Done<Vec<(&'static str, &'static str)>> {
    if let Some(wrong) = only.iter().find(|wanted| NETWORKS.iter().all(|(name, _)| name != wanted)) {
        let known = NETWORKS.map(|(name, _)| name).join(", ");
        return Err(format!("no network is named `{wrong}`: there are {known}").into());
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    Ok(NETWORKS.into_iter().filter(|(name, _)| wanted(name)).collect())
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let script =
        std::fs::canonicalize(&options.script).map_err(|e| format!("{}: {e}", options.script.display()))?;
    let all = named(&options.only)?;
    let all: Vec<Network> =
        all.into_iter().map(|(name, title)| Network { name, title, script: script.clone() }).collect();
    peers::environment(&contest::environment_folder(options.contest.venv()), &peers::PACKAGES[..1], &MORE)?;
    let header = |place: &str| {
        format!(
            "| network | {place} | terrace (min–max) | best peer (min–max) | speed / best peer (min–max) | others | values |\n\
             |---|---:|---:|---:|---:|---|---|"
        )
    };
    contest::run(&options.contest, &all, header)?.finish(&options.contest, &all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_one_of_a_network() {
        let names = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|name| name.to_string()).collect();
            let found = named(&only).map_err(|why| why.to_string())?;
            Ok::<Vec<&str>, String>(found.into_iter().map(|(name, _)| name).collect())
        };
        assert_eq!(names(&[]), Ok(vec!["resnet", "vgg", "yolo", "overfeat"]));
        assert_eq!(names(&["vgg", "resnet"]), Ok(vec!["resnet", "vgg"]));
        assert!(names(&["resnet", "typo"]).is_err_and(|why| why.contains("`typo`")));
    }
}
