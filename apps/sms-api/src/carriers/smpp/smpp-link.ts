import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PDU, Session, type PduFields } from 'smpp';
import { guardFraming } from './framing-guard';
import { NOT_SENT, PendingRequests, type Answer, type Settle } from './pending-requests';
import './smpp-library';

const MAX_SEQUENCE = 0x7fffffff;
const RESPONSE_BIT = 0x80000000;

export interface LinkOptions {
  host: string;
  port: number;
  tls: boolean;
  responseTimeoutMs: number;
}

export interface LinkEvents {
  /** The transport is up; nothing is bound yet. */
  connected(): void;
  /** A request from the carrier, which wants an answer. */
  requested(pdu: PDU): void;
  /** An answer nobody waits for any more. */
  answeredLate(): void;
  malformed(reason: string): void;
  /** Last event, exactly once. */
  closed(reason: string): void;
}

/**
 * One connection, from its attempt to its end: framing, sequence numbers, answers and their time-outs. The smpp
 * package does the PDUs; its own response callbacks are not used, since they never fire without an answer and are
 * kept for ever.
 */
export class SmppLink {
  private readonly socket: Socket;
  private readonly pending: PendingRequests;
  private sequence = 0;
  private corked = false;
  private ended = false;
  private reason = 'the carrier closed the connection';
  /** Resolves after the `closed` event. */
  readonly whenClosed: Promise<void>;
  private resolveClosed: () => void = () => undefined;
  /** Monotonic time of the last PDU from the carrier, in milliseconds. */
  lastReceivedMs = performance.now();

  constructor(
    { host, port, tls, responseTimeoutMs }: LinkOptions,
    private readonly events: LinkEvents,
  ) {
    this.pending = new PendingRequests(responseTimeoutMs);
    this.whenClosed = new Promise((resolve) => (this.resolveClosed = resolve));
    this.socket = tls ? connectTls({ host, port }) : connectTcp({ host, port });
    this.socket.setNoDelay(true);
    guardFraming(this.socket, (reason) => this.refuse(reason));
    const session = new Session({ socket: this.socket });
    session.on('pdu', (pdu: PDU) => this.receive(pdu));
    // The parser is stuck after an error of its own, so any error ends the connection.
    session.on('error', (error: Error) => this.fail(error));
    session.on('close', () => this.close());
    this.socket.once(tls ? 'secureConnect' : 'connect', () => events.connected());
  }

  /** False once nothing can be written any more. */
  get writable(): boolean {
    return !this.ended && this.socket.writable;
  }

  /** Writes a request; resolves with its answer or with why there is none. Rejects when it cannot be encoded. */
  request(command: string, fields?: PduFields): Promise<Answer> {
    return new Promise((settle) => this.send(command, fields, settle));
  }

  /** Answers a request of the carrier's. */
  reply(request: PDU, commandStatus: number): void {
    if (this.writable) this.write(request.response({ command_status: commandStatus }).toBuffer());
  }

  /** Tells the carrier that we do not take this command. */
  refuseCommand(request: PDU, commandStatus: number): void {
    if (!this.writable) return;
    const nack = { command_status: commandStatus, sequence_number: request.sequence_number };
    this.write(new PDU('generic_nack', nack).toBuffer());
  }

  /** Settles requests that waited too long. */
  sweep(nowMs: number): void {
    this.pending.expire(nowMs);
  }

  destroy(reason: string): void {
    this.reason = reason;
    this.socket.destroy();
  }

  private send(command: string, fields: PduFields | undefined, settle: Settle): void {
    if (!this.writable) return settle(NOT_SENT);
    const pdu = new PDU(command, fields);
    this.sequence = this.sequence === MAX_SEQUENCE ? 1 : this.sequence + 1;
    pdu.sequence_number = this.sequence;
    const octets = pdu.toBuffer();
    this.pending.add(this.sequence, performance.now(), settle);
    this.write(octets);
  }

  /** What is written in one turn of the event loop leaves in one system call. */
  private write(octets: Buffer): void {
    if (!this.corked) {
      this.corked = true;
      this.socket.cork();
      process.nextTick(() => {
        this.corked = false;
        this.socket.uncork();
      });
    }
    this.socket.write(octets);
  }

  /** Throwing here would end the process: the package calls us from a socket event. */
  private receive(pdu: PDU): void {
    if (this.ended) return;
    this.lastReceivedMs = performance.now();
    try {
      if ((pdu.command_id & RESPONSE_BIT) === 0) return this.events.requested(pdu);
      const messageId = pdu['message_id'];
      const text = typeof messageId === 'string' ? messageId : '';
      if (!this.pending.answer(pdu.sequence_number, pdu.command_status, text)) this.events.answeredLate();
    } catch (error) {
      this.fail(error);
    }
  }

  private refuse(reason: string): void {
    this.events.malformed(reason);
    this.destroy(reason);
  }

  private fail(error: unknown): void {
    // Socket errors have a code; what the parser throws over a malformed body has none, or one of Node's own.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'ERR_';
    const reason = error instanceof Error ? error.message : String(error);
    if (code.startsWith('ERR_') && !code.startsWith('ERR_TLS') && !code.startsWith('ERR_SSL'))
      return this.refuse(reason);
    this.destroy(reason);
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    this.pending.closeAll();
    this.events.closed(this.reason);
    this.resolveClosed();
  }
}
