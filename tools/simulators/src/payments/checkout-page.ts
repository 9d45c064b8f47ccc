import { formatMoney } from '@heliograph/system-mail';
import { ControlPage } from '../control-api';
import type { CheckoutSession } from './checkout-store';

const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#16191d;--quiet:#5b6470;--line:#dfe3e8;--accent:#0b6b50}
@media(prefers-color-scheme:dark){:root{--page:#121417;--card:#1b1f24;--text:#eceff2;--quiet:#a0a9b4;--line:#30363d;--accent:#2fa982}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--text);
font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:400px;padding:32px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
h1{margin:0;font-size:16px;font-weight:500;color:var(--quiet);overflow-wrap:anywhere}
.amount{margin:4px 0 24px;font-size:40px;font-weight:650;letter-spacing:-.02em}
button,.back{display:block;width:100%;min-height:48px;padding:12px;border:0;border-radius:10px;background:var(--accent);
color:#fff;font:600 16px/24px system-ui,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
@media(prefers-color-scheme:dark){button,.back{color:#06120d}}
button:focus-visible,a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.cancel{display:block;margin-top:16px;color:var(--quiet);text-align:center}
.note{margin:24px 0 0;font-size:14px;color:var(--quiet)}`;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // Without a referrer, the form would have no origin, and the control API would refuse it.
  'referrer-policy': 'same-origin',
};

/** The payment page of a checkout: a form with one button. */
export function checkoutPage(session: CheckoutSession): ControlPage {
  const { status, description, amount_total: amount, currency, success_url: back, cancel_url: cancel } = session;
  const content = {
    open: `<form method="post"><button>Pay ${show(amount, currency)}</button></form>${linkTo(cancel, 'cancel', 'Cancel')}`,
    complete: `<p role="status">The payment was received.</p>${linkTo(back, 'back', 'Continue')}`,
    expired: `<p role="status">This checkout has expired.</p>${linkTo(cancel, 'back', 'Back')}`,
  }[status];
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(description)}</h1>
<p class="amount">${show(amount, currency)}</p>
${content}
<p class="note">Simulated payment processor. No money moves.</p>
</main>
</body>
</html>
`;
  return new ControlPage(page, 'text/html; charset=utf-8', HEADERS);
}

function linkTo(url: string, className: string, text: string): string {
  return /^https?:/i.test(url) ? `<a class="${className}" href="${escape(url)}">${text}</a>` : '';
}

function show(amount: number, currency: string): string {
  return escape(formatMoney(amount, currency));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
