import { ResponseSeal } from './response-seal';

const response = { key: 'msg_secret' };

describe('a sealed response', () => {
  it('can be opened with the Idempotency-Key of the same caller', () => {
    const stored = new ResponseSeal('key', 'caller').close(response);
    expect(JSON.stringify(stored)).not.toContain('msg_secret');
    expect(new ResponseSeal('key', 'caller').open(stored)).toEqual(response);
  });

  it.each([
    ['key', new ResponseSeal('other', 'caller')],
    ['caller', new ResponseSeal('key', 'other')],
  ])('cannot be opened with another %s', (_, seal) => {
    expect(() => seal.open(new ResponseSeal('key', 'caller').close(response))).toThrow();
  });

  it('does not reveal the Idempotency-Key', () => {
    expect(new ResponseSeal('key', 'caller').storedKey).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
