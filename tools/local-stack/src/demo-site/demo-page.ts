/** A page of a small shop that embeds a bot with a single tag. */
export function demoPage(baseUrl: string, botId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fernweh Outfitters</title>
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header>
  <a class="brand" href="/">Fernweh</a>
  <nav aria-label="Shop"><a href="/">Tents</a><a href="/">Backpacks</a><a href="/">Stoves</a></nav>
</header>
<main>
  <section class="hero">
    <h1>Sleep where the road ends.</h1>
    <p>Light tents, honest backpacks and a repair shop that has never thrown a zip away. Questions? Ask our bot in the corner.</p>
  </section>
  <section class="cards" aria-label="Favourites">
    <article><i class="dune"></i><h2>Dune 2</h2><p>A tent for two and their boots. 1.4 kg.</p><strong>349</strong></article>
    <article><i class="moss"></i><h2>Moss 45</h2><p>A backpack that carries like a smaller one.</p><strong>189</strong></article>
    <article><i class="ember"></i><h2>Ember</h2><p>Boils a litre while you look for the cups.</p><strong>79</strong></article>
  </section>
</main>
<footer>This page is an example of a customer's site. Its strict Content-Security-Policy allows only styles, requests and
scripts of this site and of the widget.</footer>
<script src="${escape(baseUrl)}/bots/widget.js" data-bot-id="${escape(botId)}" async></script>
</body>
</html>
`;
}

export const DEMO_STYLES = `
:root { color-scheme: light dark; --ink: #1d2721; --paper: #f7f5ef; --card: #fff; --line: #e4dfd2; --soft: #5d665f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae3; --paper: #161a17; --card: #1f2521; --line: #313932; --soft: #a3aca4; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 ui-serif, Georgia, serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 32px; align-items: baseline; padding: 20px max(24px, 8vw);
  border-bottom: 1px solid var(--line); }
.brand { font-size: 24px; font-weight: 700; letter-spacing: -.02em; }
a { color: inherit; text-decoration: none; }
nav { display: flex; gap: 20px; font: 15px/1.4 system-ui, sans-serif; }
nav a:hover { text-decoration: underline; }
main { padding: 0 max(24px, 8vw) 64px; }
.hero { max-width: 640px; padding: 72px 0 48px; }
h1 { margin: 0 0 16px; font-size: clamp(36px, 6vw, 60px); line-height: 1.05; letter-spacing: -.03em; }
.hero p { margin: 0; color: var(--soft); font-size: 19px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 20px; }
article { padding: 0 20px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
article i { display: block; height: 150px; margin: 0 -20px 16px; }
.dune { background: linear-gradient(160deg, #e8c48f, #b8743c); }
.moss { background: linear-gradient(160deg, #9db98a, #3f5f3f); }
.ember { background: linear-gradient(160deg, #f0a187, #9c3b2d); }
h2 { margin: 0; font-size: 21px; }
article p { margin: 4px 0 12px; color: var(--soft); font: 15px/1.5 system-ui, sans-serif; }
footer { padding: 24px max(24px, 8vw) 96px; border-top: 1px solid var(--line); color: var(--soft); font: 14px/1.6 system-ui, sans-serif; }
`;

/** The parts of a site's policy that the widget requires: its script and its frame. */
export function demoPolicy(baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${origin}`,
    `frame-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
