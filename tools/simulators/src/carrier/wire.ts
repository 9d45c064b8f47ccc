/**
 * The PDUs of SMPP 3.4 that a carrier needs. Deliberately independent of the adapter under test: a shared codec would
 * hide its errors.
 */

export const COMMAND = {
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
} as const;
export const RESPONSE = 0x80000000;

export const STATUS = {
  ok: 0x00,
  invalidMessageLength: 0x01,
  invalidCommand: 0x03,
  notBound: 0x04,
  alreadyBound: 0x05,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  throttled: 0x58,
  invalidTlvStream: 0xc0,
} as const;

export const TLV = {
  destAddrSubunit: 0x0005,
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarSequence: 0x020f,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

const HEADER_OCTETS = 16;
/** Maximum PDU size: a `message_payload` of 64 KiB and the other fields. */
const MAX_PDU_OCTETS = 70_000;

export class WireError extends Error {}

export interface Frame {
  command: number;
  status: number;
  sequence: number;
  body: Buffer;
}

/** Splits a stream into PDUs. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** Returns the PDUs that this chunk completes. Throws a WireError for an impossible length. */
  push(chunk: Buffer): Frame[] {
    const octets = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const frames: Frame[] = [];
    let offset = 0;
    while (octets.length - offset >= HEADER_OCTETS) {
      const length = octets.readUInt32BE(offset);
      if (length < HEADER_OCTETS || length > MAX_PDU_OCTETS) throw new WireError(`a PDU claims ${length} octets`);
      if (octets.length - offset < length) break;
      frames.push({
        command: octets.readUInt32BE(offset + 4),
        status: octets.readUInt32BE(offset + 8),
        sequence: octets.readUInt32BE(offset + 12),
        body: octets.subarray(offset + HEADER_OCTETS, offset + length),
      });
      offset += length;
    }
    this.rest = octets.subarray(offset);
    return frames;
  }
}

/** Reads the fields of a PDU's body. Throws a WireError if the body is too short. */
class Cursor {
  constructor(
    private readonly body: Buffer,
    private offset = 0,
  ) {}

  get remaining(): number {
    return this.body.length - this.offset;
  }

  octet(): number {
    return this.take(1)[0] ?? 0;
  }

  uint16(): number {
    return this.take(2).readUInt16BE();
  }

  take(length: number): Buffer {
    if (length > this.remaining) throw new WireError('a field runs past the end of its PDU');
    this.offset += length;
    return this.body.subarray(this.offset - length, this.offset);
  }

  /** A C-octet string of at most `maxOctets`, including its NUL. */
  text(maxOctets: number): string {
    const end = this.body.indexOf(0, this.offset);
    if (end < 0 || end - this.offset >= maxOctets) throw new WireError('a text field is too long or has no end');
    const text = this.body.toString('latin1', this.offset, end);
    this.offset = end + 1;
    return text;
  }
}

export type BindType = 'transceiver' | 'transmitter' | 'receiver';

export interface BindRequest {
  type: BindType;
  systemId: string;
  password: string;
}

export function readBind(command: number, body: Buffer): BindRequest {
  const cursor = new Cursor(body);
  const type =
    command === COMMAND.bindTransceiver
      ? 'transceiver'
      : command === COMMAND.bindTransmitter
        ? 'transmitter'
        : 'receiver';
  return { type, systemId: cursor.text(16), password: cursor.text(65) };
}

export interface SubmitRequest {
  source: string;
  destination: string;
  sourceTon: number;
  sourceNpi: number;
  esmClass: number;
  registeredDelivery: number;
  dataCoding: number;
  shortMessage: Buffer;
  tlvs: Map<number, Buffer>;
}

export function readSubmit(body: Buffer): SubmitRequest {
  const cursor = new Cursor(body);
  cursor.text(6); // service_type
  const sourceTon = cursor.octet();
  const sourceNpi = cursor.octet();
  const source = cursor.text(21);
  cursor.take(2); // dest_addr_ton, dest_addr_npi
  const destination = cursor.text(21);
  const esmClass = cursor.octet();
  cursor.take(2); // protocol_id, priority_flag
  cursor.text(17); // schedule_delivery_time
  cursor.text(17); // validity_period
  const registeredDelivery = cursor.octet();
  cursor.octet(); // replace_if_present_flag
  const dataCoding = cursor.octet();
  cursor.octet(); // sm_default_msg_id
  const shortMessage = cursor.take(cursor.octet());
  const tlvs = readTlvs(cursor);
  return { source, destination, sourceTon, sourceNpi, esmClass, registeredDelivery, dataCoding, shortMessage, tlvs };
}

const NO_TLVS = new Map<number, Buffer>();

function readTlvs(cursor: Cursor): Map<number, Buffer> {
  if (cursor.remaining === 0) return NO_TLVS;
  const tlvs = new Map<number, Buffer>();
  while (cursor.remaining > 0) {
    const tag = cursor.uint16();
    tlvs.set(tag, cursor.take(cursor.uint16()));
  }
  return tlvs;
}

/** Writes a PDU. */
export function writePdu(command: number, status: number, sequence: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const pdu = Buffer.allocUnsafe(HEADER_OCTETS + body.length);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(command >>> 0, 4);
  pdu.writeUInt32BE(status, 8);
  pdu.writeUInt32BE(sequence, 12);
  body.copy(pdu, HEADER_OCTETS);
  return pdu;
}

/** Responses to binds and submits contain one C-octet string, or no body if they refuse. */
export function writeTextResponse(command: number, status: number, sequence: number, text: string): Buffer {
  const body = status === STATUS.ok ? Buffer.from(`${text}\0`, 'latin1') : undefined;
  return writePdu((command | RESPONSE) >>> 0, status, sequence, body);
}

export interface Delivery {
  source: string;
  destination: string;
  esmClass: number;
  dataCoding: number;
  /** Longer than 254 octets: sent in `message_payload`. */
  body: Buffer;
  tlvs: readonly [tag: number, value: Buffer][];
}

const MAX_SHORT_MESSAGE_OCTETS = 254;

export function writeDeliver(
  sequence: number,
  { source, destination, esmClass, dataCoding, body, tlvs }: Delivery,
): Buffer {
  const isShort = body.length <= MAX_SHORT_MESSAGE_OCTETS;
  const shortMessage = isShort ? body : Buffer.alloc(0);
  const parts: Buffer[] = [
    Buffer.from(`\0\x01\x01${source}\0\x05\0${destination}\0`, 'latin1'),
    // protocol_id, priority, schedule, validity, registered_delivery, replace, data_coding, default message
    Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, dataCoding, 0, shortMessage.length]),
    shortMessage,
  ];
  for (const [tag, value] of isShort ? tlvs : [...tlvs, [TLV.messagePayload, body] as const]) {
    const head = Buffer.allocUnsafe(4);
    head.writeUInt16BE(tag, 0);
    head.writeUInt16BE(value.length, 2);
    parts.push(head, value);
  }
  return writePdu(COMMAND.deliverSm, STATUS.ok, sequence, Buffer.concat(parts));
}
