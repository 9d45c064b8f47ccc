import type { PDU, PduFields } from 'smpp';
import type { CarrierLogger } from '../carrier-logger';
import type { SmppCarrierSettings } from '../carrier-settings';
import { describeStatus, STATUS_OK } from './command-status';
import type { CarrierMetrics } from './metrics';
import { NOT_SENT, type Answer } from './pending-requests';
import { reconnectDelayMs } from './pacing/reconnect-delay';
import { SmppLink } from './smpp-link';

const INTERFACE_VERSION_3_4 = 0x34;
const STATUS_INVALID_COMMAND = 0x03;
/** A bind that lasted this long was a good one: the next loss starts again from the shortest back-off. */
const STABLE_AFTER_MS = 5_000;
const LONGEST_SWEEP_MS = 1_000;
const SHORTEST_SWEEP_MS = 5;
/** How long an unbind may take before the connection is cut. */
const UNBIND_TIMEOUT_MS = 1_000;

export interface BindEvents {
  up(): void;
  down(): void;
  /** A `deliver_sm` or `data_sm`; `reply` takes the command status of its answer, once, at any time. */
  delivered(pdu: PDU, reply: (commandStatus: number) => void): void;
}

/** One transceiver bind that comes back by itself after every loss, until it is stopped. */
export class SmppBind {
  /** Messages under way on this bind. */
  load = 0;
  private link: SmppLink | null = null;
  private bound = false;
  private stopped = false;
  private failures = 0;
  private boundAtMs = 0;
  private attemptEndsMs = Infinity;
  private probing = false;
  private sweepTimer: NodeJS.Timeout | null = null;
  private reconnectTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly index: number,
    private readonly settings: SmppCarrierSettings,
    private readonly metrics: CarrierMetrics,
    private readonly logger: CarrierLogger,
    private readonly events: BindEvents,
  ) {}

  get up(): boolean {
    return this.bound && this.link !== null && this.link.writable;
  }

  start(): void {
    const { responseTimeoutMs, connectTimeoutMs, enquireLinkIntervalMs } = this.settings;
    const shortest = Math.min(responseTimeoutMs, connectTimeoutMs, enquireLinkIntervalMs);
    const sweepMs = Math.max(SHORTEST_SWEEP_MS, Math.min(LONGEST_SWEEP_MS, shortest / 4));
    this.sweepTimer = setInterval(() => this.sweep(), sweepMs);
    this.connect();
  }

  /** Submits one PDU; rejects when its fields cannot be encoded. */
  submit(fields: PduFields): Promise<Answer> {
    if (!this.up || this.link === null) return Promise.resolve(NOT_SENT);
    this.metrics.partsWritten += 1;
    return this.link.request('submit_sm', fields);
  }

  /** Unbinds and closes for good. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.reconnectTimer) clearTimeout(this.reconnectTimer);
    const link = this.link;
    if (link && this.up) await Promise.race([link.request('unbind'), timeLimit(UNBIND_TIMEOUT_MS)]);
    link?.destroy('stopped');
    await link?.whenClosed;
    if (this.sweepTimer) clearInterval(this.sweepTimer);
  }

  private connect(): void {
    this.reconnectTimer = null;
    this.attemptEndsMs = performance.now() + this.settings.connectTimeoutMs;
    const link: SmppLink = new SmppLink(this.settings, {
      connected: () => void this.bind(link),
      requested: (pdu) => this.answer(link, pdu),
      answeredLate: () => (this.metrics.lateAnswers += 1),
      malformed: (reason) => {
        this.metrics.malformedPdus += 1;
        this.logger.error(this.context({ reason }), 'a PDU from the carrier makes no sense; closing the connection');
      },
      closed: (reason) => this.lost(reason),
    });
    this.link = link;
  }

  private async bind(link: SmppLink): Promise<void> {
    // From here the answer's own time-out counts.
    this.attemptEndsMs = Infinity;
    const answer = await link.request('bind_transceiver', {
      system_id: this.settings.systemId,
      password: this.settings.password,
      system_type: this.settings.systemType,
      interface_version: INTERFACE_VERSION_3_4,
    });
    if (answer.kind === 'closed' || answer.kind === 'not-sent') return;
    if (answer.kind === 'timed-out') return link.destroy('no answer to the bind request');
    if (answer.commandStatus !== STATUS_OK) {
      return link.destroy(`the carrier refused the bind: ${describeStatus(answer.commandStatus)}`);
    }
    if (this.stopped || this.link !== link) return link.destroy('stopped');
    this.bound = true;
    this.boundAtMs = performance.now();
    this.metrics.bindsEstablished += 1;
    this.logger.info(this.context({}), 'bound');
    this.events.up();
  }

  private answer(link: SmppLink, pdu: PDU): void {
    switch (pdu.command) {
      case 'deliver_sm':
      case 'data_sm':
        return this.events.delivered(pdu, (commandStatus) => link.reply(pdu, commandStatus));
      case 'enquire_link':
        return link.reply(pdu, STATUS_OK);
      case 'unbind':
        link.reply(pdu, STATUS_OK);
        // The answer has to leave before the socket goes.
        setImmediate(() => link.destroy('the carrier unbound'));
        return;
      case 'alert_notification':
      case 'outbind':
        return; // These have no answer.
      default:
        link.refuseCommand(pdu, STATUS_INVALID_COMMAND);
    }
  }

  private lost(reason: string): void {
    const wasBound = this.bound;
    if (wasBound && performance.now() - this.boundAtMs >= STABLE_AFTER_MS) this.failures = 0;
    this.bound = false;
    this.link = null;
    this.probing = false;
    this.attemptEndsMs = Infinity;
    if (wasBound) this.events.down();
    if (this.stopped) return;
    this.metrics.bindsLost += 1;
    const delayMs = reconnectDelayMs(this.failures, this.settings.reconnectMinMs, this.settings.reconnectMaxMs);
    this.failures += 1;
    this.logger.warn(this.context({ reason, retryInMs: Math.round(delayMs) }), 'not bound; trying again');
    this.reconnectTimer = setTimeout(() => this.connect(), delayMs);
  }

  private sweep(): void {
    const link = this.link;
    if (!link) return;
    const nowMs = performance.now();
    if (nowMs >= this.attemptEndsMs) return link.destroy('the connection attempt took too long');
    link.sweep(nowMs);
    const silentMs = nowMs - link.lastReceivedMs;
    if (this.up && !this.probing && silentMs >= this.settings.enquireLinkIntervalMs) void this.probe(link);
  }

  private async probe(link: SmppLink): Promise<void> {
    this.probing = true;
    const answer = await link.request('enquire_link');
    if (this.link !== link) return;
    this.probing = false;
    if (answer.kind === 'timed-out') link.destroy('no answer to enquire_link');
  }

  private context(more: Record<string, unknown>): Record<string, unknown> {
    return { carrier: this.settings.name, bind: this.index, ...more };
  }
}

function timeLimit(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
}
