//! What pages have in common: their frame, and colors that are light or dark as the reader wants.
//!
//! A page is one file. It asks for nothing from elsewhere, and its policy forbids that.

use crate::captions::escaped;

const STYLE: &str = include_str!("sheet.css");

/// A page with styles and a script of its own; without one no script runs in it, whatever stands in the body
pub fn page(title: &str, style: &str, body: &str, script: Option<&str>) -> String {
    let title = escaped(title);
    let scripts = if script.is_some() { "; script-src 'unsafe-inline'" } else { "" };
    let script = script.map_or(String::new(), |script| format!("<script>\n{script}</script>\n"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{scripts}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n{body}{script}</body>\n</html>\n"
    )
}
