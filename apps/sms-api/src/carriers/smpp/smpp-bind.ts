import type { PDU, PduFields } from 'smpp';
import type { CarrierLogger } from '../carrier-logger';
import type { SmppCarrierConfig } from '../carrier-config';
import { describeStatus, STATUS_OK } from './command-status';
import type { LinkFailure } from './link-failure';
import type { CarrierMetrics } from './metrics';
import { NOT_SENT, type Answer } from './pending-requests';
import { reconnectDelayMs } from './pacing/reconnect-delay';
import { SmppLink } from './smpp-link';

const INTERFACE_VERSION_3_4 = 0x34;
const STATUS_INVALID_COMMAND = 0x03;
/** After this time a bind counts as stable, and the next loss starts with the shortest back-off. */
const STABLE_AFTER_MS = 5_000;
const LONGEST_SWEEP_MS = 1_000;
const SHORTEST_SWEEP_MS = 5;
/** Maximum duration of an unbind before the connection is closed. */
const UNBIND_TIMEOUT_MS = 1_000;

const STOPPED: LinkFailure = { kind: 'closed', reason: 'stopped' };

export interface BindEvents {
  up(): void;
  down(): void;
  /** A `deliver_sm` or `data_sm`; `reply` sends the response with a command status and must be called once. */
  delivered(pdu: PDU, reply: (commandStatus: number) => void): void;
}

export type BindType = 'transceiver' | 'transmitter' | 'receiver';

/** A bind that reconnects after every loss until it is stopped. */
export class SmppBind {
  /** Messages in progress on this bind. */
  load = 0;
  private link: SmppLink | null = null;
  private bound = false;
  private lastFailure: LinkFailure | null = null;
  private stopped = false;
  private failures = 0;
  private boundAtMs = 0;
  private attemptEndsMs = Infinity;
  private probing = false;
  private sweepTimer: NodeJS.Timeout | null = null;
  private reconnectTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly index: number,
    readonly type: BindType,
    private readonly config: SmppCarrierConfig,
    private readonly metrics: CarrierMetrics,
    private readonly logger: CarrierLogger,
    private readonly events: BindEvents,
  ) {}

  get up(): boolean {
    return this.bound && this.link !== null && this.link.writable;
  }

  /** Why the last connection or attempt ended; null while the bind is up and before the first attempt ends. */
  get failure(): LinkFailure | null {
    return this.lastFailure;
  }

  start(): void {
    const { responseTimeoutMs, connectTimeoutMs, enquireLinkIntervalMs } = this.config;
    const shortest = Math.min(responseTimeoutMs, connectTimeoutMs, enquireLinkIntervalMs);
    const sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(LONGEST_SWEEP_MS, shortest / 4));
    this.sweepTimer = setInterval(() => this.sweep(), sweepMs);
    this.connect();
  }

  /** Submits one PDU; rejects if its fields cannot be encoded. */
  submit(fields: PduFields): Promise<Answer> {
    if (!this.up || this.link === null) return Promise.resolve(NOT_SENT);
    this.metrics.partsWritten += 1;
    return this.link.request('submit_sm', fields);
  }

  /** Unbinds and closes the connection without reconnecting. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.reconnectTimer) clearTimeout(this.reconnectTimer);
    const link = this.link;
    if (link && this.up) await Promise.race([link.request('unbind'), timeLimit(UNBIND_TIMEOUT_MS)]);
    link?.destroy(STOPPED);
    await link?.whenClosed;
    if (this.sweepTimer) clearInterval(this.sweepTimer);
  }

  private connect(): void {
    this.reconnectTimer = null;
    this.attemptEndsMs = performance.now() + this.config.connectTimeoutMs;
    const link: SmppLink = new SmppLink(this.config, {
      connected: () => void this.bind(link),
      requested: (pdu) => this.onRequest(link, pdu),
      answeredLate: () => (this.metrics.lateAnswers += 1),
      malformed: (reason) => {
        this.metrics.malformedPdus += 1;
        this.logger.error(
          this.context({ reason }),
          'received a malformed PDU from the carrier; closing the connection',
        );
      },
      closed: (failure) => this.onClosed(failure),
    });
    this.link = link;
  }

  private async bind(link: SmppLink): Promise<void> {
    // From here on, the timeout of the bind request applies.
    this.attemptEndsMs = Infinity;
    const answer = await link.request(`bind_${this.type}`, {
      system_id: this.config.systemId,
      password: this.config.password,
      system_type: this.config.systemType,
      interface_version: INTERFACE_VERSION_3_4,
    });
    if (answer.kind === 'closed' || answer.kind === 'not-sent') return;
    if (answer.kind === 'timed-out') {
      return link.destroy({ kind: 'no_response', reason: `no response to the ${this.type} bind request` });
    }
    if (answer.commandStatus !== STATUS_OK) {
      const { bindsRefused } = this.metrics;
      bindsRefused.set(answer.commandStatus, (bindsRefused.get(answer.commandStatus) ?? 0) + 1);
      const reason = `the carrier refused the ${this.type} bind: ${describeStatus(answer.commandStatus)}`;
      return link.destroy({ kind: 'bind_refused', reason });
    }
    this.lastFailure = null;
    if (this.stopped || this.link !== link) return link.destroy(STOPPED);
    this.bound = true;
    this.boundAtMs = performance.now();
    this.metrics.bindsEstablished += 1;
    this.logger.info(this.context({}), 'bound');
    this.events.up();
  }

  private onRequest(link: SmppLink, pdu: PDU): void {
    switch (pdu.command) {
      case 'deliver_sm':
      case 'data_sm':
        return this.events.delivered(pdu, (commandStatus) => link.reply(pdu, commandStatus));
      case 'enquire_link':
        return link.reply(pdu, STATUS_OK);
      case 'unbind':
        link.reply(pdu, STATUS_OK);
        // The response must be written before the socket is destroyed.
        setImmediate(() => link.destroy({ kind: 'closed', reason: 'the carrier unbound' }));
        return;
      case 'alert_notification':
      case 'outbind':
        return; // These have no response.
      default:
        link.refuseCommand(pdu, STATUS_INVALID_COMMAND);
    }
  }

  private onClosed(failure: LinkFailure): void {
    const wasBound = this.bound;
    if (wasBound && performance.now() - this.boundAtMs >= STABLE_AFTER_MS) this.failures = 0;
    this.bound = false;
    this.link = null;
    this.probing = false;
    this.attemptEndsMs = Infinity;
    if (wasBound) this.events.down();
    if (this.stopped) return;
    this.lastFailure = failure;
    this.metrics.bindsLost += 1;
    this.metrics.connectionFailures[failure.kind] += 1;
    const delayMs = reconnectDelayMs(this.failures, this.config.reconnectMinMs, this.config.reconnectMaxMs);
    this.failures += 1;
    this.logger.warn(
      this.context({ reason: failure.reason, retryInMs: Math.round(delayMs) }),
      'bind lost or failed; reconnecting',
    );
    this.reconnectTimer = setTimeout(() => this.connect(), delayMs);
  }

  private sweep(): void {
    const link = this.link;
    if (!link) return;
    const nowMs = performance.now();
    if (nowMs >= this.attemptEndsMs) return link.timeOut();
    link.sweep(nowMs);
    const silentMs = nowMs - link.lastReceivedMs;
    if (this.up && !this.probing && silentMs >= this.config.enquireLinkIntervalMs) void this.probe(link);
  }

  private async probe(link: SmppLink): Promise<void> {
    this.probing = true;
    const answer = await link.request('enquire_link');
    if (this.link !== link) return;
    this.probing = false;
    if (answer.kind === 'timed-out') link.destroy({ kind: 'no_response', reason: 'no response to enquire_link' });
  }

  private context(more: Record<string, unknown>): Record<string, unknown> {
    return { carrier: this.config.name, bind: this.index, type: this.type, ...more };
  }
}

function timeLimit(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
}
