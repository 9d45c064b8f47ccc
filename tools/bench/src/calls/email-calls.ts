import { benchKey } from '@heliograph/harness';
import type { CallOptions, Calls } from './calls';

export const EMAIL_SENDER = 'hello@bench.example';

/** What a mail says, in html and text, as long as a short notice is. */
export const EMAIL_CONTENT = {
  subject: 'Your order is on its way',
  text: `Hello,\n\n${'your order has left our house and will be with you soon. '.repeat(8)}\n\nThe Bench`,
  html: `<h1>Hello</h1><p>${'Your order has left our house and will be with you soon. '.repeat(8)}</p><p><a href="https://bench.example/orders">Follow it</a></p>`,
};

/** Single sends, each to a recipient of its own. */
export function emailCalls({ path }: CallOptions): Calls {
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${benchKey(0)}\r\nContent-Type: application/json\r\n`;
  const rest = JSON.stringify({ from: EMAIL_SENDER, ...EMAIL_CONTENT }).slice(1);
  return (number) => {
    const body = `{"to":"reader-${number}@elsewhere.example",${rest}`;
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
}
