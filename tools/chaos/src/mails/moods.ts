import type { MailboxSimulator } from '@heliograph/simulators';
import { Moods } from '../moods';
import type { Random } from '../random';

/** A time in which a mail may have left without an answer, in milliseconds since 1970. */
export interface Uncertainty {
  from: number;
  to: number;
}

type Behaviour = Parameters<MailboxSimulator['behave']>[0];

/** Longer than a client waits: the mail is kept when nobody listens any more. */
export const TOO_SLOW_MS = 4_500;
/** How late a busy machine may be with what it has put off. */
const LATENESS_MS = 2_000;

const WELL: Behaviour = {};
const MOODS: readonly { behaviour: Behaviour; isUncertain?: boolean }[] = [
  { behaviour: { at: 'rcpt', reply: { code: 451, text: '4.7.1 greylisted' } } },
  { behaviour: { at: 'data', reply: { code: 452, text: '4.3.1 no room just now' } } },
  { behaviour: { at: 'rcpt', reply: { code: 550, text: '5.7.1 not welcome here' } } },
  { behaviour: { at: 'data', reply: { code: 554, text: '5.6.0 no' } } },
  { behaviour: { at: 'data', delayMs: 200 } },
  { behaviour: { at: 'data', delayMs: TOO_SLOW_MS }, isUncertain: true },
  { behaviour: { cutAfterData: true }, isUncertain: true },
];

/** A mail backend that refuses, defers, dawdles or hangs up on everybody, now and then. */
export class MailboxMoods extends Moods {
  /** When it took mails and did not say so in time. */
  readonly uncertain: Uncertainty[] = [];

  constructor(
    private readonly mailbox: MailboxSimulator,
    random: Random,
  ) {
    super(random);
  }

  protected async sulk(): Promise<void> {
    const { behaviour, isUncertain = false } = this.random.pick(MOODS);
    const from = Date.now();
    this.mailbox.behave(behaviour);
    await this.pause(100, 500);
    // What a mailbox is to individual addresses stays.
    this.mailbox.behave(WELL);
    const hangsUp = this.random.next() < 0.2;
    if (hangsUp) this.mailbox.disconnect();
    const stillToCome = behaviour.delayMs === undefined ? 0 : behaviour.delayMs + LATENESS_MS;
    if (isUncertain || hangsUp) this.uncertain.push({ from, to: Date.now() + stillToCome });
  }

  protected recover(): void {
    this.mailbox.behaviours.reset();
  }
}
