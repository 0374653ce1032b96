// Fields are edited where they stand; pointing marks what belongs together. Nothing is needed from elsewhere.
const picture = document.getElementById('schedule');
const fields = name => picture.querySelectorAll('[data-field="' + CSS.escape(name) + '"]');

// A field's text and its ground; what is longer than its room is set closer.
function put(text, token) {
  const room = Number(text.dataset.wide) || 0, wanted = 7.4 * Math.max(token.length, 1.3) + 11;
  const width = Math.min(wanted, Math.max(room, 20.6));
  text.textContent = token;
  text.previousElementSibling.setAttribute('width', width);
  if (wanted > width) {
    text.setAttribute('textLength', width - 9);
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  } else {
    text.removeAttribute('textLength');
  }
}

// Both sides of an axis change together.
function set(name, token) {
  for (const text of fields(name)) put(text, token);
  document.getElementById('state').textContent =
    'changed; save the picture, then: terrace-view FILE --apply=PICTURE. Tiles are drawn again when it is applied.';
}

function edit(text) {
  const box = text.getBoundingClientRect(), input = document.createElement('input');
  input.className = 'edit';
  input.value = text.textContent;
  input.setAttribute('aria-label', text.previousElementSibling.previousElementSibling.textContent);
  const left = Math.min(box.left, document.documentElement.clientWidth - 140);
  input.style.left = Math.max(0, left) + scrollX + 'px';
  input.style.top = box.top + scrollY + 'px';
  let open = true;
  const done = keep => {
    if (!open) return;
    open = false;
    const token = input.value.replace(/\s/g, '');
    input.remove();
    if (keep && (token || '^') !== text.textContent) set(text.dataset.field, token || '^');
  };
  input.onkeydown = event => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.stopPropagation();
    done(event.key === 'Enter');
    text.parentElement.focus({ preventScroll: true });
  };
  input.onblur = () => done(true);
  document.body.append(input);
  input.focus();
  input.select();
}

for (const field of picture.querySelectorAll('.field')) {
  const text = field.querySelector('[data-field]');
  field.tabIndex = 0;
  field.setAttribute('role', 'button');
  field.onclick = () => edit(text);
  field.onkeydown = event => {
    if (event.key === 'Enter') {
      event.preventDefault();
      edit(text);
    }
  };
}

const parts = [...document.querySelectorAll('[data-is]')];
function mark(from) {
  const wanted = from ? from.dataset.marks.split(' ') : [];
  for (const part of parts) {
    part.classList.toggle('on', part.dataset.is.split(' ').some(key => key !== '' && wanted.includes(key)));
  }
}
document.addEventListener('pointerover', event => mark(event.target.closest('[data-marks]')));
document.addEventListener('focusin', event => mark(event.target.closest('[data-marks]')));
document.addEventListener('pointerleave', () => mark(null));

document.getElementById('save').onclick = () => {
  mark(null);
  const text = new XMLSerializer().serializeToString(picture);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  link.download = 'schedule.svg';
  link.click();
};

// Figure and nest stay in sight side by side: the shorter one stops where its end is reached.
const sides = [document.getElementById('figure'), document.querySelector('aside')];
function place() {
  for (const side of sides) side.style.top = Math.min(8, innerHeight - side.offsetHeight - 8) + 'px';
}
addEventListener('resize', place);
addEventListener('load', place);
place();
