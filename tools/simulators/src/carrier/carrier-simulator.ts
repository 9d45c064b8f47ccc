import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CarrierBehaviours, submitStatus, type CarrierBehaviour, type CarrierBehaviourInput } from './behaviour';
import { CarrierSession, type SessionEvents, type SubmitAnswer } from './carrier-session';
import { CarrierInbox, type CarrierMessage, type InboxTotals } from './inbox';
import { readPart, type Part } from './part';
import { wantsReceipt, writeReceipt } from './receipt';
import { ReceiptOutbox, type OutgoingReceipt } from './receipt-outbox';
import { STATUS, type BindRequest, type BindType, type SubmitRequest } from './wire';

const MESSAGES_KEPT = 200_000;
/** The maximum number of accounts with pending receipts. */
const MAX_ACCOUNTS = 1_000;

export interface CarrierSimulatorOptions {
  /** Port 0 selects a free port. */
  smppPort?: number;
  /** A loopback address. */
  host?: string;
  /** Passwords by system id. Default: any credentials may bind. */
  accounts?: Readonly<Record<string, string>>;
  /** The binds that the carrier allows. Default: all. */
  bindTypes?: readonly BindType[];
  /** False: only totals are retained, for benchmarks. */
  keepMessages?: boolean;
}

export interface CarrierTotals extends InboxTotals {
  bindsUp: number;
  receiptsSent: number;
  receiptsAccepted: number;
  receiptsWaiting: number;
  receiptsDropped: number;
}

/**
 * An SMPP 3.4 carrier on loopback that stores submits, sends receipts and can be made to misbehave.
 */
export class CarrierSimulator {
  readonly behaviours = new CarrierBehaviours();
  private readonly inbox: CarrierInbox;
  private readonly sessions = new Set<CarrierSession>();
  private readonly outboxes = new Map<string, ReceiptOutbox>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly events: SessionEvents;
  private server: Server | null = null;
  private nextId = BigInt(randomInt(0x10000000, 0x7fffffff)) * 0x1_0000_0000n;
  private limitedSecond = 0;
  private limitedCount = 0;
  private receiptsSent = 0;
  private receiptsAccepted = 0;

  constructor(private readonly options: CarrierSimulatorOptions = {}) {
    this.inbox = new CarrierInbox(options.keepMessages === false ? 0 : MESSAGES_KEPT);
    this.events = {
      bind: (session, request) => this.bind(session, request),
      submit: (session, submit, answer) => this.submit(session, submit, answer),
      receiptAnswered: (session, receipt, status) => this.receiptAnswered(session, receipt, status),
      closed: (session, unanswered) => this.closed(session, unanswered),
    };
  }

  /** The port of the started simulator. */
  get smppPort(): number {
    const address = this.server?.address();
    if (!isPort(address)) throw new Error('The carrier simulator is not started.');
    return address.port;
  }

  get totals(): CarrierTotals {
    const outboxes = [...this.outboxes.values()];
    return {
      ...this.inbox.totals,
      bindsUp: this.bound().length,
      receiptsSent: this.receiptsSent,
      receiptsAccepted: this.receiptsAccepted,
      receiptsWaiting: outboxes.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
      receiptsDropped: outboxes.reduce((sum, { dropped }) => sum + dropped, 0),
    };
  }

  async start(): Promise<void> {
    const server = createServer((socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.options.smppPort ?? 0, this.options.host ?? '127.0.0.1', resolve);
    });
    this.server = server;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const session of this.sessions) session.cut();
    if (server) await new Promise((resolve) => server.close(resolve));
    for (const outbox of this.outboxes.values()) outbox.stop();
  }

  /** The received messages, newest last. `to` is compared by digits. */
  messages(to?: string): CarrierMessage[] {
    return this.inbox.list(to);
  }

  /** Sets the behaviour for a recipient, or for all others. */
  behave(behaviour: CarrierBehaviourInput, to?: string): void {
    this.behaviours.set(behaviour, to);
  }

  /** Closes all connections, or `count` of them. */
  disconnect(count = Infinity): void {
    for (const session of [...this.sessions].slice(0, count)) session.cut();
  }

  /** Keeps the connections open without answering. */
  hang(): void {
    for (const session of this.sessions) session.hang();
  }

  /** Sends an unbind to every client. */
  unbind(): void {
    for (const session of this.bound()) session.unbind();
  }

  /** Sends raw octets to every client. */
  sendRaw(octets: Buffer): void {
    for (const session of this.bound()) session.sendRaw(octets);
  }

  private bound(): CarrierSession[] {
    return [...this.sessions].filter(({ systemId }) => systemId !== null);
  }

  private accept(socket: Socket): void {
    this.sessions.add(new CarrierSession(socket, this.events));
  }

  private bind(session: CarrierSession, { type, systemId, password }: BindRequest): number {
    const { accounts, bindTypes } = this.options;
    if (bindTypes && !bindTypes.includes(type)) return STATUS.bindFailed;
    if (accounts && (!Object.hasOwn(accounts, systemId) || accounts[systemId] !== password)) {
      return STATUS.invalidPassword;
    }
    if (!this.outboxes.has(systemId)) {
      if (this.outboxes.size >= MAX_ACCOUNTS) return STATUS.bindFailed;
      this.outboxes.set(systemId, new ReceiptOutbox());
    }
    // The client accepts receipts only after the response to its bind.
    setImmediate(() => {
      if (session.receivesReceipts) this.outboxes.get(systemId)?.connect(session);
    });
    return STATUS.ok;
  }

  private submit(session: CarrierSession, submit: SubmitRequest, answer: SubmitAnswer): void {
    const part = readPart(submit);
    if (!part) return answer(STATUS.invalidMessageLength, '');
    if (part.destination === '') return answer(STATUS.invalidDestination, '');
    const behaviour = this.behaviours.of(part.destination);
    const status = this.exceeds(behaviour.maxPerSecond) ? STATUS.throttled : submitStatus(behaviour);
    const taken = status === STATUS.ok || status === null;
    const upstreamId = taken ? this.newId() : null;
    this.inbox.add(part, upstreamId, taken);
    if (upstreamId !== null) this.planReceipt(session, upstreamId, part, submit.registeredDelivery, behaviour);
    if (status !== null) answer(status, upstreamId ?? '');
  }

  /** Counts the submits of each second of the clock. */
  private exceeds(maxPerSecond: number | undefined): boolean {
    if (maxPerSecond === undefined) return false;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.limitedSecond) [this.limitedSecond, this.limitedCount] = [second, 0];
    this.limitedCount += 1;
    return this.limitedCount > maxPerSecond;
  }

  private planReceipt(
    session: CarrierSession,
    upstreamId: string,
    { source, destination, text, concatenation }: Part,
    registeredDelivery: number,
    behaviour: CarrierBehaviour,
  ): void {
    const state = behaviour.receipt;
    const systemId = session.systemId;
    if (systemId === null || state === 'none' || !wantsReceipt(registeredDelivery, state)) return;
    if (behaviour.receiptParts === 'last' && concatenation.sequence < concatenation.total) return;
    const submittedAt = new Date();
    const send = () => {
      const subject = { upstreamId, source, destination, text, submittedAt };
      const delivery = writeReceipt(subject, state, behaviour);
      const outbox = this.outboxes.get(systemId);
      for (let times = behaviour.receiptTwice ? 2 : 1; times > 0; times -= 1) {
        this.receiptsSent += 1;
        // The order of receipt and response is defined only on the connection of the submit.
        if (behaviour.receiptBeforeResponse && session.hasRoom) session.deliver({ delivery, refusals: 0 });
        else outbox?.add({ delivery, refusals: 0 });
      }
    };
    if (behaviour.receiptBeforeResponse) return send();
    // No receipt: its delay starts with the response, and there is none.
    if (behaviour.submit === 'silent') return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      send();
    }, behaviour.receiptDelayMs);
    this.timers.add(timer);
  }

  private receiptAnswered(session: CarrierSession, receipt: OutgoingReceipt, status: number): void {
    const outbox = this.outboxes.get(session.systemId ?? '');
    if (status === STATUS.ok) this.receiptsAccepted += 1;
    else outbox?.refused(receipt);
    outbox?.flush();
  }

  private closed(session: CarrierSession, unanswered: OutgoingReceipt[]): void {
    this.sessions.delete(session);
    const outbox = this.outboxes.get(session.systemId ?? '');
    outbox?.disconnect(session);
    if (this.server) for (const receipt of unanswered) outbox?.add(receipt);
  }

  /** A hexadecimal id with letters, as many carriers use it. */
  private newId(): string {
    this.nextId += 1n;
    return this.nextId.toString(16);
  }
}

function isPort(address: AddressInfo | string | null | undefined): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
