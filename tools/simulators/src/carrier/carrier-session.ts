import type { Socket } from 'node:net';
import type { OutgoingReceipt, ReceiptReceiver } from './receipt-outbox';
import {
  COMMAND,
  FrameReader,
  readBind,
  readSubmit,
  RESPONSE,
  STATUS,
  WireError,
  writeDeliver,
  writePdu,
  writeTextResponse,
  type BindRequest,
  type Frame,
  type SubmitRequest,
} from './wire';

/** The maximum number of unacknowledged receipts per connection. */
const RECEIPT_WINDOW = 200;
const MAX_SEQUENCE = 0x7fffffff;
const SYSTEM_ID = 'SIMULATOR';

/** Writes the response to a submit: a command status, and the message id if it was accepted. */
export type SubmitAnswer = (status: number, upstreamId: string) => void;

export interface SessionEvents {
  /** Returns the command status of the response to a bind. */
  bind(session: CarrierSession, request: BindRequest): number;
  submit(session: CarrierSession, submit: SubmitRequest, answer: SubmitAnswer): void;
  /** Called when the client has responded to a receipt. */
  receiptAnswered(session: CarrierSession, receipt: OutgoingReceipt, status: number): void;
  /** The last event; `unanswered` are the receipts with an unknown outcome. */
  closed(session: CarrierSession, unanswered: OutgoingReceipt[]): void;
}

/** The carrier's side of a connection. */
export class CarrierSession implements ReceiptReceiver {
  /** Set by a successful bind. */
  systemId: string | null = null;
  private canSubmit = false;
  private canReceive = false;
  /** Simulates a carrier that hangs: nothing is read or answered. */
  private deaf = false;
  private sequence = 0;
  private corked = false;
  private readonly reader = new FrameReader();
  private readonly unanswered = new Map<number, OutgoingReceipt>();

  constructor(
    private readonly socket: Socket,
    private readonly events: SessionEvents,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // A close event follows.
    socket.on('error', () => undefined);
    socket.on('close', () => events.closed(this, [...this.unanswered.values()]));
  }

  get receivesReceipts(): boolean {
    return this.canReceive && this.socket.writable;
  }

  get hasRoom(): boolean {
    return this.unanswered.size < RECEIPT_WINDOW && this.receivesReceipts;
  }

  deliver(receipt: OutgoingReceipt): void {
    this.sequence = this.sequence === MAX_SEQUENCE ? 1 : this.sequence + 1;
    this.unanswered.set(this.sequence, receipt);
    this.write(writeDeliver(this.sequence, receipt.delivery));
  }

  /** Keeps the connection open without answering. */
  hang(): void {
    this.deaf = true;
  }

  /** Sends raw octets, valid or not. */
  sendRaw(octets: Buffer): void {
    this.socket.write(octets);
  }

  /** Sends an unbind. */
  unbind(): void {
    this.sequence += 1;
    this.write(writePdu(COMMAND.unbind, STATUS.ok, this.sequence));
  }

  cut(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.deaf) return;
    try {
      for (const frame of this.reader.push(chunk)) this.take(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.socket.destroy();
    }
  }

  private take(frame: Frame): void {
    switch (frame.command) {
      case COMMAND.submitSm:
        return this.takeSubmit(frame);
      case COMMAND.deliverSm + RESPONSE:
        return this.takeReceiptAnswer(frame);
      case COMMAND.bindTransceiver:
      case COMMAND.bindTransmitter:
      case COMMAND.bindReceiver:
        return this.takeBind(frame);
      case COMMAND.enquireLink:
        return this.write(writePdu(COMMAND.enquireLink + RESPONSE, STATUS.ok, frame.sequence));
      case COMMAND.unbind:
        this.write(writePdu(COMMAND.unbind + RESPONSE, STATUS.ok, frame.sequence));
        this.canReceive = false;
        this.socket.end();
        return;
      default:
        // Responses need no action; unknown requests are rejected.
        if (frame.command < RESPONSE) this.write(writePdu(RESPONSE, STATUS.invalidCommand, frame.sequence));
    }
  }

  private takeBind({ command, sequence, body }: Frame): void {
    const request = readBind(command, body);
    const status = this.systemId === null ? this.events.bind(this, request) : STATUS.alreadyBound;
    this.write(writeTextResponse(command, status, sequence, SYSTEM_ID));
    if (status !== STATUS.ok) return;
    this.systemId = request.systemId;
    this.canSubmit = request.type !== 'receiver';
    this.canReceive = request.type !== 'transmitter';
  }

  private takeSubmit({ sequence, body }: Frame): void {
    if (!this.canSubmit) return this.write(writeTextResponse(COMMAND.submitSm, STATUS.notBound, sequence, ''));
    let submit: SubmitRequest;
    try {
      submit = readSubmit(body);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.write(writeTextResponse(COMMAND.submitSm, STATUS.invalidTlvStream, sequence, ''));
    }
    this.events.submit(this, submit, (status, upstreamId) =>
      this.write(writeTextResponse(COMMAND.submitSm, status, sequence, upstreamId)),
    );
  }

  private takeReceiptAnswer({ sequence, status }: Frame): void {
    const receipt = this.unanswered.get(sequence);
    if (!receipt) return;
    this.unanswered.delete(sequence);
    this.events.receiptAnswered(this, receipt, status);
  }

  /** Combines the writes of one turn of the event loop into one system call. */
  private write(octets: Buffer): void {
    if (!this.socket.writable || this.deaf) return;
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
}
