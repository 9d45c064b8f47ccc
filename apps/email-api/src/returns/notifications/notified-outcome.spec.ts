import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import type { DeliveryReport } from './delivery-status';
import { outcomeOf } from './notified-outcome';

const aReport = (changes: Partial<DeliveryReport> = {}): DeliveryReport => ({
  action: 'failed',
  status: '5.1.1',
  diagnostic: '550 5.1.1 no such user',
  ...changes,
});
const delivery = (...reports: Partial<DeliveryReport>[]) =>
  outcomeOf({ kind: 'delivery', reports: reports.map((changes) => aReport(changes)) });
const complaint = (feedbackType: string) =>
  outcomeOf({ kind: 'complaint', feedbackType, original: { returnPaths: [], messageId: null, listUnsubscribe: null } });

describe('a failed delivery', () => {
  it.each([
    ['5.1.1', true],
    ['5.1.10', true],
    ['5.1.7', false],
    ['5.1.8', false],
    ['5.1.90', false],
    ['5.2.2', false],
    ['5.7.1', false],
    ['5.4.4', false],
    ['5.0.0', false],
    ['4.4.7', false],
    ['5.10.1', false],
    [null, false],
  ])('with the status %s is a bounce, and suppresses the address: %s', (status, suppresses) => {
    const diagnostic = '550 rejected';
    expect(delivery({ status, diagnostic })).toMatchObject({ type: 'bounced', reason: diagnostic, suppresses });
  });

  it('always has a reason', () => {
    expect(delivery({ diagnostic: null })).toMatchObject({ reason: '5.1.1' });
    expect(delivery({ diagnostic: null, status: null })).toMatchObject({ reason: '5.0.0' });
    expect(delivery({ diagnostic: '\u0000\u202e' })).toMatchObject({ reason: '5.0.0' });
    expect(delivery({ diagnostic: `a\r\nb\u0007${'x'.repeat(600)}` })).toMatchObject({
      reason: `a b ${'x'.repeat(495)}…`,
    });
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (diagnostic) => {
        const outcome = delivery({ diagnostic });
        expect(outcome).toMatchObject({ type: 'bounced', reason: expect.stringMatching(/^[^\p{Cc}]{1,500}$/u) });
      }),
    );
  });

  it('of some mailboxes behind an address is not a bounce of the address', () => {
    expect(delivery({}, { action: 'delivered' })).toMatchObject({ type: 'delivered', suppresses: false });
    expect(delivery({}, { action: 'relayed' })).toMatchObject({ type: 'delivered', reason: 'relayed' });
    expect(delivery({}, { action: 'delayed' })).toEqual({ type: 'delayed' });
    expect(delivery({}, { status: '5.2.2' })).toMatchObject({ type: 'bounced', suppresses: false });
    expect(delivery({}, {})).toMatchObject({ type: 'bounced', suppresses: true });
  });
});

it.each([
  ['delivered', 'delivered'],
  ['delayed', 'delayed'],
  ['relayed', 'delivered'],
  ['expanded', 'nothing'],
] as const)('the action %s results in the outcome %s', (action, type) => {
  expect(delivery({ action, status: '2.0.0' })).toMatchObject({ type });
});

describe('a complaint', () => {
  it.each(['abuse', 'fraud', 'other'])('with the feedback type %s is recorded', (feedbackType) => {
    expect(complaint(feedbackType)).toEqual({ type: 'complained', reason: feedbackType, suppresses: true });
  });

  it.each(['not-spam', 'auth-failure', 'virus', 'opt-out', 'x'])(
    'with the feedback type %s is ignored',
    (feedbackType) => {
      expect(complaint(feedbackType)).toEqual({ type: 'nothing' });
    },
  );
});
