import { AppError } from '@heliograph/errors';

const MAX_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** The address in lower case; null if it is invalid. Addresses are compared case-insensitively. */
export function readEmailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > MAX_LENGTH || at > MAX_LOCAL_PART_LENGTH) return null;
  const labels = address.slice(at + 1).split('.');
  const isSound =
    LOCAL_PART.test(address.slice(0, at)) && labels.length > 1 && labels.every((l) => DOMAIN_LABEL.test(l));
  return isSound ? address : null;
}

/** Like `readEmailAddress`, but throws VALIDATION_ERROR. */
export function checkEmailAddress(text: string): string {
  const address = readEmailAddress(text);
  if (address === null) {
    throw new AppError('VALIDATION_ERROR', 'email: must be a single email address, such as ann@example.com.');
  }
  return address;
}
