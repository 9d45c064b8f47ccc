import { outcomeOf } from './submit-outcome';

const failure = (response: string, command: string) =>
  Object.assign(new Error('failed'), { response, command, responseCode: Number(response.slice(0, 3)) });

describe('a failed submission', () => {
  it.each([
    ['550 5.1.1 no such user', 'RCPT TO', 'refused', true],
    ['550-5.1.10 more\n550 5.1.10 to come', 'RCPT TO', 'refused', true],
    ['550 5.7.1 not welcome', 'RCPT TO', 'refused', false],
    ['550 no such user', 'RCPT TO', 'refused', true],
    ['550 5.1.8 bad sender', 'RCPT TO', 'refused', false],
    ['550 5.1.7 bad sender', 'RCPT TO', 'refused', false],
    ['550 5.1.90 your message cannot be accepted', 'RCPT TO', 'refused', false],
    ['550 5.4.1 Recipient address rejected: Access denied', 'RCPT TO', 'refused', true],
    ['550 mailbox unavailable', 'RCPT TO', 'refused', false],
    ['450 no such user', 'RCPT TO', 'deferred', undefined],
    ['550 no such user', 'DATA', 'refused', false],
    ['550 5.4.4 no such host', 'RCPT TO', 'refused', false],
    ['553 5.1.8 bad sender', 'MAIL FROM', 'refused', false],
    ['554 5.1.1 of the content', 'DATA', 'refused', false],
    ['451 4.7.1 greylisted', 'RCPT TO', 'deferred', undefined],
    ['452 4.2.2 full', 'DATA', 'deferred', undefined],
    ['421 4.3.2 closing', 'DATA', 'deferred', undefined],
    ['535 5.7.8 who are you', 'AUTH PLAIN', 'deferred', undefined],
    ['554 5.3.2 not today', 'CONN', 'deferred', undefined],
  ])('with the response "%s" to %s is %s', (response, command, kind, suppresses) => {
    expect(outcomeOf(failure(response, command), false)).toMatchObject({
      kind,
      ...(suppresses === undefined ? {} : { suppresses }),
    });
    // A response decides the outcome, even if it arrives after the complete mail was sent.
    expect(outcomeOf(failure(response, command), true).kind).toBe(kind);
  });

  it('without a response is uncertain if the complete mail was sent, and deferred otherwise', () => {
    const cut = Object.assign(new Error('Connection closed unexpectedly'), { code: 'ECONNECTION', command: 'CONN' });
    expect(outcomeOf(cut, true).kind).toBe('uncertain');
    expect(outcomeOf(cut, false).kind).toBe('deferred');
  });

  it('of a mail that exceeds the size limit of the backend is a refusal', () => {
    const large = Object.assign(new Error('Message size larger than allowed 10'), {
      code: 'EMESSAGE',
      command: 'MAIL FROM',
    });
    expect(outcomeOf(large, false)).toMatchObject({ kind: 'refused', suppresses: false });
  });

  it('has a reason of one line with limited length', () => {
    const { reason } = outcomeOf(failure(`550-5.1.1 a\r\n550 \u0007b ${'x'.repeat(2_000)}`, 'RCPT TO'), false) as {
      reason: string;
    };
    expect(reason).toMatch(/^550-5\.1\.1 a 550 b x+$/);
    expect(reason).toHaveLength(500);
  });

  it('has a reason without half of a character', () => {
    const response = `550 ${'x'.repeat(495)}😀`;
    expect(outcomeOf(failure(response, 'DATA'), false)).toMatchObject({ reason: `550 ${'x'.repeat(495)}\ufffd` });
  });
});
