import type { JobLane } from '@heliograph/contracts';
import { isTestId } from '@heliograph/database';
import type { LaneWeights } from '@heliograph/fairness';
import type { Carrier, OutboundSms, ReceiptSink, SubmitOutcome } from './carrier';
import type { CarrierLogger } from './carrier-logger';
import { CarrierRoutes } from './carrier-routes';
import type { SmppCarrierConfig } from './carrier-config';
import { SmppCarrier } from './smpp/smpp-carrier';
import { TestCarrier } from './test/test-carrier';

export const CARRIERS = Symbol('CarrierPool');
const POLL_INTERVAL_MS = 100;
const CLAIM_MARGIN_MS = 5_000;

/** A carrier with the account options that the send worker needs. */
export interface RoutedCarrier {
  readonly name: string;
  readonly uncertain: SmppCarrierConfig['uncertain'];
  /**
   * Claim lease for a message of this many segments, in milliseconds. It exceeds the longest possible submit, so an
   * expired claim belongs to a process that has crashed.
   */
  claimLeaseMs(segments: number): number;
  submit(message: OutboundSms): Promise<SubmitOutcome>;
  release(): void;
}

/** A submit to the test carrier takes one write to the database. */
const TEST_SUBMIT_MS = 10_000;

/** All carriers of the deployment, routed by country, with failover when a carrier is unbound. */
export class CarrierPool {
  readonly carriers: readonly SmppCarrier[];
  private readonly routes: CarrierRoutes<SmppCarrier>;
  private readonly routed = new Map<Carrier, RoutedCarrier>();
  private readonly testCarrier = new TestCarrier();
  private readonly routedTest: RoutedCarrier = {
    name: this.testCarrier.name,
    uncertain: { policy: 'resend', maxSubmits: 1 },
    claimLeaseMs: () => TEST_SUBMIT_MS + CLAIM_MARGIN_MS,
    submit: (message) => this.testCarrier.submit(message),
    release: () => this.testCarrier.release(),
  };
  private stopping = false;

  /** `weights`: how the kinds of messages share the slots. */
  constructor(config: readonly SmppCarrierConfig[], log: CarrierLogger, weights: LaneWeights) {
    const routes = config.map((account) => ({
      carrier: new SmppCarrier(account, log, weights),
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
    this.testCarrier.start(onReceipt);
    for (const carrier of this.carriers) carrier.start(onReceipt);
  }

  /**
   * Reserves a slot on a carrier that serves the country. Returns null if no slot becomes free within the timeout. This is the
   * only way to a carrier: messages of test organizations get the test carrier, and no other.
   */
  async acquire(country: string, lane: JobLane, timeoutMs: number): Promise<RoutedCarrier | null> {
    if (isTest(lane)) return this.stopping ? null : this.routedTest;
    const deadline = Date.now() + timeoutMs;
    while (!this.stopping) {
      const remainingMs = deadline - Date.now();
      if (remainingMs <= 0) return null;
      const carrier = this.routes.pickCarrier(country);
      if (!carrier) await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_INTERVAL_MS, remainingMs)));
      // The wait is short, so that another carrier is tried when this one loses its binds.
      else if (await carrier.acquire(lane, Math.min(remainingMs, 1_000))) return this.routed.get(carrier) ?? null;
    }
    return null;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.carriers.map((carrier) => carrier.stop()));
  }
}

function isTest({ organizationId }: JobLane): boolean {
  return organizationId !== null && isTestId(organizationId);
}
