import { encodeGsm7, splitSegments } from '@heliograph/sms-text';
import type { PduFields } from 'smpp';
import type { OutboundSms } from '../carrier';
import type { SmppCarrierConfig } from '../carrier-config';
import { octetTlvName } from './smpp-library';

const ESM_CLASS_UDH = 0x40;
/** `data_coding` (SMPP 3.4, 5.2.19): the default alphabet is GSM 03.38, one septet per octet; UCS-2 is big-endian. */
const CODING_GSM = 0x00;
const CODING_UCS2 = 0x08;
/**
 * Message class 0 of GSM 03.38: displayed immediately, not stored. SMPP defines only the group 0xF0 to 0xFF, which has
 * no UCS-2; for UCS-2, SMSCs accept the general coding group of GSM 03.38.
 */
const CODING_FLASH_GSM = 0xf0;
const CODING_FLASH_UCS2 = 0x18;
const SUBUNIT_DISPLAY = 1;
const MAX_PARTS = 255;

const TON = { international: 1, network: 3, alphanumeric: 5 } as const;
const NPI = { unknown: 0, isdn: 1 } as const;
/** National short codes have at most this many digits; international numbers have more. */
const SHORT_CODE_DIGITS = 6;

/**
 * Builds the fields of each `submit_sm` of the message, in order. `reference` (a counter) identifies the parts of one
 * message. Throws a RangeError for invalid addresses or more than 255 parts.
 */
export function buildSubmitParts(message: OutboundSms, config: SmppCarrierConfig, reference: number): PduFields[] {
  // Addresses are NUL-terminated; an invalid value would shift the fields that follow.
  if (!/^[\x20-\x7e]{0,20}$/.test(message.source))
    throw new RangeError('the source address must be at most 20 printable ASCII characters');
  if (!/^\d{1,20}$/.test(message.destination)) throw new RangeError('the destination address must be 1 to 20 digits');
  const common = commonFields(message, config);
  const texts = splitSegments(message.body, message.encoding);
  if (texts.length > MAX_PARTS)
    throw new RangeError(`the message has ${texts.length} parts; at most ${MAX_PARTS} are possible`);
  if (texts.length <= 1) return [{ ...common, short_message: octetsOf(message.body, message) }];
  switch (config.longMessage) {
    case 'payload':
      return [{ ...common, short_message: Buffer.alloc(0), message_payload: octetsOf(message.body, message) }];
    case 'sar':
      return texts.map((text, index) => ({
        ...common,
        short_message: octetsOf(text, message),
        sar_msg_ref_num: reference & 0xffff,
        sar_total_segments: texts.length,
        sar_segment_seqnum: index + 1,
      }));
    case 'udh':
      return texts.map((text, index) => ({
        ...common,
        esm_class: ESM_CLASS_UDH,
        short_message: Buffer.concat([
          concatenationHeader(reference & 0xff, texts.length, index + 1),
          octetsOf(text, message),
        ]),
      }));
  }
}

function commonFields(message: OutboundSms, config: SmppCarrierConfig): PduFields {
  const source = addressPlan(message.source);
  const subunit = message.flash && config.flash === 'dest-addr-subunit';
  return {
    source_addr_ton: config.sourceTon === 'auto' ? source.ton : config.sourceTon,
    source_addr_npi: config.sourceNpi === 'auto' ? source.npi : config.sourceNpi,
    source_addr: message.source,
    dest_addr_ton: config.destTon === 'auto' ? TON.international : config.destTon,
    dest_addr_npi: config.destNpi === 'auto' ? NPI.isdn : config.destNpi,
    destination_addr: message.destination,
    registered_delivery: config.registeredDelivery,
    data_coding: dataCoding(message, config),
    validity_period: config.validityPeriodMinutes === null ? '' : relativeTime(config.validityPeriodMinutes),
    ...(subunit ? { dest_addr_subunit: SUBUNIT_DISPLAY } : {}),
    ...dltFields(message, config.dltTags),
  };
}

function dataCoding({ encoding, flash }: OutboundSms, config: SmppCarrierConfig): number {
  if (flash && config.flash === 'data-coding') return encoding === 'ucs-2' ? CODING_FLASH_UCS2 : CODING_FLASH_GSM;
  return encoding === 'ucs-2' ? CODING_UCS2 : CODING_GSM;
}

/** The chain is sent only with DLT messages: carriers elsewhere reject unknown tags. */
function dltFields(message: OutboundSms, tags: SmppCarrierConfig['dltTags']): PduFields {
  const fields: PduFields = {};
  const set = (tag: number, value: string) => {
    fields[octetTlvName(tag)] = Buffer.from(tags.format === 'c-octet-string' ? `${value}\0` : value, 'latin1');
  };
  if (message.dltEntityId !== null) set(tags.entityId, message.dltEntityId);
  if (message.dltTemplateId !== null) set(tags.templateId, message.dltTemplateId);
  if (tags.chainValue !== null && message.dltEntityId !== null) set(tags.chain, tags.chainValue);
  return fields;
}

/** Type of number and numbering plan of a source address. */
export function addressPlan(address: string): { ton: number; npi: number } {
  if (!/^\+?\d+$/.test(address)) return { ton: TON.alphanumeric, npi: NPI.unknown };
  return address.length <= SHORT_CODE_DIGITS
    ? { ton: TON.network, npi: NPI.unknown }
    : { ton: TON.international, npi: NPI.isdn };
}

/** 3GPP TS 23.040, 9.2.3.24.1: concatenated short messages with an 8-bit reference. */
function concatenationHeader(reference: number, total: number, sequence: number): Buffer {
  return Buffer.from([0x05, 0x00, 0x03, reference, total, sequence]);
}

function octetsOf(text: string, { encoding }: OutboundSms): Buffer {
  return encoding === 'ucs-2' ? Buffer.from(text, 'utf16le').swap16() : encodeGsm7(text);
}

/** `YYMMDDhhmmss000R`, relative to the time of the submit (SMPP 3.4, 7.1.1.2). */
function relativeTime(minutes: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `0000${two(minutes / 1_440)}${two((minutes % 1_440) / 60)}${two(minutes % 60)}00000R`;
}
