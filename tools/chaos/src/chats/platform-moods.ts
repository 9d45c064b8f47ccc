import type { PlatformBehaviourInput, PlatformSimulator } from '@heliograph/simulators';
import { Moods } from '../moods';
import type { Random } from '../random';

/** How long chatapp-api waits for an answer in these runs, and what is longer than that. */
export const PATIENCE_MS = 1_500;
export const TOO_SLOW_MS = 2_500;

const MOODS: readonly PlatformBehaviourInput[] = [
  { error: { status: 429, code: 130429, message: 'Rate limit hit' } },
  { error: { status: 500, code: 2, message: 'Service temporarily unavailable' } },
  { error: { status: 503, code: 1 } },
  { error: { status: 400, code: 131026, message: 'Message undeliverable' } },
  { delayMs: 300 },
  { delayMs: TOO_SLOW_MS },
  { unreachable: true },
  { answerLost: true },
  { statusFirst: ['sent'] },
  { statusFirst: ['sent'], answerLost: true },
];

/** A platform that limits, fails, dawdles, loses its answers or hangs up on everybody, now and then. */
export class PlatformMoods extends Moods {
  constructor(
    private readonly platform: PlatformSimulator,
    random: Random,
  ) {
    super(random);
  }

  protected async sulk(): Promise<void> {
    this.platform.behave(this.random.pick(MOODS));
    await this.pause(100, 700);
    this.platform.behave({});
    if (this.random.next() < 0.2) this.platform.disconnect();
  }

  protected recover(): void {
    this.platform.behaviours.reset();
  }
}
