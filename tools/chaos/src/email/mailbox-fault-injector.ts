import type { Random } from '@heliograph/bench-data';
import type { MailboxSimulator } from '@heliograph/simulators';
import { UpstreamFaultInjector } from '../upstream-fault-injector';

/** A period in which an email may have been sent without a record of it; Unix milliseconds. */
export interface UncertainPeriod {
  from: number;
  to: number;
}

type Behaviour = Parameters<MailboxSimulator['behave']>[0];

/** Longer than the client's time-out: the server accepts an email after the client has given up. */
export const SLOW_ANSWER_MS = 4_500;
/** The maximum additional delay of a response on a busy machine. */
const LATENESS_MS = 2_000;

const FAULTS: readonly { behaviour: Behaviour; isUncertain?: boolean }[] = [
  { behaviour: { at: 'rcpt', reply: { code: 451, text: '4.7.1 greylisted' } } },
  { behaviour: { at: 'data', reply: { code: 452, text: '4.3.1 insufficient storage' } } },
  { behaviour: { at: 'rcpt', reply: { code: 550, text: '5.7.1 rejected' } } },
  { behaviour: { at: 'data', reply: { code: 554, text: '5.6.0 rejected' } } },
  { behaviour: { at: 'data', delayMs: 200 } },
  { behaviour: { at: 'data', delayMs: SLOW_ANSWER_MS }, isUncertain: true },
  { behaviour: { cutAfterData: true }, isUncertain: true },
];

/** Makes the mail server reject, defer, delay or disconnect now and then. */
export class MailboxFaultInjector extends UpstreamFaultInjector {
  /** The periods in which the server accepted emails without a timely response. */
  readonly uncertain: UncertainPeriod[] = [];

  constructor(
    private readonly mailbox: MailboxSimulator,
    random: Random,
  ) {
    super(random);
  }

  protected async injectFault(): Promise<void> {
    const { behaviour, isUncertain = false } = this.random.pick(FAULTS);
    const from = Date.now();
    this.mailbox.behave(behaviour);
    await this.pause(100, 500);
    // The behaviour for individual addresses remains.
    this.mailbox.behave({});
    const disconnects = this.random.next() < 0.2;
    if (disconnects) this.mailbox.disconnect();
    const pendingMs = behaviour.delayMs === undefined ? 0 : behaviour.delayMs + LATENESS_MS;
    if (isUncertain || disconnects) this.uncertain.push({ from, to: Date.now() + pendingMs });
  }

  protected reset(): void {
    this.mailbox.behaviours.reset();
  }
}
