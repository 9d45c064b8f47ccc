// Client script of the reference pages: copies code samples and shows search results while the user types.
const SEARCH_DELAY_MS = 150;

/** @param {string} name @param {Record<string, string>} attributes @param {(Node | string)[]} children */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

for (const block of document.querySelectorAll('pre')) {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C';
      getSelection()?.selectAllChildren(block);
    }
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  const frame = element('div', { class: 'code' });
  block.replaceWith(frame);
  frame.append(block, button);
}

// The choice of a language applies to all samples of the page, and to the pages that follow.
const LANGUAGE = 'sample-language';

/** @param {string | null} language */
function choose(language) {
  for (const radio of document.querySelectorAll('.choice input')) if (radio.value === language) radio.checked = true;
}

for (const radio of document.querySelectorAll('.choice input')) {
  radio.addEventListener('change', () => {
    choose(radio.value);
    try {
      localStorage.setItem(LANGUAGE, radio.value);
    } catch {
      // The browser stores nothing for this page.
    }
  });
}
try {
  choose(localStorage.getItem(LANGUAGE));
} catch {
  // The first language stays chosen.
}

const input = document.querySelector('input[type=search]');
const list = document.querySelector('.found');
let timer;
let latest = 0;

function close() {
  latest++;
  clearTimeout(timer);
  list.hidden = true;
}

async function showResults() {
  const query = input.value.trim();
  if (query === '') return close();
  const own = ++latest;
  try {
    const response = await fetch(`/docs/search.json?q=${encodeURIComponent(query)}`);
    const found = response.ok ? await response.json() : [];
    if (own !== latest) return;
    const links = found
      .slice(0, 12)
      .map(({ url, method, path, summary, api }) =>
        element(
          'a',
          { href: url },
          ...(method === ''
            ? []
            : [element('span', { class: `method ${method.toLowerCase()}` }, method), element('code', {}, path)]),
          element('span', { class: 'note' }, api),
          element('span', {}, summary),
        ),
      );
    list.replaceChildren(...(links.length > 0 ? links : [element('p', {}, 'No results')]));
    list.hidden = false;
  } catch {
    // The form still works: Enter opens the result page.
    close();
  }
}

input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(showResults, SEARCH_DELAY_MS);
});
input.form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!input.form.contains(relatedTarget)) close();
});
input.form.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  if (event.key === 'Escape') {
    close();
    input.focus();
  }
  if (list.hidden || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  (links[at] ?? input).focus();
});
list.addEventListener('click', close);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
  input.select();
});

// Closes the menu on phones, which would stay open after a link to the same page.
const menu = document.getElementById('menu');
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
});
