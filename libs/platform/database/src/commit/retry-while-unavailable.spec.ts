import { retryWhileUnavailable } from './retry-while-unavailable';

const unavailable = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('retryWhileUnavailable', () => {
  it('retries the write until the database is available', async () => {
    let attempts = 0;
    const write = async () => {
      if (++attempts < 3) throw unavailable();
      return attempts;
    };
    const retried: number[] = [];
    const options = {
      delayMs: 1,
      signal: new AbortController().signal,
      onRetry: (_: unknown, n: number) => retried.push(n),
    };
    await expect(retryWhileUnavailable(write, options)).resolves.toBe(3);
    expect(retried).toEqual([1, 2]);
  });

  it('throws other errors immediately', async () => {
    let attempts = 0;
    const write = async () => {
      attempts++;
      throw new Error('violates a constraint');
    };
    await expect(retryWhileUnavailable(write, { delayMs: 1, signal: new AbortController().signal })).rejects.toThrow(
      'violates a constraint',
    );
    expect(attempts).toBe(1);
  });

  it('throws after the signal was aborted', async () => {
    const stopping = new AbortController();
    const write = async () => {
      stopping.abort();
      throw unavailable();
    };
    await expect(retryWhileUnavailable(write, { delayMs: 1, signal: stopping.signal })).rejects.toThrow('ECONNREFUSED');
  });
});
