import type { Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { CONSENT_STATUSES, type ChatappConsent } from '@heliograph/chatapp-catalog';
import { toMessagingTimestamp } from '@heliograph/database';
import { parseNumber } from '@heliograph/addresses';
import { isStorableText, rule } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';
import { normalizeJson } from '../normalize-json';

const MAX_SOURCE = 100;
const MAX_NOTE = 1_000;

export class ConsentRecord {
  id: Uuid;
  number: string;
  status: (typeof CONSENT_STATUSES)[number];
  /** Origin of the consent, such as `public_api`, `keyword_stop` or `send`. */
  source: string;
  note: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  updatedAt: string;

  static of({ id, number, status, source, note, updatedAt }: ChatappConsent): ConsentRecord {
    return { id, number, status, source, note, updatedAt: toMessagingTimestamp(updatedAt) };
  }
}

export class ConsentList {
  /** The 500 most recently changed consents, most recent first. */
  consents: ConsentRecord[];
}

export const INVALID_NUMBER = 'number must be an E.164 number, such as +919876543210.';

const IsLine = (name: string, maxLength: number) =>
  rule(
    'isLine',
    `${name} must be a single line of text with at most ${maxLength} characters.`,
    (value) => isStorableText(value, maxLength) && !/\p{Cc}/u.test(value),
    'INVALID_REQUEST',
  );

export class ConsentRequest {
  /**
   * Phone number in E.164 format.
   * @example +919876543210
   */
  @rule(
    'isNumber',
    INVALID_NUMBER,
    (value) => typeof value === 'string' && parseNumber(value) !== null,
    'INVALID_NUMBER',
  )
  number: string;
  /** @default opted_in */
  @ApiProperty({ required: false })
  @rule(
    'isConsentStatus',
    `status must be one of ${CONSENT_STATUSES.join(', ')}.`,
    (value) => CONSENT_STATUSES.some((known) => known === value),
    'INVALID_STATUS',
  )
  status: (typeof CONSENT_STATUSES)[number] = 'opted_in';
  /** @default public_api */
  @ApiProperty({ maxLength: MAX_SOURCE })
  @IsLine('source', MAX_SOURCE)
  source: string = 'public_api';
  @ApiProperty({ nullable: true, maxLength: MAX_NOTE })
  @IsOptional()
  @IsLine('note', MAX_NOTE)
  note?: string;
}

/** An empty source or note counts as absent. */
export function normalizeConsent(body: Record<string, unknown>): Record<string, unknown> {
  const isGiven = ([name, value]: [string, unknown]): boolean => value !== '' || (name !== 'source' && name !== 'note');
  return Object.fromEntries(Object.entries(normalizeJson(body)).filter(isGiven));
}
