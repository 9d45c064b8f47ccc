import { benchKey } from '@heliograph/bench-data';
import type { CallOptions, Calls } from './call-options';
import { bearer, postRequest } from './http-request';

export const EMAIL_SENDER = 'hello@bench.example';

/** The content of a short notice, as HTML and text. */
export const EMAIL_CONTENT = {
  subject: 'Your order is on its way',
  text: `Hello,\n\n${'your order has left our house and will be with you soon. '.repeat(8)}\n\nThe Bench`,
  html: `<h1>Hello</h1><p>${'Your order has left our house and will be with you soon. '.repeat(8)}</p><p><a href="https://bench.example/orders">Follow it</a></p>`,
};

/** Sends to one distinct recipient each. */
export function emailCalls({ path }: CallOptions): Calls {
  const rest = JSON.stringify({ from: EMAIL_SENDER, ...EMAIL_CONTENT }).slice(1);
  return (number) => postRequest(path, [bearer(benchKey(0))], `{"to":"reader-${number}@elsewhere.example",${rest}`);
}
