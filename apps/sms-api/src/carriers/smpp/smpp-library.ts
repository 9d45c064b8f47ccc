import { addTLV, commands, tlvs, types } from 'smpp';

/**
 * What we change in the smpp package's tables, once per process. Importing this file is what does it.
 *
 * The package decodes texts by its own alphabets and dates by its own clock, and reads a C-octet string TLV up to
 * the next zero octet, past its end if the carrier left the zero out. Receipts are read from octets instead, so the
 * filters of what carriers send us go, and the TLVs of receipts become plain octets.
 */
function takeOctets(): void {
  for (const param of Object.values(commands['deliver_sm']?.params ?? {})) delete param.filter;
  const payload = tlvs['message_payload'];
  if (payload) delete payload.filter;
  const octets = types.tlv['buffer'];
  addTLV('receipted_message_id', { id: 0x001e, type: octets });
  addTLV('message_state', { id: 0x0427, type: octets });
  addTLV('network_error_code', { id: 0x0423, type: octets });
}

takeOctets();

/** Name under which a TLV of any tag can be set on a PDU; its value is a Buffer and goes out as it is. */
export function octetTlvName(tag: number): string {
  const name = `octets_0x${tag.toString(16).padStart(4, '0')}`;
  if (!tlvs[name]) addTLV(name, { id: tag, type: types.tlv['buffer'] });
  return name;
}
