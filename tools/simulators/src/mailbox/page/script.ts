/** The content of an email is inserted as text only; its HTML is shown in a sandboxed frame. */
export const SCRIPT = String.raw`
'use strict';
const PAGE = 100, REFRESH_MS = 1500, TABS = ['html', 'text', 'headers', 'raw'];
const at = (id) => document.getElementById(id);
const rows = new Map();
let limit = PAGE, shown = null, tab = 'html', images = false, lastAnswer = '', known = null;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
function nameOf(from) {
  const name = from.replace(/<[^<>]*>\s*$/, '').trim().replace(/^"(.*)"$/, '$1');
  return name || from.replace(/[<>]/g, '').trim() || '(nobody)';
}
/** The face of the recipient, because most emails have the same sender. */
function paint(face, address) {
  let hash = 2166136261;
  for (const character of address.toLowerCase()) hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
  face.className = 'face hue' + ((hash ^ (hash >>> 13)) >>> 0) % 8;
  const [first = [], second] = address.split('@')[0].split(/[^\p{L}\p{N}]+/u).filter(Boolean).map((word) => [...word]);
  face.textContent = (second ? first[0] + second[0] : first.slice(0, 2).join('')).toUpperCase() || '@';
}
function when(iso) {
  const time = new Date(iso), today = new Date().toDateString() === time.toDateString();
  return today ? time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : time.toLocaleDateString([], { day: 'numeric', month: 'short' });
}
function size(bytes) {
  if (bytes < 1000) return bytes + ' B';
  return bytes < 1e6 ? Math.round(bytes / 1000) + ' kB' : (bytes / 1e6).toFixed(1) + ' MB';
}
function say(text) {
  at('note').textContent = text;
  at('note').hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { at('note').hidden = true; }, 5000);
}

function makeRow(mail) {
  const item = make('li'), row = make('button', 'row'), face = make('span');
  const [recipient = ''] = mail.to;
  paint(face, recipient);
  face.setAttribute('aria-hidden', 'true');
  const subject = mail.subject || '(no subject)';
  const preview = make('span', 'preview', mail.preview || ' ');
  const time = make('span', mail.attachments ? 'when clip' : 'when', when(mail.at));
  time.title = new Date(mail.at).toLocaleString();
  const who = make('span', 'who', nameOf(mail.from) + ' → ' + mail.to.join(', '));
  who.title = who.textContent;
  row.append(face, who, time, make('span', 'subject', subject), preview);
  row.addEventListener('click', () => { location.hash = mail.id; });
  item.append(row);
  if (known !== null && mail.id > known) row.classList.add('fresh');
  return { item, row };
}
/** Unchanged rows are retained, so that focus, selection and scroll position survive. */
function showList({ mails, total, received }) {
  const list = at('list'), heightBefore = list.scrollHeight, scrolled = list.scrollTop > 0;
  const ids = new Set(mails.map((mail) => mail.id));
  for (const [id, { item }] of rows) if (!ids.has(id)) { item.remove(); rows.delete(id); }
  let next = null;
  const topBefore = at('rows').firstElementChild;
  for (const mail of [...mails].reverse()) {
    const entry = rows.get(mail.id) || makeRow(mail);
    if (!rows.has(mail.id)) { rows.set(mail.id, entry); at('rows').insertBefore(entry.item, next); }
    next = entry.item;
  }
  const grewAbove = topBefore && topBefore !== at('rows').firstElementChild && topBefore.isConnected;
  if (scrolled && grewAbove) list.scrollTop += list.scrollHeight - heightBefore;
  known = Math.max(known || 0, received);
  at('older').hidden = mails.length >= total;
  const searching = at('search').value.trim() !== '';
  at('none').hidden = mails.length > 0;
  at('none').querySelector('b').textContent = searching ? 'No matching emails' : 'No emails yet';
  at('none').querySelector('span').textContent = searching ? 'The text does not occur in a sender, recipient or subject.' : 'New emails appear here automatically.';
  at('state').textContent = total === 1 ? '1 email' : total + ' emails';
  document.title = (total ? '(' + total + ') ' : '') + 'Heliograph mailbox';
  mark();
}
function mark() {
  for (const [id, { row }] of rows) {
    row.setAttribute('aria-current', String(shown !== null && id === shown.id));
    if (shown !== null && id === shown.id) row.classList.remove('fresh');
  }
}
async function refresh() {
  const question = '/mailbox/inbox?limit=' + limit + '&search=' + encodeURIComponent(at('search').value.trim());
  try {
    const text = await (await fetch(question)).text();
    at('state').classList.remove('away');
    const key = question + text;
    if (key === lastAnswer) return;
    lastAnswer = key;
    showList(JSON.parse(text));
  } catch {
    at('state').classList.add('away');
    at('state').textContent = 'not running';
    lastAnswer = '';
  }
}
async function keepFresh() {
  if (!document.hidden) await refresh();
  setTimeout(keepFresh, REFRESH_MS);
}

async function open(id) {
  const response = await fetch('/mailbox/inbox/' + id).catch(() => null);
  if (Number(location.hash.slice(1)) !== id) return;
  if (!response || !response.ok) { close(); return say('This email no longer exists.'); }
  shown = { id, ...(await response.json()) };
  images = false;
  const { headers, envelope } = shown, from = [headers.from].flat()[0] || envelope.from;
  at('subject').textContent = shown.subject || '(no subject)';
  paint(at('face'), envelope.to[0] || '');
  at('from').textContent = from || '(nobody)';
  at('to').textContent = envelope.to.join(', ');
  at('date').textContent = new Date(shown.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  at('path').textContent = at('path').title = envelope.from || '<>';
  at('bounce').disabled = at('complain').disabled = envelope.from === '';
  at('files').replaceChildren(...shown.attachments.map(fileLink));
  at('files').hidden = shown.attachments.length === 0;
  at('unchosen').hidden = true;
  at('mail').hidden = false;
  document.body.classList.add('reading');
  mark();
  const usable = (name) => shown[name] !== null;
  show(usable(tab) ? tab : TABS.find(usable));
}
function close() {
  shown = null;
  document.body.classList.remove('reading');
  at('mail').hidden = true;
  at('unchosen').hidden = false;
  at('body').replaceChildren();
  mark();
}
function fileLink({ filename, contentType, size: bytes }, index) {
  const link = make('a'), item = make('li');
  link.href = '/mailbox/inbox/' + shown.id + '/attachments/' + index;
  link.setAttribute('download', '');
  link.title = contentType;
  link.append(make('span', '', filename || contentType), make('small', '', size(bytes)));
  item.append(link);
  return item;
}
function show(name) {
  for (const each of TABS) {
    const button = at('tab-' + each);
    button.setAttribute('aria-selected', String(each === name));
    button.tabIndex = each === name ? 0 : -1;
    button.disabled = shown[each] === null;
  }
  at('body').setAttribute('aria-labelledby', 'tab-' + name);
  at('images').hidden = name !== 'html' || images;
  at('body').replaceChildren(contents(name));
  at('body').scrollTop = 0;
}
function contents(name) {
  if (name === 'html') return frame();
  if (name === 'headers') return headerTable();
  return make('pre', name === 'raw' ? 'raw' : 'plain', shown[name]);
}
function frame() {
  const element = make('iframe');
  element.title = 'Email content';
  element.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  element.referrerPolicy = 'no-referrer';
  element.src = '/mailbox/inbox/' + shown.id + '/html' + (images ? '?images=1' : '');
  return element;
}
function headerTable() {
  const table = make('table'), body = make('tbody');
  for (const [name, values] of Object.entries(shown.headers)) {
    for (const value of [values].flat()) {
      const line = make('tr'), head = make('th', '', name), cell = make('td', '', value);
      head.scope = 'row';
      cell.dataset.name = name;
      line.append(head, cell);
      body.append(line);
    }
  }
  table.append(body);
  return table;
}
async function tell(path, body, done) {
  const response = await fetch('/mailbox/' + path, { method: 'POST', body: JSON.stringify(body) }).catch(() => null);
  if (response && response.ok) return say(done);
  const { error } = response ? await response.json().catch(() => ({})) : {};
  say(error || 'The simulator does not respond.');
}

for (const name of TABS) at('tab-' + name).addEventListener('click', () => { tab = name; show(name); });
document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const usable = TABS.filter((name) => shown[name] !== null), place = usable.indexOf(event.target.id.slice(4));
  if (!step || place < 0) return;
  tab = usable[(place + step + usable.length) % usable.length];
  show(tab);
  at('tab-' + tab).focus();
});
at('images').addEventListener('click', () => { images = true; show('html'); });
at('older').addEventListener('click', () => { limit += PAGE; refresh(); });
at('back').addEventListener('click', () => { location.hash = ''; });
at('search').addEventListener('input', () => { limit = PAGE; refresh(); });
at('bounce').addEventListener('click', () => tell('notify', { to: shown.envelope.to[0], action: 'failed', status: '5.1.1' }, 'The return path accepted a bounce (5.1.1 failed).'));
at('complain').addEventListener('click', () => tell('complain', { to: shown.envelope.to[0] }, 'The return path accepted an abuse report.'));
document.addEventListener('keydown', (event) => {
  const typing = event.target === at('search');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (typing && at('search').value) { at('search').value = ''; refresh(); }
    else { at('search').blur(); location.hash = ''; }
  } else if (event.key === '/' && !typing) {
    event.preventDefault();
    at('search').focus();
  } else {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[typing && event.key.length === 1 ? '' : event.key];
    if (!step || event.target === at('body')) return;
    const all = [...at('rows').querySelectorAll('.row')], place = all.findIndex((row) => row.getAttribute('aria-current') === 'true');
    const row = all[place < 0 ? 0 : Math.min(Math.max(place + step, 0), all.length - 1)];
    if (!row) return;
    event.preventDefault();
    if (!typing) row.focus();
    row.click();
    row.scrollIntoView({ block: 'nearest' });
  }
});
function follow() {
  const id = Number(location.hash.slice(1));
  if (id > 0) open(id);
  else close();
}
addEventListener('hashchange', follow);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
follow();
keepFresh();
`;
