import { alphabetOf, isClassZero, readText } from './message-text';
import { TLV, type SubmitRequest } from './wire';

/** The position of a part in its message; a single-part message is part 1 of 1. */
export interface Concatenation {
  reference: number;
  total: number;
  sequence: number;
}

/** A parsed submit. */
export interface Part {
  source: string;
  /** Digits only. */
  destination: string;
  text: string;
  dataCoding: number;
  flash: boolean;
  concatenation: Concatenation;
  /** TLVs other than those of the transport, such as `{"0x1400": "1101"}`. */
  tlvs: Record<string, string>;
}

const ESM_CLASS_UDH = 0x40;
const WHOLE: Concatenation = { reference: 0, total: 1, sequence: 1 };
const SUBUNIT_DISPLAY = 1;
/** A short message has 140 octets or 160 septets. */
const MAX_OCTETS = 140;
const MAX_SEPTETS = 160;
const TRANSPORT_TAGS: ReadonlySet<number> = new Set([
  TLV.destAddrSubunit,
  TLV.sarReference,
  TLV.sarTotal,
  TLV.sarSequence,
  TLV.messagePayload,
]);

/** Returns null if the text is too long for a handset or the header is malformed. */
export function readPart(submit: SubmitRequest): Part | null {
  const payload = submit.tlvs.get(TLV.messagePayload);
  const octets = payload ?? submit.shortMessage;
  const headerLength = (submit.esmClass & ESM_CLASS_UDH) === 0 ? 0 : (octets[0] ?? 0) + 1;
  if (headerLength > octets.length) return null;
  const header = octets.subarray(0, headerLength);
  const body = octets.subarray(headerLength);
  const concatenation = fromHeader(header) ?? fromTlvs(submit.tlvs) ?? WHOLE;
  // The carrier converts SAR TLVs into a header of six octets.
  const headerOnAir = concatenation.total > 1 ? Math.max(headerLength, 6) : headerLength;
  if (!payload && !fits(body.length, headerOnAir, submit.dataCoding)) return null;
  return {
    source: submit.source,
    destination: submit.destination.replace(/\D/g, ''),
    text: readText(body, submit.dataCoding),
    dataCoding: submit.dataCoding,
    flash: isClassZero(submit.dataCoding) || submit.tlvs.get(TLV.destAddrSubunit)?.[0] === SUBUNIT_DISPLAY,
    concatenation,
    tlvs: describeTlvs(submit.tlvs),
  };
}

function fits(bodyOctets: number, headerOctets: number, dataCoding: number): boolean {
  return alphabetOf(dataCoding) === 'gsm'
    ? bodyOctets + Math.ceil((headerOctets * 8) / 7) <= MAX_SEPTETS
    : bodyOctets + headerOctets <= MAX_OCTETS;
}

/** Information elements 0x00 and 0x08 of 3GPP TS 23.040, 9.2.3.24. */
function fromHeader(header: Buffer): Concatenation | null {
  let offset = 1;
  while (offset + 1 < header.length) {
    const element = header[offset] ?? 0;
    const length = header[offset + 1] ?? 0;
    const value = header.subarray(offset + 2, offset + 2 + length);
    if (element === 0x00 && value.length === 3) {
      return { reference: value[0] ?? 0, total: value[1] ?? 1, sequence: value[2] ?? 1 };
    }
    if (element === 0x08 && value.length === 4) {
      return { reference: value.readUInt16BE(0), total: value[2] ?? 1, sequence: value[3] ?? 1 };
    }
    offset += 2 + length;
  }
  return null;
}

function fromTlvs(tlvs: ReadonlyMap<number, Buffer>): Concatenation | null {
  const reference = tlvs.get(TLV.sarReference);
  const total = tlvs.get(TLV.sarTotal)?.[0];
  const sequence = tlvs.get(TLV.sarSequence)?.[0];
  if (reference?.length !== 2 || total === undefined || sequence === undefined) return null;
  return { reference: reference.readUInt16BE(0), total, sequence };
}

function describeTlvs(tlvs: ReadonlyMap<number, Buffer>): Record<string, string> {
  const described: Record<string, string> = {};
  for (const [tag, value] of tlvs) {
    if (TRANSPORT_TAGS.has(tag)) continue;
    described[`0x${tag.toString(16).padStart(4, '0')}`] = describeValue(value);
  }
  return described;
}

/** The value as text if it is printable, with or without a NUL at its end; otherwise as hexadecimal digits. */
function describeValue(value: Buffer): string {
  const text = value.toString('latin1').replace(/\0$/, '');
  return /^[\x20-\x7e]*$/.test(text) ? text : value.toString('hex');
}
