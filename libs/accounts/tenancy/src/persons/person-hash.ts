import { createHmac } from 'node:crypto';
import { addressKey, readEmailAddress, parseNumber } from '@heliograph/addresses';

export const PERSON_ADDRESS_KINDS = ['email', 'phone'] as const;
export type PersonAddressKind = (typeof PERSON_ADDRESS_KINDS)[number];

/** An email address in lower case, or a number in E.164. */
export interface PersonAddress {
  kind: PersonAddressKind;
  value: string;
}

/** Null for text that is neither a bare email address nor a number in international format. */
export function readPersonAddress(text: string): PersonAddress | null {
  const email = text.includes('@') ? readEmailAddress(text) : null;
  if (email !== null) return { kind: 'email', value: addressKey(email) };
  const number = parseNumber(text);
  return number && { kind: 'phone', value: number.e164 };
}

/**
 * Keyed hashes recognize a person without storing the address: HMAC-SHA-256, different for each organization. Numbers
 * are few enough to be guessed from a hash without a key.
 */
export class PersonHasher {
  /** The current key first. */
  constructor(private readonly keys: readonly string[]) {}

  get isConfigured(): boolean {
    return this.keys.length > 0;
  }

  /** With each key, the current one first. */
  hashesOf(organizationId: string, { kind, value }: PersonAddress): Buffer[] {
    return this.keys.map((key) => createHmac('sha256', key).update(`${organizationId}\n${kind}\n${value}`).digest());
  }
}

const MASK_PREFIX = 'erased:';

/** Replaces the address of an erased person in message logs. It is no valid address. */
export function maskOf(hash: Buffer): string {
  return MASK_PREFIX + hash.toString('hex').slice(0, 32);
}
