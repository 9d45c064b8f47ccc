import { setTimeout as delay } from 'node:timers/promises';
import { faultKindsOf, type FaultTarget } from './faults';

/** Injects faults into processes, servers and the carrier, chosen by the seed. */
export class FaultInjector {
  constructor(private readonly target: FaultTarget) {}

  /** Injects faults one after another, of every kind in turn. Resolves with the whole system running. */
  async inject(count: number): Promise<void> {
    const { random } = this.target;
    const kinds = faultKindsOf(this.target.services);
    const first = random.between(0, kinds.length - 1);
    const startedAt = Date.now();
    for (let injected = 0; injected < count; injected++) {
      await delay(random.between(300, 1_200));
      const fault = random.pick(kinds[(first + injected) % kinds.length] ?? []);
      console.log(`    ${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${fault.name}`);
      await fault.inject(this.target);
    }
  }
}
