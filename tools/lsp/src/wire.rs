//! Messages on the wire: headers and JSON.
//!
//! `lsp_server` has the messages; reading is here, because a client's mistake must not take the server's memory, nor end it
//! where the next message can still be found.

use lsp_server::Message;
use std::io::{self, BufRead, Read, Write};

/// Bytes of the longest message that is read
pub const LONGEST: usize = 1 << 30;
/// Bytes of the longest header line
const HEADER: u64 = 4096;

/// What was read
#[derive(Debug)]
pub enum Received {
    /// A message
    Message(Message),
    /// A body that is no message: why; the next one may be
    Malformed(String),
    /// No more messages: the stream has ended, or, with a reason, it is no longer known where the next one begins
    End(Option<String>),
}

/// Read a message
pub fn receive(from: &mut impl BufRead) -> Received {
    let length = match header(from) {
        Ok(Some(length)) => length,
        Ok(None) => return Received::End(None),
        Err(why) => return Received::End(Some(why)),
    };
    let mut body = Vec::new();
    match from.take(length as u64).read_to_end(&mut body) {
        Ok(read) if read == length => {}
        Ok(read) => {
            return Received::End(Some(format!("a message of {length} bytes ends after {read}")));
        }
        Err(error) => return Received::End(Some(error.to_string())),
    }
    match serde_json::from_slice(&body) {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Malformed(error.to_string()),
    }
}

/// Length of the body that follows the header; none at the end of the stream
fn header(from: &mut impl BufRead) -> Result<Option<usize>, String> {
    let mut length = None;
    let mut any = false;
    loop {
        let mut line = Vec::new();
        from.take(HEADER).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
        if line.is_empty() && !any {
            return Ok(None);
        }
        any = true;
        let text = String::from_utf8_lossy(&line).into_owned();
        let Some(text) = text.strip_suffix("\r\n") else {
            return Err(format!("a header line ends with `\\r\\n`, not as `{}`", shown(&text)));
        };
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            return Err(format!("`{}` is no header: expected `Content-Length: N`", shown(text)));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse::<usize>().ok().filter(|number| *number <= LONGEST);
            length = Some(number.ok_or_else(|| {
                format!("`{}` is no length of a message: expected at most {LONGEST}", shown(value.trim()))
            })?);
        }
    }
    length.map(Some).ok_or_else(|| "a message without `Content-Length`".into())
}

fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_default).collect()
}

/// Write a message
pub fn send(to: &mut impl Write, message: &Message) -> io::Result<()> {
    message.write(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> String {
        match receive(&mut text.as_bytes()) {
            Received::End(why) => why.unwrap_or("nothing".into()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn streams_that_end_or_are_none() {
        assert_eq!(end(""), "nothing");
        assert_eq!(end("Content-Le"), "a header line ends with `\\r\\n`, not as `Content-Le`");
        assert_eq!(end("Content-Length: 5\r\n\r\n{}"), "a message of 5 bytes ends after 2");
        assert!(end("Content-Length: 99999999999999\r\n\r\n").contains("expected at most"));
        assert!(end("Content-Length: -1\r\n\r\n").contains("`-1` is no length"));
        assert_eq!(end("X: 1\r\n\r\n{}"), "a message without `Content-Length`");
        assert!(end("hello\r\n").contains("`hello` is no header"));
        assert!(end(&"x".repeat(10_000)).contains("ends with"));
    }

    #[test]
    fn a_body_that_is_no_message_is_skipped() {
        let text =
            "Content-Length: 3\r\n\r\n{{{Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        let mut from = text.as_bytes();
        assert!(matches!(receive(&mut from), Received::Malformed(_)));
        assert!(matches!(receive(&mut from), Received::Message(_)));
        assert!(matches!(receive(&mut from), Received::End(None)));
    }
}
