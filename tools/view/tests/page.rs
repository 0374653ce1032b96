//! The page in a real browser: fields are clicked and typed into, the picture is saved, and reads back to the schedule.
//!
//! The browser is spoken to in its own protocol (CDP) over two pipes, one JSON message after the other with a zero byte between.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longest silence of the browser
const PATIENCE: Duration = Duration::from_secs(60);

const PROGRAM: &str = "test-files/lowering/mdh/listing5.mlir";
const COMPUTE: &str = "--compute=matmul";

fn view(args: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_terrace-view")).current_dir(root).args(args).output();
    let output = output.expect("the tool runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn browser() -> Option<PathBuf> {
    let places = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&places)
        .flat_map(|place| names.map(|name| place.join(name)))
        .find(|file| file.is_file())
}

/// A page in a browser
struct Page {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    number: i64,
}

impl Page {
    fn open(program: &Path, own: &Path, file: &Path) -> Page {
        // The protocol's pipes are the descriptors 3 and 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-dev-shm-usage",
            ])
            .args(["--remote-debugging-pipe", "--window-size=1400,1200"])
            .arg(format!("--user-data-dir={}", own.join("profile").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = child.stdin.take().expect("it is piped");
        let output = child.stdout.take().expect("it is piped");
        let (send, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                let message = message.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
                if message.is_none_or(|message| send.send(message).is_err()) {
                    return;
                }
            }
        });
        let mut page = Page { child, to, from, session: None, number: 0 };
        page.ask(
            "Browser.setDownloadBehavior",
            json!({"behavior": "allow", "downloadPath": own, "eventsEnabled": true}),
        );
        let target = page.ask("Target.createTarget", json!({"url": format!("file://{}", file.display())}));
        let attached =
            page.ask("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        page.session = attached["sessionId"].as_str().map(String::from);
        // A new tab is complete before it has gone to its page.
        page.wait("document.readyState === 'complete' && document.getElementById('save') !== null");
        page
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).and_then(|()| self.to.flush()).expect("the browser listens");
        loop {
            let reply = self.from.recv_timeout(PATIENCE).expect("the browser answers");
            if reply["id"] == self.number {
                assert!(reply["error"].is_null(), "{method}: {}", reply["error"]);
                return reply["result"].clone();
            }
        }
    }

    fn value(&mut self, expression: &str) -> Value {
        let found = self.ask("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(found["exceptionDetails"].is_null(), "{expression}: {}", found["exceptionDetails"]);
        found["result"]["value"].clone()
    }

    fn wait(&mut self, expression: &str) {
        for _ in 0..600 {
            if self.value(expression) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("never: {expression}");
    }

    /// Press and release the mouse in the middle of an element
    fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        ));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let params =
                json!({"type": kind, "x": place[0], "y": place[1], "button": button, "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", params);
        }
    }

    /// Change a field as people do: click, type, Enter
    fn edit(&mut self, selector: &str, token: &str, key: &str) {
        self.click(selector);
        self.wait("document.activeElement.tagName === 'INPUT'");
        self.ask("Input.insertText", json!({"text": token}));
        for kind in ["keyDown", "keyUp"] {
            self.ask("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key}));
        }
        self.wait("document.querySelector('input') === null");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn fields_are_edited_in_a_browser() {
    let Some(program) = browser() else {
        return println!("skipped: fields_are_edited_in_a_browser (needs chromium)");
    };
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let _ = std::fs::remove_dir_all(&own);
    std::fs::create_dir_all(&own).expect("the test's folder can be written");
    let own = own.canonicalize().expect("it is there");
    let file = own.join("listing5.html");
    std::fs::write(&file, view(&[PROGRAM, COMPUTE, "--to=html"])).expect("the test's folder can be written");
    let steps = view(&[PROGRAM, COMPUTE, "--to=text"]);

    let mut page = Page::open(&program, &own, &file);
    let saved = |page: &mut Page| {
        let picture = own.join("schedule.svg");
        let _ = std::fs::remove_file(&picture);
        page.click("#save");
        for _ in 0..600 {
            if std::fs::read_to_string(&picture).is_ok_and(|text| text.contains("</svg>")) {
                let name = picture.to_str().expect("UTF-8");
                return view(&[PROGRAM, COMPUTE, "--apply", name, "--to=text"]);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("no picture was saved");
    };
    // As it is.
    assert_eq!(saved(&mut page), steps);
    // A size; a core, whose two axes change together; words of a buffer; an edit that is given up.
    page.edit("[data-field='step.4.size.3']", "512", "Enter");
    page.edit("[data-field='step.1.core.1'][data-side='out']", "BLK.z", "Enter");
    page.edit("[data-field='step.4.in.2.words']", "stages=2, swizzle=1", "Enter");
    page.edit("[data-field='step.5.size.3']", "7", "Escape");
    let both = page.value(
        "[...document.querySelectorAll(\"[data-field='step.1.core.1']\")].map(e => e.textContent).join()",
    );
    assert_eq!(both, "BLK.z,BLK.z");
    assert!(page.value("document.getElementById('state').textContent").to_string().contains("changed"));
    let wanted = steps
        .replace("(^,^,256) (SM,SM ;", "(^,^,512) (SM,SM stages 2 swizzle 1 ;")
        .replace("(BLK.y,BLK.x,BLK.z)", "(BLK.z,BLK.x,BLK.z)");
    assert_ne!(wanted, steps);
    assert_eq!(saved(&mut page), wanted);
}
