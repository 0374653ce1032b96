//! Pages about searches: whole, closed to the network, of any log, looked at in a browser.

use crate::browser::{Page, browser};
use crate::html::Html;
use crate::search::{OPEN, PROGRAM, fresh, scratch, text, tune};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_support::Random;

/// The page of a log
fn page(log: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_terrace-tune")).arg(format!("--page={log}")).output();
    let output = output.expect("the tool runs");
    assert!(output.status.success(), "{}", text(&output).1);
    text(&output).0
}

/// A page as a browser reads it: well formed, and nothing in it leads elsewhere or runs
fn parsed(page: &str) -> Html {
    let html = Html::read(page);
    assert_eq!(html.errors, [""; 0]);
    for scheme in ["http:", "https:", "url(", "@import", "ftp:"] {
        assert!(!page.contains(scheme), "{scheme}");
    }
    for element in &html.elements {
        let name = element.name.as_str();
        assert!(!["link", "img", "iframe", "object", "base", "form"].contains(&name), "<{name}>");
        for (attribute, value) in &element.attributes {
            let is_link = ["src", "href", "action", "data"].contains(&attribute.as_str());
            assert!(!is_link || value.starts_with('#'), "{attribute}={value}");
            assert!(!attribute.starts_with("on"), "{attribute}={value}");
        }
        assert!(name != "script" || element.attribute("type") == Some("application/json"));
    }
    let policies = html.all("meta").into_iter().filter(|meta| meta.attribute("http-equiv").is_some());
    let policies: Vec<_> = policies.filter_map(|meta| meta.attribute("content")).collect();
    assert_eq!(policies, ["default-src 'none'; style-src 'unsafe-inline'"]);
    // A link for each section, in their order; a table behind each picture.
    let sections = html.all("section").into_iter().filter_map(|section| section.attribute("id"));
    let sections: Vec<_> = sections.map(|id| format!("#{id}")).collect();
    let links: Vec<_> = html.all("nav a").into_iter().filter_map(|link| link.attribute("href")).collect();
    assert_eq!(links, sections);
    assert_eq!(html.all("figure").len(), html.all("figure details table").len());
    html
}

fn data(html: &Html) -> Value {
    serde_json::from_str(&html.texts("#data")[0]).expect("JSON")
}

/// What a search of this repository writes is on its page
#[test]
fn a_search_has_a_page() {
    let (program, open) = (scratch("page.mlir", PROGRAM), scratch("page.txt", OPEN));
    let log = fresh("page.jsonl");
    let (schedule, log_arg) = (format!("--schedule={open}"), format!("--log={log}"));
    let run = ["--technique=random", "--prune=2", "--budget=12", "--bench=2", "--note=a <quiet> machine"];
    let output = tune(&[&[program.as_str(), &schedule, &log_arg], &run[..]].concat());
    assert!(output.status.success(), "{}", text(&output).1);
    let html = parsed(&page(&log));
    let verdict = html.texts("#verdict").remove(0);
    assert!(verdict.starts_with("The best of 12 points takes "), "{verdict}");
    // Which one it is depends on the times.
    let confirmed = ["confirmed", "not distinguishable", "nothing was faster", "is slower than"];
    assert!(confirmed.iter().any(|word| verdict.contains(word)), "{verdict}");
    let best = html.texts("#best pre").remove(0);
    assert!(best.starts_with("1: (") && !best.contains('?'), "the schedule itself: {best}");
    let draft = html.texts("#best details pre").remove(0);
    assert!(draft.contains("(?,4,?)"), "{draft}");
    let setting = html.texts("#setting dd").join("\n");
    for word in ["terrace-tune ", "--budget=12", "a <quiet> machine", "random", "interp", "host"] {
        assert!(setting.contains(word), "{word}: {setting}");
    }
    assert_eq!(html.texts("#course figure").len(), 2);
    assert!(html.texts("#effects td").iter().any(|cell| cell == "step.1.size.1"));
    assert!(html.texts("#stages td").iter().any(|cell| cell == "lowering"));
    let data = data(&html);
    assert_eq!(data["trials"].as_array().map(Vec::len), Some(12));
    assert_eq!(data["end"]["points"], 12);
    assert_eq!(data["header"]["names"], json!(["step.1.size.1", "step.1.size.3"]));
    // The choices of the first trial, by way of the list of values.
    let first = &data["trials"][0];
    let value = |choice: usize| {
        let at = first[5][choice].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a position");
        data["choices"][choice]["values"][at].as_str().expect("a value").to_owned()
    };
    let logged = std::fs::read_to_string(&log).expect("it is there");
    let logged: Value = serde_json::from_str(logged.lines().nth(1).expect("a point")).expect("JSON");
    assert_eq!([value(0), value(1)], [logged["point"][0].to_string(), logged["point"][1].to_string()]);
}

/// What the log of an interrupted search says
#[test]
fn a_page_says_what_is_not_confirmed() {
    let log = format!("{}/../../docs/figures/searches/layer19-solver.jsonl", env!("CARGO_MANIFEST_DIR"));
    let html = parsed(&page(&log));
    let verdict = html.texts("#verdict").remove(0);
    assert!(verdict.contains("The log has no end"), "{verdict}");
    let model = parsed(&page(&log.replace("layer19-solver", "product")));
    assert!(model.texts("#effects td").len() > 4);
}

/// A log of many points, of everything that a log may say; some points are good, some failed
fn long(name: &str, points: usize, choices: usize) -> String {
    let mut rng = Random::of(&[11]);
    let names: Vec<String> = (1..=choices).map(|n| format!("step.{}.size.{n}", n % 5 + 1)).collect();
    let head = json!({
        "log": "terrace-tune/4", "space": "00", "names": names, "technique": "anneal", "seed": 7,
        "course": {"lag": 1, "drawn": 8, "starts": 1, "steps": 1, "gamma": 4.0, "begin": [], "stop": 1.5},
        "setting": {
            "on": "host", "target": {"name": "host", "numbers": "0"}, "runs": 5, "drawn": 8,
            "machine": {"processor": "Some Processor (family 6, model 207)", "cores": 2, "features": "0"},
            "compiler": {"version": "0.1.0", "build": "8f2ce2"},
        },
        "flops": 2_000_000_000u64,
        "draft": "1: (?,4,?) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n2: (1,1,1) (^,^ ; ^) (FOR.2,FOR.1,FOR.3)\n",
        "note": "a quiet machine, commit 0000000",
        "command": ["terrace-tune", "matmul.mlir", "--free=size,core", "--budget=1h", "--log=matmul.jsonl", "-o", "best.mlir"],
    });
    let mut text = format!("{head}\n");
    let (mut at, mut best) = (0.0, f64::INFINITY);
    for n in 1..=points {
        at += 0.05 + 0.2 * rng.unit();
        let point: Vec<i64> = (0..choices).map(|_| 1i64 << rng.below(9u32)).collect();
        let effect = point[0] as f64 / 256.0 + (point[choices / 2] as f64).log2() / 20.0;
        let seconds = 0.002 * (0.2 + effect + 1.5 * rng.unit().powi(3) + 4.0 / (n as f64 + 3.0));
        let estimate = (seconds * 1e9 * (0.5 + rng.unit())).round();
        let mut line = json!({"n": n, "point": point, "at": at, "estimate": estimate, "stages": {
            "rewriting": 0.002, "solving": 0.0, "lowering": 0.02, "compiling": 0.05, "running": 0.01}});
        match rng.below(20u32) {
            0 => {
                line["failed"] = json!("refused");
                line["reason"] = json!(format!("'mdh.compute' op S-CAP: {n} elements are too many"));
            }
            1 => (line["failed"], line["reason"]) = (json!("timeout"), json!("no answer within 10 s")),
            2 => (line["seconds"], line["stopped"]) = (json!(seconds * 3.0), json!(true)),
            _ => {
                best = seconds.min(best);
                line["seconds"] = json!(seconds);
            }
        }
        if n % 20 == 0 {
            line["anchor"] = json!([(3e6 * (1.0 + 0.04 * rng.unit())) as u64]);
        }
        text += &format!("{line}\n");
    }
    let end = json!({"end": {"points": points, "at": at + 5.0, "chosen": 0.003,
        "best": {"n": 2, "seconds": best, "text": "1: (8,4,6) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n2: (1,1,1) (^,^ ; ^) (FOR.2,FOR.1,FOR.3)\n"},
        "against": {"rounds": 9, "mean": 1.42, "low": 1.39, "high": 1.45, "noise": 1.012, "verdict": "faster"},
        "refused": [{"rule": "S-CAP", "count": 812, "example": "S-CAP: 70000 elements are too many"},
            {"rule": "HW", "count": 3, "example": "'sched.for' op HW: 2048 threads"}]}});
    scratch(name, &format!("{text}{end}\n"))
}

#[test]
fn a_page_of_ten_thousand_points_is_small() {
    for choices in [6, 60] {
        let page = page(&long("ten-thousand.jsonl", 10_000, choices));
        assert!(page.len() < 2_000_000, "{} bytes with {choices} choices", page.len());
        let html = parsed(&page);
        let data = data(&html);
        assert_eq!(data["trials"].as_array().map(Vec::len), Some(10_000));
        let whole = |trial: &Value| trial[5].is_array();
        let with = data["trials"].as_array().into_iter().flatten().filter(|trial| whole(trial)).count();
        assert_eq!(with == 10_000, choices == 6, "points are left out where they are too large: {with}");
        assert!(with > 1000, "{with}");
        let model = html.texts("#model figcaption").remove(0);
        assert!(model.contains("Kendall's τ is 0."), "{model}");
        let first = html.texts("#effects tbody tr td").remove(0);
        assert_eq!(first, "step.2.size.1");
        let refused = html.texts("#refusals tbody tr").remove(0);
        assert!(refused.starts_with("S-CAP812") && refused.contains("elements are too many"), "{refused}");
        let drift = html.texts("#drift figcaption").remove(0);
        assert!(drift.contains("times its first time"), "{drift}");
    }
}

#[test]
fn odd_logs_have_pages() {
    let head = r#"{"log":"terrace-tune/1","space":"0","names":["t"],"technique":"random","seed":1}"#;
    let failed = |n: u32| {
        format!(
            r#"{{"n":{n},"point":["{n}"],"at":{n},"failed":"wrong","reason":"1 of 32 elements is wrong"}}"#
        )
    };
    let ran = |n: u32, seconds: &str| format!(r#"{{"n":{n},"point":["x"],"at":{n},"seconds":{seconds}}}"#);
    for (name, lines, words) in [
        ("empty", vec![], "Of 0 points none ran."),
        ("failed", vec![failed(1), failed(2)], "Of 2 points none ran."),
        ("one", vec![ran(1, "0.5")], "The best of 1 point takes 500.0 ms"),
        ("same", vec![ran(1, "0.5"), ran(2, "0.5"), ran(3, "0.5")], "The best of 3 points"),
        // No time that a program can take.
        ("none", vec![ran(1, "0.0"), ran(2, "-1.0")], "Of 2 points none ran."),
        ("far", vec![ran(1, "1e-300"), ran(2, "1e300"), failed(3)], "Of 3 points none ran."),
    ] {
        let log = scratch(
            &format!("odd-{name}.jsonl"),
            &format!("{head}\n{}\n", lines.join("\n")).replace("\n\n", "\n"),
        );
        let html = parsed(&page(&log));
        let verdict = html.texts("#verdict").remove(0);
        assert!(verdict.starts_with(words), "{name}: {verdict}");
    }
    // A last line that was cut off is no point.
    let cut = scratch("odd-cut.jsonl", &format!("{head}\n{}\n{}", ran(1, "0.5"), &ran(2, "0.25")[..20]));
    assert!(parsed(&page(&cut)).texts("#verdict")[0].starts_with("The best of 1 point takes"));
    // What is no log has no page.
    for (name, content) in
        [("nothing", ""), ("other", "{}\n"), ("damaged", &*format!("{head}\n{{}}\n{{}}\n"))]
    {
        let log = scratch(&format!("odd-{name}.jsonl"), content);
        let output = Command::new(env!("CARGO_BIN_EXE_terrace-tune")).arg(format!("--page={log}")).output();
        let output = output.expect("the tool runs");
        assert!(output.status.code() == Some(1) && text(&output).1.contains(&format!("odd-{name}.jsonl")));
    }
}

/// Whatever a log holds, it is text
#[test]
fn hostile_logs_are_text() {
    let bad = "</script></style></title><script>alert(1)</script><img src=x onerror=alert(1)>\u{0}\u{7}\u{fffe}\"'&amp;<!--";
    let head = json!({
        "log": "terrace-tune/4", "space": bad, "names": [bad, "b"], "technique": bad, "seed": 1,
        "course": {"lag": 1, "drawn": 8, "starts": 1, "steps": 1, "gamma": 4.0, "begin": []},
        "setting": {"on": bad, "target": {"name": bad, "numbers": bad},
            "machine": {"processor": bad, "cores": 2, "features": bad}, "compiler": {"version": bad, "build": bad}},
        "draft": bad, "note": bad, "command": [bad, bad],
    });
    let mut lines = vec![head];
    for n in 1..=12 {
        lines.push(json!({"n": n, "point": [bad, n % 3], "at": n, "seconds": 0.1 * f64::from(n), "estimate": n, "anchor": [n]}));
    }
    lines.push(json!({"n": 13, "point": [bad, 1], "at": 13, "failed": bad, "reason": bad}));
    lines.push(json!({"n": 14, "point": [bad, 1], "at": 14, "failed": "refused", "reason": bad}));
    lines.push(
        json!({"end": {"points": 14, "at": 15, "best": {"n": 1, "seconds": 0.1, "text": bad}, "chosen": 0.2,
        "against": {"rounds": 3, "mean": 2, "low": 1, "high": 3, "noise": 1, "verdict": bad},
        "refused": [{"rule": bad, "count": 1, "example": bad}]}}),
    );
    let content: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let html = parsed(&page(&scratch("hostile.jsonl", &content)));
    assert!(html.texts("#setting dd").iter().any(|found| found.starts_with("</script></style>")));
    // As it is written in the log, but for the sign that begins tags.
    assert_eq!(data(&html)["header"]["note"], json!(bad));
    assert_eq!(html.texts("script").len(), 1);
}

/// A new folder of a test
fn folder(name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&own);
    std::fs::create_dir_all(&own).expect("the test's folder can be written");
    own.canonicalize().expect("it is there")
}

/// What is wrong with the page as it is laid out, a line for each thing
const MEASURE: &str = r#"(() => {
  const wrong = [], edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > edge) wrong.push('the page is wider than the window');
  for (const svg of document.querySelectorAll('svg')) {
    const paper = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map(e => [e.textContent.trim(), e.getBoundingClientRect()]).filter(([text]) => text);
    for (const [text, b] of texts) {
      if (b.left < paper.left - 1 || b.right > paper.right + 1 || b.top < paper.top - 1 || b.bottom > paper.bottom + 1) wrong.push('cut off: ' + text);
      for (const [other, c] of texts) {
        const across = Math.min(b.right, c.right) - Math.max(b.left, c.left), down = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
        if (b !== c && across > 1.5 && down > 4) wrong.push(text + ' lies on ' + other);
      }
    }
  }
  for (const e of document.querySelectorAll('header *, main *')) {
    const b = e.getBoundingClientRect();
    if (b.width > 0 && !e.closest('.picture, .wide, pre') && b.right > edge + 1) wrong.push('too wide: ' + e.tagName + ' ' + e.textContent.slice(0, 40));
  }
  return wrong.join('\n');
})()"#;

/// Contrasts of texts with the page, those in pictures included
const COLORS: &str = r#"
  const paper = getComputedStyle(document.body).backgroundColor;
  const texts = [...document.querySelectorAll('h1, h2, p, a, summary, figcaption, th, td, dt, dd, pre')].map(e => getComputedStyle(e).color);
  const drawn = [...document.querySelectorAll('.picture text')].map(e => getComputedStyle(e).fill);
  return [...texts, ...drawn].map(color => ratio(color, paper));
"#;

/// Everything that a key reaches is below what was reached before
fn keys_go_down(page: &mut Page) {
    page.value("scrollTo(0, 0)");
    page.value("document.activeElement.blur()");
    let mut before = -1.0;
    let mut reached = Vec::new();
    for _ in 0..80 {
        page.press("Tab", 9);
        let place = page.value(
            "(() => { const e = document.activeElement, b = e.getBoundingClientRect(); return [e.tagName, b.top + scrollY, e.textContent.slice(0, 20)]; })()",
        );
        if place[0] == "BODY" {
            break;
        }
        let top = place[1].as_f64().expect("a number");
        assert!(top >= before, "{place} after {reached:?}");
        before = top;
        reached.push(place[0].as_str().unwrap_or_default().to_owned());
    }
    for kind in ["A", "SUMMARY", "PRE"] {
        assert!(reached.iter().any(|tag| tag == kind), "{kind}: {reached:?}");
    }
}

#[test]
fn pages_are_whole_in_a_browser() {
    let Some(program) = browser() else {
        return println!("skipped: pages_are_whole_in_a_browser (needs chromium)");
    };
    let own = folder("search-pages");
    let searches = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures/searches");
    let log = |name: &str| searches.join(name).to_str().expect("UTF-8").to_owned();
    let logs = [
        ("long", long("browsed.jsonl", 600, 12)),
        ("product", log("product.jsonl")),
        ("layer19", log("layer19-rejection.jsonl")),
        (
            "empty",
            scratch(
                "browsed-empty.jsonl",
                "{\"log\":\"terrace-tune/1\",\"space\":\"0\",\"names\":[],\"technique\":\"random\",\"seed\":1}\n",
            ),
        ),
    ];
    let files = logs.map(|(name, log)| {
        let file = own.join(format!("{name}.html"));
        std::fs::write(&file, page(&log)).expect("the test's folder can be written");
        (name, file)
    });
    let mut tab = Page::open(&program, &own, &files[0].1);
    for (name, file) in &files {
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            tab.show(file, width, scheme);
            for open in [false, true] {
                tab.value(&format!("document.querySelectorAll('details').forEach(e => e.open = {open})"));
                assert_eq!(tab.value(MEASURE), "", "{name} at {width}, {scheme}, open {open}");
                let contrast = tab.least_contrast(COLORS);
                assert!(contrast >= 4.5, "{name}, {scheme}: {contrast}");
            }
            tab.value("document.querySelectorAll('details').forEach(e => e.open = false)");
            tab.photograph(&own.join(format!("{name}-{width}-{scheme}.png")));
        }
    }
    tab.show(&files[0].1, 1280, "light");
    keys_go_down(&mut tab);
    // A summary opens by a key.
    tab.value("document.querySelector('#course summary').focus()");
    tab.press(" ", 32);
    assert_eq!(tab.value("document.querySelector('#course details').open"), true);
}
