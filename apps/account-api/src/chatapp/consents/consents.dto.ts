import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CONSENT_STATUSES, type ChatappConsent, type ConsentStatus } from '@heliograph/chatapp-catalog';
import { One, ListOf } from '../../http/answers';
import { ForeignPageQuery } from '../../http/page.query';
import { optionalText } from '../../http/schemas';
import { IsNonBlankText, Optional, OptionalNullable, IsOneOf } from '../../http/rules';
import { IsNumber } from '../number-rule';

const MAX_NOTE_LENGTH = 1_000;
const numberOf = { example: '+919811111111' };

export class ChatappConsentRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty(numberOf)
  number: string;
  @ApiProperty({ enum: CONSENT_STATUSES })
  status: ConsentStatus;
  @ApiProperty({
    example: 'keyword_stop',
    description: 'Source of the consent; `account` means recorded through this API',
  })
  source: string;
  @ApiProperty(optionalText)
  note: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

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
  @ApiPropertyOptional(numberOf)
  @Optional()
  @IsNumber()
  number?: string;
  @ApiPropertyOptional({ enum: CONSENT_STATUSES })
  @Optional()
  @IsOneOf(CONSENT_STATUSES)
  status?: ConsentStatus;
}

export class RecordChatappConsentRequest {
  @ApiProperty(numberOf)
  @IsNumber()
  number: string;
  @ApiProperty({ enum: CONSENT_STATUSES })
  @IsOneOf(CONSENT_STATUSES)
  status: ConsentStatus;
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    default: null,
    maxLength: MAX_NOTE_LENGTH,
    description: 'Evidence of the consent. Required to opt in a number that opted out by keyword.',
  })
  @OptionalNullable()
  @IsNonBlankText(MAX_NOTE_LENGTH)
  note: string | null = null;
}
