//! The page: the picture, the loop nest it stands for, and what each buffer costs and brings.
//!
//! Fields of the picture can be edited in the page (click, type, Enter); a button saves the picture, which reads back to the
//! schedule. The page needs nothing from elsewhere.

/// Edits texts with a `data-field`; both sides of an axis change together
const SCRIPT: &str = r#"
const fields = name => document.querySelectorAll('[data-field="' + CSS.escape(name) + '"]');
function set(name, token) {
  for (const text of fields(name)) {
    text.textContent = token;
    text.previousElementSibling.setAttribute('width', 8 * Math.max(token.length, 2) + 12);
  }
  document.getElementById('state').textContent = 'changed; save the picture, then: terrace-view FILE --apply=PICTURE';
}
function edit(text) {
  const box = text.getBoundingClientRect(), input = document.createElement('input');
  input.value = text.textContent;
  input.setAttribute('aria-label', text.dataset.field);
  input.style.cssText = 'position:absolute;font:13px ui-monospace,monospace;width:8em;left:' + (box.left + scrollX) + 'px;top:' + (box.top + scrollY) + 'px';
  let open = true;
  const done = keep => { if (!open) return; open = false; const token = input.value.replace(/\s/g, ''); input.remove(); if (keep) set(text.dataset.field, token || '^'); };
  input.onkeydown = event => { if (event.key === 'Enter') done(true); if (event.key === 'Escape') done(false); };
  input.onblur = () => done(true);
  document.body.append(input);
  input.focus(); input.select();
}
for (const text of document.querySelectorAll('[data-field]')) {
  text.style.cursor = 'pointer';
  text.onclick = () => edit(text);
}
document.getElementById('save').onclick = () => {
  const picture = new XMLSerializer().serializeToString(document.getElementById('schedule'));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  link.download = 'schedule.svg';
  link.click();
};
"#;

/// The page
pub fn write(title: &str, picture: &str, nest: &str, table: &str) -> String {
    let (title, nest, table) = (escape(title), escape(nest), escape(table));
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>body{{font:14px system-ui,sans-serif;margin:1.5em}}pre{{font:12px ui-monospace,monospace;overflow-x:auto}}</style>\n\
         <h1>{title}</h1>\n<p><button id=\"save\">Save the picture</button> <span id=\"state\">Click a gray field to change it.</span></p>\n\
         {picture}\n<h2>Buffers</h2>\n<pre id=\"buffers\">{table}</pre>\n<h2>Loop nest</h2>\n<pre id=\"nest\">{nest}</pre>\n\
         <script>{SCRIPT}</script>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
