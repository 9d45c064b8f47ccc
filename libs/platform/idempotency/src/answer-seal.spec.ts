import { AnswerSeal } from './answer-seal';

const answer = { key: 'msg_secret' };

describe('a sealed response', () => {
  it('can be opened with the Idempotency-Key of the same caller', () => {
    const stored = new AnswerSeal('key', 'caller').close(answer);
    expect(JSON.stringify(stored)).not.toContain('msg_secret');
    expect(new AnswerSeal('key', 'caller').open(stored)).toEqual(answer);
  });

  it.each([
    ['key', new AnswerSeal('other', 'caller')],
    ['caller', new AnswerSeal('key', 'other')],
  ])('cannot be opened with another %s', (_, seal) => {
    expect(() => seal.open(new AnswerSeal('key', 'caller').close(answer))).toThrow();
  });

  it('does not reveal the Idempotency-Key', () => {
    expect(new AnswerSeal('key', 'caller').storedKey).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
