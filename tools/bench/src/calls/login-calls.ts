import { userEmail, USERS_PASSWORD } from '@heliograph/harness';
import type { CallOptions, Calls } from './calls';

/** Logins of people who have no session yet. */
export function loginCalls({ path, population }: CallOptions): Calls {
  const calls = Array.from({ length: population }, (_, index) => {
    const body = JSON.stringify({ email: userEmail(index), password: USERS_PASSWORD });
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  return (number) => {
    const call = calls[number % population];
    if (!call) throw new Error('there are no users');
    return call;
  };
}
