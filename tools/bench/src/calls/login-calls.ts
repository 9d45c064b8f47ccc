import { userEmail, USER_PASSWORD } from '@heliograph/bench-data';
import type { CallOptions, Calls } from './call-options';
import { postRequest } from './http-request';

/** Logins of users without a session. */
export function loginCalls({ path, population }: CallOptions): Calls {
  return (number) =>
    postRequest(path, [], JSON.stringify({ email: userEmail(number % population), password: USER_PASSWORD }));
}
