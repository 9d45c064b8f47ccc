import type { Random } from '@heliograph/bench-data';
import type { ProviderBehaviourInput, ProviderSimulator } from '@heliograph/simulators';
import { UpstreamFaultInjector } from '../upstream-fault-injector';

/** The time-out of calls to the provider in these runs, and a delay beyond it. */
export const CALL_TIMEOUT_MS = 1_500;
export const SLOW_ANSWER_MS = 2_500;

const FAULTS: readonly ProviderBehaviourInput[] = [
  { error: { status: 429, code: 130429, message: 'Rate limit hit' } },
  { error: { status: 500, code: 2, message: 'Service temporarily unavailable' } },
  { error: { status: 503, code: 1 } },
  { error: { status: 400, code: 131026, message: 'Message undeliverable' } },
  { delayMs: 300 },
  { delayMs: SLOW_ANSWER_MS },
  { unreachable: true },
  { answerLost: true },
  { statusFirst: ['sent'] },
  { statusFirst: ['sent'], answerLost: true },
];

/** Makes the provider throttle, fail, delay, lose its answers or disconnect now and then. */
export class ProviderFaultInjector extends UpstreamFaultInjector {
  constructor(
    private readonly provider: ProviderSimulator,
    random: Random,
  ) {
    super(random);
  }

  protected async injectFault(): Promise<void> {
    this.provider.behave(this.random.pick(FAULTS));
    await this.pause(100, 700);
    this.provider.behave({});
    if (this.random.next() < 0.2) this.provider.disconnect();
  }

  protected reset(): void {
    this.provider.behaviours.reset();
  }
}
