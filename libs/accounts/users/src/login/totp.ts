import { randomBytes } from 'node:crypto';
import { hashToken } from '@heliograph/secrets';
import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
/** Tolerates one step of clock drift in either direction (RFC 6238, section 5.2). */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The otpauth:// URI for an authenticator app. */
export function totpUri(secret: string, issuer: string, email: string): string {
  return totpOf(secret, issuer, email).toString();
}

/**
 * The time step of a valid code; null if the code is wrong or not newer than the last used one, because each code
 * works once.
 */
export function totpStep(secret: string, code: string, lastStep: number, now = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, window: WINDOW, timestamp: now });
  if (delta === null) return null;
  const step = Math.floor(now / 1000 / STEP_SECONDS) + delta;
  return step > lastStep ? step : null;
}

function totpOf(secret: string, issuer?: string, email?: string): TOTP {
  return new TOTP({
    secret: Secret.fromBase32(secret.replace(/=+$/, '').toUpperCase()),
    period: STEP_SECONDS,
    digits: 6,
    algorithm: 'SHA1',
    ...(issuer === undefined ? {} : { issuer }),
    ...(email === undefined ? {} : { label: email }),
  });
}

/** Ten codes of 59 bits, such as `k7mp-3xq9-w2hd`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let code = '';
    while (code.length < 12) {
      // Bytes above the last multiple are rejected to avoid modulo bias.
      for (const byte of randomBytes(16)) {
        if (byte < 248 && code.length < 12) code += RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length];
      }
    }
    return code.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Null if it cannot be a recovery code. Hyphens, spaces and case are ignored. */
export function hashRecoveryCode(code: string): Buffer | null {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z0-9]{12}$/.test(plain) ? hashToken(plain) : null;
}
