/** The password of every seeded user. */
export const USER_PASSWORD = 'correct horse battery staple';

/** Returns the email address of the nth user. */
export function userEmail(index: number): string {
  return `user-${index}@bench.example`;
}

/** Returns the API key of the nth organization. */
export function benchKey(index: number): string {
  return `msg_live_benchBenchBenchBenchBenchBench${String(index).padStart(6, '0')}`;
}

/** Returns the customer of the payment processor that pays for the workspace of the nth organization. */
export function benchCustomer(index: number): string {
  return `cus_bench_${index}`;
}
