import { benchKey } from '@heliograph/bench-data';
import type { CallOptions, Calls } from './call-options';
import { bearer, postRequest } from './http-request';

/** Sends to distinct numbers, by organizations in turn. */
export function smsCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const to = `+9198${String(number % 100_000_000).padStart(8, '0')}`;
    const body = `{"from":"BENCHS","to":"${to}","template":"otp","variables":{"code":"${number}"}}`;
    return postRequest(path, [bearer(benchKey(number % population))], body);
  };
}
