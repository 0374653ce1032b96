//! A real browser, spoken to in its own protocol (CDP) over two pipes, one JSON message after the other with a zero byte between.
//!
//! Tests of other tools with pages take this file from here.

// Each of them needs a part of it.
#![allow(dead_code)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longest silence of the browser
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser's program, if there is one
pub(crate) fn browser() -> Option<PathBuf> {
    let places = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&places)
        .flat_map(|place| names.map(|name| place.join(name)))
        .find(|file| file.is_file())
}

/// `ratio` of two colors as the guidelines for accessible content define it (WCAG 2, relative luminance): 1 to 21
const RATIO: &str = r#"
  const light = color => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(n => n / 255).map(n => n <= .03928 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);"#;

/// A page in a browser
pub(crate) struct Page {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    number: i64,
}

impl Page {
    /// With this file; what is saved goes to a folder
    pub(crate) fn open(program: &Path, own: &Path, file: &Path) -> Page {
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
        page.ready();
        page
    }

    /// A new tab is complete before it has gone to its page, and so is the page before
    fn ready(&mut self) {
        self.wait("document.readyState === 'complete' && location.protocol === 'file:' && !window.isOld");
    }

    /// Another file, in a window of this width, on light or dark ground
    pub(crate) fn show(&mut self, file: &Path, width: u32, scheme: &str) {
        let window = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", window);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.ask("Emulation.setEmulatedMedia", json!({"features": features}));
        // The page before must be seen to have gone.
        self.value("window.isOld = true");
        self.ask("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        self.ready();
    }

    /// Where the middle of an element is, in sight
    fn middle(&mut self, selector: &str) -> Value {
        self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'center'}}); const b = e.getClientRects()[0]; return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        ))
    }

    /// Move the mouse to the middle of an element
    pub(crate) fn point(&mut self, selector: &str) {
        let place = self.middle(selector);
        let params = json!({"type": "mouseMoved", "x": place[0], "y": place[1], "button": "none"});
        self.ask("Input.dispatchMouseEvent", params);
    }

    /// A method's result
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
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

    /// A picture of the whole page, as a file
    pub(crate) fn photograph(&mut self, file: &Path) {
        let found =
            self.ask("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true}));
        let text = found["data"].as_str().expect("a picture");
        std::fs::write(file, decoded(text)).expect("the test's folder can be written");
    }

    /// Press and release a key
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            self.ask("Input.dispatchKeyEvent", params);
        }
    }

    /// The least contrast that a script returns, which has the function `ratio(color, color)`
    pub(crate) fn least_contrast(&mut self, script: &str) -> f64 {
        let script = format!("Math.min(...(() => {{{RATIO}\n{script}}})())");
        self.value(&script).as_f64().expect("a number")
    }

    /// An expression's value
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let found = self.ask("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(found["exceptionDetails"].is_null(), "{expression}: {}", found["exceptionDetails"]);
        found["result"]["value"].clone()
    }

    /// Until it is true
    pub(crate) fn wait(&mut self, expression: &str) {
        for _ in 0..600 {
            if self.value(expression) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("never: {expression}");
    }

    /// Press and release the mouse in the middle of an element
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let params =
                json!({"type": kind, "x": place[0], "y": place[1], "button": button, "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", params);
        }
    }

    /// Change a field as people do: click, type, Enter
    pub(crate) fn edit(&mut self, selector: &str, token: &str, key: &str) {
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

/// Bytes that are written as text in base 64
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).map(u32::from).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let all = group.iter().fold(0, |all, digit| all << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend(all.to_be_bytes()[1..group.len()].iter());
    }
    bytes
}
