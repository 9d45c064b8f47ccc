import { ApiProperty } from '@nestjs/swagger';
import { ERASING_SERVICES, type ErasingService } from '@heliograph/contracts';
import { PERSON_ADDRESS_KINDS, readPersonAddress, type Erasure, type PersonAddressKind } from '@heliograph/persons';
import { rule, v1Timestamp } from '@heliograph/service-kit';
import { One } from '../http/answers';

const STATUSES = ['running', 'finished'] as const;

export class ErasureRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: PERSON_ADDRESS_KINDS })
  kind: PersonAddressKind;
  @ApiProperty({ enum: STATUSES })
  status: (typeof STATUSES)[number];
  @ApiProperty({ enum: ERASING_SERVICES, isArray: true, description: 'Services that have not finished yet' })
  pending: ErasingService[];
  @ApiProperty({ format: 'date-time' })
  requestedAt: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt: string | null;

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
  @ApiProperty({ example: 'ann@example.com', description: 'Email address, or phone number in international format' })
  @rule(
    'isPersonAddress',
    'must be an email address or a phone number in international format, such as +919811111111',
    (value) => typeof value === 'string' && readPersonAddress(value) !== null,
  )
  address: string;
}
