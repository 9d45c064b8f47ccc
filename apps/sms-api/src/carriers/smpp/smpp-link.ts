import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PDU, Session, type PduFields } from 'smpp';
import { guardFraming } from './framing-guard';
import { failureOf, type LinkFailure } from './link-failure';
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
  /** The transport is connected; the bind has not been sent. */
  connected(): void;
  /** A request from the carrier that requires a response. */
  requested(pdu: PDU): void;
  /** A response without an outstanding request. */
  answeredLate(): void;
  malformed(reason: string): void;
  /** The connection closed. This is the last event and is emitted exactly once. */
  closed(failure: LinkFailure): void;
}

/**
 * One SMPP connection: framing, sequence numbers, responses and their timeouts. The smpp package encodes and decodes
 * PDUs; its response callbacks are not used, because they never fire without a response and are never removed.
 */
export class SmppLink {
  private readonly socket: Socket;
  private readonly pending: PendingRequests;
  private sequence = 0;
  private corked = false;
  private ended = false;
  private failure: LinkFailure = { kind: 'closed', reason: 'the carrier closed the connection' };
  private tcpConnected = false;
  private connected = false;
  /** Resolves after the `closed` event. */
  readonly whenClosed: Promise<void>;
  private resolveClosed: () => void = () => undefined;
  /** Monotonic time of the last PDU from the carrier, in milliseconds. */
  lastReceivedMs = performance.now();

  constructor(
    private readonly options: LinkOptions,
    private readonly events: LinkEvents,
  ) {
    const { host, port, tls, responseTimeoutMs } = options;
    this.pending = new PendingRequests(responseTimeoutMs);
    this.whenClosed = new Promise((resolve) => (this.resolveClosed = resolve));
    this.socket = tls ? connectTls({ host, port }) : connectTcp({ host, port });
    this.socket.setNoDelay(true);
    guardFraming(this.socket, (reason) => this.refuse(reason));
    const session = new Session({ socket: this.socket });
    session.on('pdu', (pdu: PDU) => this.receive(pdu));
    // The parser cannot continue after an error, so every error closes the connection.
    session.on('error', (error: Error) => this.fail(error));
    session.on('close', () => this.close());
    this.socket.once('connect', () => (this.tcpConnected = true));
    this.socket.once(tls ? 'secureConnect' : 'connect', () => {
      this.connected = true;
      events.connected();
    });
  }

  /** False once the connection no longer accepts writes. */
  get writable(): boolean {
    return !this.ended && this.socket.writable;
  }

  /** Writes a request; resolves with its response or the reason for a missing one. Rejects if it cannot be encoded. */
  request(command: string, fields?: PduFields): Promise<Answer> {
    return new Promise((settle) => this.send(command, fields, settle));
  }

  /** Responds to a request from the carrier. */
  reply(request: PDU, commandStatus: number): void {
    if (this.writable) this.write(request.response({ command_status: commandStatus }).toBuffer());
  }

  /** Rejects an unsupported command with a generic_nack. */
  refuseCommand(request: PDU, commandStatus: number): void {
    if (!this.writable) return;
    const nack = { command_status: commandStatus, sequence_number: request.sequence_number };
    this.write(new PDU('generic_nack', nack).toBuffer());
  }

  /** Expires requests whose timeout has passed. */
  sweep(nowMs: number): void {
    this.pending.expire(nowMs);
  }

  destroy(failure: LinkFailure): void {
    this.failure = failure;
    this.socket.destroy();
  }

  /** Ends a connection attempt that took too long. */
  timeOut(): void {
    this.destroy(
      this.isHandshaking
        ? { kind: 'tls', reason: 'the TLS handshake timed out' }
        : { kind: 'connect_timeout', reason: 'the connection attempt timed out' },
    );
  }

  private get isHandshaking(): boolean {
    return this.options.tls && this.tcpConnected && !this.connected;
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

  /** Combines all writes of one event loop turn into one system call. */
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

  /** Must not throw: the package calls it from a socket event, and an exception would end the process. */
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
    this.destroy({ kind: 'malformed_pdu', reason });
  }

  private fail(error: unknown): void {
    // Socket errors have a code; parser errors for a malformed body have none or an ERR_ code of Node.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'ERR_';
    const isParserError = code.startsWith('ERR_') && !code.startsWith('ERR_TLS') && !code.startsWith('ERR_SSL');
    if (!(error instanceof Error) || (isParserError && !this.isHandshaking)) {
      return this.refuse(error instanceof Error ? error.message : String(error));
    }
    this.destroy(failureOf(error, this.isHandshaking));
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.isHandshaking && this.failure.kind === 'closed') {
      this.failure = { kind: 'tls', reason: 'the carrier closed the connection during the TLS handshake' };
    }
    this.pending.closeAll();
    this.events.closed(this.failure);
    this.resolveClosed();
  }
}
