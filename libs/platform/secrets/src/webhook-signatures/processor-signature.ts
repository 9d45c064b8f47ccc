import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signature header of the payment processor. */
export const PROCESSOR_SIGNATURE_HEADER = 'Processor-Signature';

/**
 * `malformed`: not of the form `t=<seconds>,v1=<hex>`. `mismatch`: created with another secret or for another body.
 * `stale`: valid, but the timestamp is outside the tolerance.
 */
export type ProcessorSignatureVerdict = 'ok' | 'malformed' | 'stale' | 'mismatch';

const MAX_HEADER_LENGTH = 4_096;
const TIMESTAMP = /^\d{1,12}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/i;

/**
 * Verifies `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.rawBody">`. One matching `v1` for one of the secrets is
 * sufficient, which allows secrets to be rotated. The key is the complete secret string. The tolerance applies in
 * both directions.
 */
export function verifyProcessorSignature(
  header: string,
  rawBody: Buffer,
  secrets: string[],
  nowSeconds: number,
  toleranceSeconds = 300,
): ProcessorSignatureVerdict {
  const parsed = parseHeader(header);
  if (!parsed) return 'malformed';
  let matches = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const expected = digest(rawBody, secret, parsed.timestamp);
    // All signatures are compared, so that the duration reveals nothing.
    for (const signature of parsed.signatures) matches = timingSafeEqual(signature, expected) || matches;
  }
  if (!matches) return 'mismatch';
  return Math.abs(nowSeconds - Number(parsed.timestamp)) <= toleranceSeconds ? 'ok' : 'stale';
}

/** Creates the header value for a body, as the processor does. */
export function signProcessorPayload(rawBody: Buffer | string, secret: string, timestampSeconds: number): string {
  const timestamp = String(Math.floor(timestampSeconds));
  return `t=${timestamp},v1=${digest(rawBody, secret, timestamp).toString('hex')}`;
}

function digest(rawBody: Buffer | string, secret: string, timestamp: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
}

/** Null unless there is exactly one timestamp and at least one signature of the right length. */
function parseHeader(header: string): { timestamp: string; signatures: Buffer[] } | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  let timestamp: string | null = null;
  const signatures: Buffer[] = [];
  for (const part of header.split(',')) {
    const end = part.indexOf('=');
    const name = part.slice(0, end).trim();
    const value = part.slice(end + 1).trim();
    if (name === 't') {
      if (timestamp !== null || !TIMESTAMP.test(value)) return null;
      timestamp = value;
    } else if (name === 'v1' && SHA256_HEX.test(value)) {
      signatures.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === null || signatures.length === 0 ? null : { timestamp, signatures };
}
