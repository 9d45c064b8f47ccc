import { addTLV, commands, tlvs, types } from 'smpp';

/**
 * Adjusts the tables of the smpp package, once per process. The import of this file has this side effect.
 *
 * The package decodes texts and dates with its own rules, and reads a C-octet string TLV up to the next zero octet,
 * beyond its end if the terminator is missing. Receipts are parsed from raw octets instead, so the filters for incoming
 * PDUs are removed and the TLVs of receipts are declared as octets.
 */
function useRawOctets(): void {
  for (const param of Object.values(commands['deliver_sm']?.params ?? {})) delete param.filter;
  const payload = tlvs['message_payload'];
  if (payload) delete payload.filter;
  const octets = types.tlv['buffer'];
  addTLV('receipted_message_id', { id: 0x001e, type: octets });
  addTLV('message_state', { id: 0x0427, type: octets });
  addTLV('network_error_code', { id: 0x0423, type: octets });
}

useRawOctets();

/** Returns the field name for a TLV with any tag; its value is a Buffer that is sent unchanged. */
export function octetTlvName(tag: number): string {
  const name = `octets_0x${tag.toString(16).padStart(4, '0')}`;
  if (!tlvs[name]) addTLV(name, { id: tag, type: types.tlv['buffer'] });
  return name;
}
