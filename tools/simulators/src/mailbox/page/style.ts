export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f4f5f8; --surface: #fff; --raised: #f8f9fc; --hover: #f1f3f9; --chosen: #e9effe;
  --text: #171b26; --soft: #5a6376; --line: #e3e6ee; --accent: #2f5be7; --accent-text: #fff;
  --good: #178a57; --bad: #c63a3a; --ring: #2f5be766;
  --shadow: 0 1px 2px #10182814, 0 8px 24px #1018280f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0e1118; --surface: #151a24; --raised: #1a202c; --hover: #1c2330; --chosen: #1f2b4a;
    --text: #e8ebf2; --soft: #98a1b5; --line: #262d3b; --accent: #7f9dff; --accent-text: #0d1330;
    --good: #4cc38a; --bad: #f08080; --ring: #7f9dff66; --shadow: 0 1px 2px #0006;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template-rows: auto 1fr; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow: hidden;
}
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.bar { display: flex; align-items: center; gap: 16px; padding: 10px 16px; background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; margin: 0; font-size: 16px; font-weight: 650; letter-spacing: -.01em; white-space: nowrap; }
.brand svg { width: 28px; height: 28px; flex: none; }
.brand small { font-weight: 450; font-size: 13px; color: var(--soft); }
.search { position: relative; flex: 1; max-width: 520px; margin: 0 auto; }
.search input {
  width: 100%; height: 38px; padding: 0 40px 0 38px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--raised);
}
.search input::placeholder { color: var(--soft); opacity: 1; }
.search input:focus { outline: 0; border-color: var(--accent); box-shadow: 0 0 0 3px var(--ring); background: var(--surface); }
.search svg { position: absolute; left: 12px; top: 11px; width: 16px; height: 16px; color: var(--soft); }
.search kbd { position: absolute; right: 10px; top: 9px; padding: 0 6px; border: 1px solid var(--line); border-radius: 5px; font: 12px/18px ui-monospace, monospace; color: var(--soft); }
.search input:focus ~ kbd { display: none; }
.state { display: flex; align-items: center; gap: 8px; font-size: 13px; color: var(--soft); white-space: nowrap; }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--good); }
.state.away::before { background: var(--bad); }

main { display: grid; grid-template-columns: minmax(300px, 400px) 1fr; min-height: 0; }
.list { overflow-y: auto; overflow-anchor: none; background: var(--surface); border-right: 1px solid var(--line); }
.list ul { list-style: none; margin: 0; padding: 0; }
.row {
  display: grid; grid-template-columns: 40px 1fr auto; gap: 1px 12px; width: 100%; padding: 11px 16px 10px 13px; text-align: left;
  background: none; border: 0; border-left: 3px solid transparent; border-bottom: 1px solid var(--line);
}
.row:hover { background: var(--hover); }
.row[aria-current="true"] { background: var(--chosen); border-left-color: var(--accent); }
.row > * { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .face { grid-row: 1 / 4; }
.row .who { font-weight: 500; }
.row .when { font-size: 12.5px; color: var(--soft); padding-top: 2px; }
.row .clip::before {
  content: ""; display: inline-block; width: 13px; height: 13px; margin-right: 5px; vertical-align: -2px; background: currentColor;
  mask: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%23000' stroke-width='1.6' stroke-linecap='round'%3E%3Cpath d='m13.5 7.4-5.6 5.6a3.4 3.4 0 0 1-4.8-4.8l6-6a2.3 2.3 0 0 1 3.2 3.2l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3'/%3E%3C/svg%3E") center / contain no-repeat;
}
.row .subject { grid-column: 2 / 4; font-size: 14px; }
.row .preview { grid-column: 2 / 4; font-size: 13px; color: var(--soft); }
.row.fresh .who, .row.fresh .subject { font-weight: 650; }
.row.fresh .when { color: var(--accent); font-weight: 600; }
.face {
  display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; font-weight: 600; font-size: 15px;
  color: #fff; background: #5468c7;
}
.hue1 { background: #0b7f79; } .hue2 { background: #a04a86; } .hue3 { background: #b4552d; }
.hue4 { background: #4a7a2c; } .hue5 { background: #7a52c4; } .hue6 { background: #2374ab; } .hue7 { background: #8a6516; }
.older { display: block; width: calc(100% - 32px); margin: 12px 16px 20px; padding: 9px; border: 1px solid var(--line); border-radius: 9px; background: var(--raised); }
.older:hover { background: var(--hover); }

.empty { display: grid; place-content: center; justify-items: center; gap: 6px; height: 100%; padding: 32px; text-align: center; color: var(--soft); }
.empty svg { width: 56px; height: 56px; margin-bottom: 8px; opacity: .55; }
.empty b { color: var(--text); font-weight: 600; }
.list .empty { height: auto; padding-top: 96px; }

.mail { display: flex; flex-direction: column; min-width: 0; min-height: 0; height: 100%; }
.mail header { padding: 18px 24px 0; background: var(--surface); border-bottom: 1px solid var(--line); }
.mail h2 { margin: 0 0 12px; font-size: 21px; line-height: 1.3; font-weight: 650; letter-spacing: -.015em; overflow-wrap: anywhere; max-height: 4em; overflow-y: auto; }
.people { display: grid; grid-template-columns: 40px 1fr auto; gap: 0 12px; align-items: start; }
.people dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 0; font-size: 14px; min-width: 0; }
.people dt { color: var(--soft); }
.people dd { margin: 0; min-width: 0; overflow-wrap: anywhere; max-height: 4.4em; overflow-y: auto; }
.people dd.path { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font: 12.5px/1.7 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft); }
.acts { display: flex; gap: 8px; }
.act { padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font-size: 13px; font-weight: 500; white-space: nowrap; }
.act:hover { background: var(--hover); }
.files { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0 0; padding: 0; list-style: none; max-height: 92px; overflow-y: auto; }
.files a { display: flex; gap: 8px; align-items: baseline; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: inherit; text-decoration: none; font-size: 13px; }
.files a:hover { border-color: var(--accent); }
.files span { max-width: 260px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 500; }
.files small { color: var(--soft); }
.tabs { display: flex; align-items: center; gap: 4px; margin-top: 12px; }
.tabs [role=tab] { padding: 8px 12px 10px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--soft); font-size: 14px; font-weight: 500; }
.tabs [role=tab]:hover:not(:disabled) { color: var(--text); }
.tabs [role=tab][aria-selected=true] { color: var(--accent); border-bottom-color: var(--accent); }
.tabs [role=tab]:disabled { opacity: .45; cursor: default; }
.tabs .act { margin-left: auto; margin-bottom: 4px; }
.body { flex: 1; min-height: 0; overflow: auto; background: var(--surface); }
.body iframe { display: block; width: 100%; height: 100%; border: 0; background: #fff; color-scheme: light; }
.body pre { margin: 0; padding: 20px 24px; white-space: pre-wrap; overflow-wrap: anywhere; }
.body pre.plain { font: inherit; max-width: 76ch; }
.body pre.raw { font: 12.5px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.body table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
.body th, .body td { padding: 8px 24px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.body th { width: 1%; padding-right: 0; white-space: nowrap; font-weight: 500; color: var(--soft); }
.body td { overflow-wrap: anywhere; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12.5px; }
.back { display: none; }
.note {
  position: fixed; left: 50%; bottom: 24px; transform: translateX(-50%); max-width: calc(100% - 32px); padding: 10px 18px;
  border-radius: 10px; background: var(--text); color: var(--surface); font-size: 14px; box-shadow: var(--shadow);
}
@media (max-width: 760px) {
  .bar { flex-wrap: wrap; gap: 10px 12px; padding: 10px 14px; }
  .brand { flex: 1; }
  .search { order: 3; flex-basis: 100%; max-width: none; }
  .search kbd { display: none; }
  main { grid-template-columns: 1fr; }
  .list { border-right: 0; }
  .pane { display: none; }
  .reading .bar, .reading .list { display: none; }
  .reading { grid-template-rows: 1fr; }
  .reading .pane { display: block; min-height: 0; }
  .mail header { padding: 10px 16px 0; }
  .mail h2 { font-size: 18px; margin-bottom: 10px; }
  .back { display: inline-flex; align-items: center; gap: 6px; margin: 0 0 8px -8px; padding: 6px 8px; border: 0; background: none; color: var(--accent); font-weight: 500; }
  .people { grid-template-columns: 40px 1fr; }
  .people dl { font-size: 13.5px; }
  .acts { grid-column: 1 / 3; margin-top: 10px; }
  .tabs { margin-top: 6px; overflow-x: auto; }
  .tabs [role=tab] { padding: 8px 9px 10px; }
  .body pre { padding: 16px; }
  .body th { display: none; }
  .body td { display: block; padding: 8px 16px; }
  .body td::before { content: attr(data-name); display: block; font: 500 12px/1.5 system-ui, sans-serif; color: var(--soft); }
}
`;
