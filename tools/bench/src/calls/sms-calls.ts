import { benchKey } from '@heliograph/harness';
import type { CallOptions, Calls } from './calls';

/** Sends to numbers of their own. */
export function smsCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const body = `{"from":"BENCHS","to":"+9198${String(number % 100_000_000).padStart(8, '0')}","template":"otp","variables":{"code":"${number}"}}`;
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${benchKey(number % population)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
}
