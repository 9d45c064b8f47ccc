import { readSendAnswer } from './send-answer';

const read = (status: number, json: unknown) => readSendAnswer({ status, headers: {}, json }, 'secret');

describe('the response to a send', () => {
  it('contains the message id and the number in the notation of the provider', () => {
    const json = { contacts: [{ input: '+5511', wa_id: '551187654321' }], messages: [{ id: 'mid.1' }] };
    expect(read(200, json)).toEqual({ kind: 'taken', upstreamId: 'mid.1', upstreamNumber: '+551187654321' });
  });

  it.each([undefined, [], [{}], [{ wa_id: 'x' }], [{ wa_id: 5511 }], 'x', [null]])(
    'can contain no usable number: %j',
    (contacts) => {
      const answer = read(200, { contacts, messages: [{ id: 'mid.1' }] });
      expect(answer).toEqual({ kind: 'taken', upstreamId: 'mid.1', upstreamNumber: null });
    },
  );

  it.each([
    undefined,
    null,
    [],
    {},
    { messages: [] },
    { messages: [{ id: '' }] },
    { messages: [{ id: 7 }] },
    { messages: [null] },
  ])('leaves the result unknown for a success without a message id: %j', (json) =>
    expect(read(200, json).kind).toBe('unanswered'),
  );

  it.each([
    [400, { error: { code: 100 } }],
    [200, { error: { code: 100 }, messages: [{ id: 'mid.1' }] }],
    [500, undefined],
    [502, { error: { code: 2 } }],
    [302, undefined],
  ])('is a refusal: %i %j', (status, json) => expect(read(status, json).kind).toBe('refused'));
});
