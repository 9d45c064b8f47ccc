import type { IncomingHttpHeaders } from 'node:http';
import { isTestId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';

/** `test`: nothing reaches an upstream or a live balance. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** Chooses the mode of a session or access token, in lower case. */
export const MODE_HEADER = 'heliograph-mode';

/** The mode of an organization, of which its id tells. A key without an organization is a live one. */
export function modeOf(organizationId: string | null): Mode {
  return organizationId !== null && isTestId(organizationId) ? 'test' : 'live';
}

/** The mode that the headers of a request choose; undefined if they choose none. Throws INVALID_REQUEST. */
export function readMode(headers: IncomingHttpHeaders): Mode | undefined {
  const text = headers[MODE_HEADER];
  if (text === undefined) return undefined;
  const mode = MODES.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw new AppError(
    'INVALID_REQUEST',
    'The header Heliograph-Mode must be "live" or "test". Correct it, or leave it out.',
  );
}

/** A key has one mode. A header that chooses the other one is a mistake, which must not send a message. Throws FORBIDDEN. */
export function assertModeOfKey(headers: IncomingHttpHeaders, organizationId: string | null): void {
  const chosen = readMode(headers);
  const mode = modeOf(organizationId);
  if (chosen === undefined || chosen === mode) return;
  throw new AppError(
    'FORBIDDEN',
    `This is a ${mode} API key, but the header Heliograph-Mode chooses ${chosen}. Use a ${chosen} key, or leave out the header.`,
  );
}
