import { ApiProperty } from '@nestjs/swagger';
import { CONSENT_STATUSES, type ChatappConsent, type ConsentStatus } from '@heliograph/chatapp-catalog';
import { toMessagingTimestamp } from '@heliograph/database';

export class ConsentRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  number: string;
  @ApiProperty({ enum: CONSENT_STATUSES })
  status: ConsentStatus;
  @ApiProperty({ description: 'Origin of the consent, such as public_api, keyword_stop or send' })
  source: string;
  @ApiProperty({ type: String, nullable: true })
  note: string | null;
  @ApiProperty({ example: '2026-11-20T10:12:28.123456' })
  updatedAt: string;

  static of({ id, number, status, source, note, updatedAt }: ChatappConsent): ConsentRecord {
    return { id, number, status, source, note, updatedAt: toMessagingTimestamp(updatedAt) };
  }
}

export class ConsentList {
  @ApiProperty({ type: [ConsentRecord], description: 'The 500 most recently changed consents' })
  consents: ConsentRecord[];
}

export class ConsentRequest {
  @ApiProperty({ description: 'E.164', example: '+919876543210' })
  number: string;
  @ApiProperty({ enum: CONSENT_STATUSES, default: 'opted_in', required: false })
  status?: ConsentStatus;
  @ApiProperty({ required: false, default: 'public_api', maxLength: 100 })
  source?: string;
  @ApiProperty({ type: String, required: false, nullable: true, maxLength: 1000 })
  note?: string | null;
}
