/** Names of command statuses (SMPP 3.4, 5.1.3) that we send or that carriers commonly return. */
const NAMES: Record<number, string> = {
  0x01: 'invalid message length',
  0x02: 'invalid command length',
  0x03: 'invalid command',
  0x04: 'wrong bind status',
  0x05: 'already bound',
  0x06: 'invalid priority',
  0x07: 'invalid registered delivery',
  0x08: 'system error',
  0x0a: 'invalid source address',
  0x0b: 'invalid destination address',
  0x0c: 'invalid message id',
  0x0d: 'bind failed',
  0x0e: 'invalid password',
  0x0f: 'invalid system id',
  0x14: 'message queue full',
  0x15: 'invalid service type',
  0x42: 'invalid submit with replace',
  0x43: 'invalid esm_class',
  0x45: 'submit failed',
  0x48: 'invalid source TON',
  0x49: 'invalid source NPI',
  0x50: 'invalid destination TON',
  0x51: 'invalid destination NPI',
  0x53: 'invalid system type',
  0x58: 'throttled',
  0x61: 'invalid schedule',
  0x62: 'invalid validity period',
  0x64: 'temporary application error',
  0x65: 'permanent application error',
  0xc0: 'invalid optional parameters',
  0xc1: 'optional parameter not allowed',
  0xc2: 'invalid optional parameter length',
  0xc3: 'missing optional parameter',
  0xc4: 'invalid optional parameter value',
  0xfe: 'delivery failure',
  0xff: 'unknown error',
};

export const STATUS_OK = 0;
export const STATUS_INVALID_MESSAGE_LENGTH = 0x01;
export const STATUS_QUEUE_FULL = 0x14;
/** Response to a receipt that could not be stored; the carrier sends it again. */
export const STATUS_TEMPORARY_APPLICATION_ERROR = 0x64;

/** Formats a command status for logs and errors: its number, and its name if known. */
export function describeStatus(status: number): string {
  const number = `0x${status.toString(16).padStart(8, '0')}`;
  const name = NAMES[status];
  return name ? `${number} (${name})` : number;
}
