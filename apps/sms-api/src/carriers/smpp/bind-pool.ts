import type { SmppCarrierConfig } from '../carrier-config';
import type { CarrierLogger } from '../carrier-logger';
import type { CarrierMetrics } from './metrics';
import { SmppBind, type BindEvents, type BindType } from './smpp-bind';

/** The binds of a carrier: transceivers, or pairs of a transmitter and a receiver. */
export class BindPool {
  private readonly binds: readonly SmppBind[];
  /** The binds that can submit. */
  private readonly submitters: readonly SmppBind[];
  private upCount = 0;

  /** `up` is called whenever a bind that can submit is established. */
  constructor(
    private readonly config: SmppCarrierConfig,
    metrics: CarrierMetrics,
    logger: CarrierLogger,
    { up, delivered }: Pick<BindEvents, 'up' | 'delivered'>,
  ) {
    const submitting: BindEvents = {
      up: () => {
        this.upCount += 1;
        up();
      },
      down: () => (this.upCount -= 1),
      delivered,
    };
    const receiving: BindEvents = { up: () => undefined, down: () => undefined, delivered };
    const open = (type: BindType, events: BindEvents): SmppBind[] =>
      Array.from({ length: config.binds }, (_, index) => new SmppBind(index, type, config, metrics, logger, events));
    const isPaired = config.bindType === 'transmitter+receiver';
    this.submitters = open(isPaired ? 'transmitter' : 'transceiver', submitting);
    this.binds = isPaired ? [...this.submitters, ...open('receiver', receiving)] : this.submitters;
  }

  /** Number of submitting binds that are up; at most `config.binds`. */
  get submittersUp(): number {
    return this.upCount;
  }

  /** Number of receiving binds that are up; at most `config.binds`. */
  get receiversUp(): number {
    return this.binds.filter(({ type, up }) => up && type !== 'transmitter').length;
  }

  /** Reason why the binds of a type are down or refused by the carrier; null if there is no problem. */
  get problem(): string | null {
    for (const type of new Set(this.binds.map((bind) => bind.type))) {
      const binds = this.binds.filter((bind) => bind.type === type);
      const failures = binds.flatMap(({ failure }) => (failure === null ? [] : [failure]));
      const refusal = failures.find(({ kind }) => kind === 'bind_refused');
      if (refusal) return refusal.reason;
      const [failure] = failures;
      if (!binds.some((bind) => bind.up)) return `no ${type} is bound${failure ? `: ${failure.reason}` : ''}`;
    }
    return null;
  }

  start(): void {
    for (const bind of this.binds) bind.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.binds.map((bind) => bind.stop()));
  }

  /** When a bind is lost, occupied slots can exceed the capacity of the other binds; no bind exceeds its window. */
  leastLoaded(): SmppBind | null {
    let best: SmppBind | null = null;
    for (const bind of this.submitters) {
      if (bind.up && bind.load < this.config.windowSize && (best === null || bind.load < best.load)) best = bind;
    }
    return best;
  }
}
