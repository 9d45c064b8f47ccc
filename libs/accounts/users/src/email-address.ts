import { addressKey, readEmailAddress } from '@heliograph/addresses';
import { AppError } from '@heliograph/errors';

/**
 * Reads the address of a user by the rules of `readEmailAddress`, so that system emails can be delivered to it.
 * Surrounding spaces are ignored. Returns the comparison key, under which users are stored: lower case, with the
 * domain in A-labels. Null if the address is invalid.
 */
export function readUserAddress(text: string): string | null {
  const address = readEmailAddress(text.trim());
  return address === null ? null : addressKey(address);
}

/** Like `readUserAddress`, but throws VALIDATION_ERROR. */
export function checkUserAddress(text: string): string {
  const address = readUserAddress(text);
  if (address === null) {
    throw new AppError('VALIDATION_ERROR', 'email: must be a single email address, such as ann@example.com.');
  }
  return address;
}
