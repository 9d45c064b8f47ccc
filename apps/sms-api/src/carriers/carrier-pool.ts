import type { Carrier, OutboundSms, ReceiptSink, SubmitOutcome } from './carrier';
import type { CarrierLogger } from './carrier-logger';
import { CarrierRoutes } from './carrier-routes';
import type { SmppCarrierSettings } from './carrier-settings';
import { SmppCarrier } from './smpp/smpp-carrier';

export const CARRIERS = Symbol('CarrierPool');
const LOOK_AGAIN_MS = 100;
const CLAIM_MARGIN_MS = 5_000;

/** A carrier with what the worker needs to know of its account. */
export interface RoutedCarrier {
  readonly name: string;
  readonly uncertain: SmppCarrierSettings['uncertain'];
  /** Longer than a submit of so many segments takes: an older claim belongs to a process that is gone. */
  claimLeaseMs(segments: number): number;
  submit(message: OutboundSms): Promise<SubmitOutcome>;
  release(): void;
}

/** All carriers of the deployment: routed by country, the next one when the first is unbound. */
export class CarrierPool {
  readonly carriers: readonly SmppCarrier[];
  private readonly routes: CarrierRoutes<SmppCarrier>;
  private readonly routed = new Map<Carrier, RoutedCarrier>();
  private stopping = false;

  constructor(settings: readonly SmppCarrierSettings[], log: CarrierLogger) {
    const routes = settings.map((account) => ({
      carrier: new SmppCarrier(account, log),
      countries: account.countries,
      account,
    }));
    this.carriers = routes.map(({ carrier }) => carrier);
    this.routes = new CarrierRoutes(routes);
    for (const { carrier, account } of routes) {
      this.routed.set(carrier, {
        name: carrier.name,
        uncertain: account.uncertain,
        claimLeaseMs: (segments) =>
          (segments === 1 ? account.responseTimeoutMs : carrier.longestSubmitMs) + CLAIM_MARGIN_MS,
        submit: (message) => carrier.submit(message),
        release: () => carrier.release(),
      });
    }
  }

  start(onReceipt: ReceiptSink): void {
    for (const carrier of this.carriers) carrier.start(onReceipt);
  }

  /** A carrier of the country with a free slot; null when none had one in time. */
  async acquire(country: string, timeoutMs: number): Promise<RoutedCarrier | null> {
    const deadline = Date.now() + timeoutMs;
    while (!this.stopping) {
      const left = deadline - Date.now();
      if (left <= 0) return null;
      const carrier = this.routes.pickCarrier(country);
      if (!carrier) await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_AGAIN_MS, left)));
      // A bind that is lost meanwhile ends the wait early: the next carrier may be up.
      else if (await carrier.acquire(Math.min(left, 1_000))) return this.routed.get(carrier) ?? null;
    }
    return null;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.carriers.map((carrier) => carrier.stop()));
  }
}
