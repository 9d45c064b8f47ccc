import { ApiProperty } from '@nestjs/swagger';
import { ERASING_SERVICES, type ErasingService, type Timestamp, type Uuid } from '@heliograph/contracts';
import { PERSON_ADDRESS_KINDS, readPersonAddress, type Erasure } from '@heliograph/tenancy';
import { rule, v1Timestamp } from '@heliograph/service-kit';
import { One } from '../../http/answers';

export class ErasureRecord {
  id: Uuid;
  kind: (typeof PERSON_ADDRESS_KINDS)[number];
  status: 'running' | 'finished';
  /** Services that have not finished yet. */
  @ApiProperty({ enum: ERASING_SERVICES, isArray: true })
  pending: ErasingService[];
  requestedAt: Timestamp;
  finishedAt: Timestamp | null;

  static of({ id, kind, pending, requestedAt, finishedAt }: Erasure): ErasureRecord {
    return {
      id,
      kind,
      pending,
      status: finishedAt === null ? 'running' : 'finished',
      requestedAt: requestedAt.toISOString(),
      finishedAt: v1Timestamp(finishedAt),
    };
  }
}

export class OneErasure extends One('erasure', ErasureRecord) {}

export class ErasePersonRequest {
  /**
   * Email address, or phone number in international format.
   * @example ann@example.com
   */
  @rule(
    'isPersonAddress',
    'must be an email address or a phone number in international format, such as +919811111111',
    (value) => typeof value === 'string' && readPersonAddress(value) !== null,
  )
  address: string;
}
