import { AppError } from '@heliograph/errors';
import { quoteOf, type QuoteProgress } from './v1-quote';

const CHECKS = ['permission', 'sender', 'content', 'credits'];
const refusal = (message: string) => new AppError('INVALID_REQUEST', message);
const nothing = () => Promise.resolve();
const listed = async (
  run: (progress: QuoteProgress) => void,
  attemptRest: (progress: QuoteProgress) => Promise<unknown> = nothing,
) => {
  const quote = await quoteOf(
    CHECKS,
    (_quoted, progress) => Promise.resolve().then(() => run(progress)),
    async (_quoted, progress) => void (await attemptRest(progress)),
  );
  return { verdict: quote.verdict, checks: quote.checks.map(({ name, result }) => `${name} ${result}`) };
};

describe('the quote of a send', () => {
  it('lists the entered checks in their order, and those that were not needed as passed', async () => {
    const quote = await listed((progress) => {
      progress.enter('sender');
      progress.enter('credits');
    });
    expect(quote).toEqual({
      verdict: 'ok',
      checks: ['sender passed', 'credits passed', 'permission passed', 'content passed'],
    });
  });

  it('takes an error as the result of the entered check', async () => {
    const quote = await listed((progress) => {
      progress.enter('sender');
      progress.enter('content');
      throw refusal('Too long.');
    });
    expect(quote).toEqual({
      verdict: 'refused',
      checks: ['sender passed', 'content failed', 'permission not_run', 'credits not_run'],
    });
  });

  it('throws an error outside of a check, and an error of the service', async () => {
    const outside = listed((progress) => {
      progress.enter('sender');
      progress.leave();
      throw refusal('Send message or template_id.');
    });
    await expect(outside).rejects.toThrow('Send message or template_id.');
    const unavailable = listed((progress) => {
      progress.enter('sender');
      throw new AppError('SERVICE_UNAVAILABLE', 'Later.');
    });
    await expect(unavailable).rejects.toThrow('Later.');
  });

  it('continues after a noted check', async () => {
    const quote = await listed((progress) => {
      progress.note('permission', () => {
        throw refusal('Not allowed.');
      });
      progress.enter('sender');
    });
    expect(quote).toEqual({
      verdict: 'refused',
      checks: ['permission failed', 'sender passed', 'content passed', 'credits passed'],
    });
  });

  it('runs the remaining checks behind a failed one', async () => {
    const quote = await listed(
      (progress) => {
        progress.enter('sender');
        throw refusal('Unknown.');
      },
      async (progress) => {
        expect(await progress.attempt('sender', () => 'again')).toBeNull();
        expect(await progress.attemptPart('content', () => 'a part')).toBe('a part');
        expect(await progress.attempt('credits', () => Promise.reject(refusal('None.')))).toBeNull();
      },
    );
    expect(quote).toEqual({
      verdict: 'refused',
      checks: ['sender failed', 'credits failed', 'permission not_run', 'content not_run'],
    });
  });
});
