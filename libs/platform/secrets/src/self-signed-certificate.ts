import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encoded object identifiers. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');

const TAG = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, utf8: 0x0c, sequence: 0x30, set: 0x31 } as const;
const DAY_MS = 86_400_000;
/** RFC 5280, appendix A.1. */
const MAX_COMMON_NAME = 64;

export interface SelfSigned {
  key: string;
  cert: string;
}

/** Creates a key and a certificate for a host name and 127.0.0.1 (RFC 5280), valid from yesterday for ten years. */
export function selfSignedCertificate(hostName: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, ECDSA_WITH_SHA256);
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, COMMON_NAME, der(TAG.utf8, hostName.slice(0, MAX_COMMON_NAME)))),
  );
  const now = Date.now();
  const validity = der(TAG.sequence, time(new Date(now - DAY_MS)), time(new Date(now + 3_650 * DAY_MS)));
  // [2] is a DNS name, [7] an IP address.
  const names = der(TAG.sequence, der(0x82, hostName), der(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = der(TAG.sequence, der(TAG.boolean, Buffer.from([0xff])));
  const extensions = der(
    TAG.sequence,
    der(TAG.sequence, BASIC_CONSTRAINTS, der(TAG.octets, authority)),
    der(TAG.sequence, SUBJECT_ALTERNATIVE_NAME, der(TAG.octets, names)),
  );
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    // A first octet from 1 to 127 makes the number positive and its encoding minimal.
    der(TAG.integer, Buffer.from([0x40]), randomBytes(15)),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = der(
    TAG.sequence,
    body,
    algorithm,
    der(TAG.bits, Buffer.from([0]), sign('sha256', body, privateKey)),
  );
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length and content of one DER value. */
function der(tag: number, ...contents: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const octets = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, 0x80 | octets.length, ...octets]), content]);
}

/** UTCTime until 2049, GeneralizedTime after that. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050 ? der(0x17, `${digits.slice(2)}Z`) : der(0x18, `${digits}Z`);
}
