import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { CONSENT_STATUSES, type ChatappConsent } from '@heliograph/chatapp-catalog';
import { One, ListOf } from '../../../http/answers';
import { ForeignPageQuery } from '../../../http/page.query';
import { IsNonBlankText, Optional, OptionalNullable, IsOneOf } from '../../../http/rules';
import { IsNumber } from '../number-rule';

const MAX_NOTE_LENGTH = 1_000;

export class ChatappConsentRecord {
  id: Uuid;
  /** @example +919811111111 */
  number: string;
  status: (typeof CONSENT_STATUSES)[number];
  /**
   * Source of the consent; `account` means recorded through this API.
   * @example keyword_stop
   */
  source: string;
  note: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;

  static of({ id, number, status, source, note, createdAt, updatedAt }: ChatappConsent): ChatappConsentRecord {
    return {
      id,
      number,
      status,
      source,
      note,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class OneChatappConsent extends One('consent', ChatappConsentRecord) {}

export class ChatappConsentPage extends ListOf('consents', ChatappConsentRecord) {}

export class ChatappConsentQuery extends ForeignPageQuery {
  /** @example +919811111111 */
  @Optional()
  @IsNumber()
  number?: string;
  @Optional()
  @IsOneOf(CONSENT_STATUSES)
  status?: (typeof CONSENT_STATUSES)[number];
}

export class RecordChatappConsentRequest {
  /** @example +919811111111 */
  @IsNumber()
  number: string;
  @IsOneOf(CONSENT_STATUSES)
  status: (typeof CONSENT_STATUSES)[number];
  /**
   * Evidence of the consent. Required to opt in a number that opted out by keyword.
   * @default null
   */
  @ApiProperty({ maxLength: MAX_NOTE_LENGTH })
  @OptionalNullable()
  @IsNonBlankText(MAX_NOTE_LENGTH)
  note: string | null = null;
}
