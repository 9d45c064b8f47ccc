import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  DOMAIN_STATUSES,
  type DnsRecord,
  type DnsRecordPurpose,
  type DnsRecordStatus,
  type DomainStatus,
  type EmailDomain,
} from '@heliograph/email-catalog';
import { PageQuery } from '../http/query';
import { IsFilledText, IsOneOf, MayBeAbsent } from '../http/rules';

const optionalMoment = { type: String, format: 'date-time', nullable: true } as const;
const MAX_DOMAIN_LENGTH = 253;

export class EmailDnsRecord {
  @ApiProperty({ enum: ['TXT', 'CNAME'] satisfies DnsRecord['type'][] })
  type: DnsRecord['type'];
  @ApiProperty({ example: 'bounces.example.com', description: 'The whole name' })
  name: string;
  @ApiProperty()
  value: string;
  @ApiProperty({
    enum: ['ownership', 'dkim', 'spf', 'return_path', 'dmarc', 'tracking'] satisfies DnsRecordPurpose[],
  })
  purpose: DnsRecordPurpose;
  @ApiProperty({ description: 'The domain is verified when all of these are there; the others are advice' })
  required: boolean;
  @ApiProperty({
    enum: ['pending', 'verified', 'failed'] satisfies DnsRecordStatus[],
    description: 'pending: not seen yet; failed: something else stands there',
  })
  status: DnsRecordStatus;
  @ApiProperty({ type: [String], description: 'What the last check found' })
  found: string[];

  static of({ type, name, value, purpose, required, status, found }: DnsRecord): EmailDnsRecord {
    return { type, name, value, purpose, required, status, found };
  }
}

export class EmailDomainRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'example.com', description: 'In lower case; an international name in its xn-- form' })
  name: string;
  @ApiProperty({ enum: DOMAIN_STATUSES, description: 'failed: was verified, and its records are gone' })
  status: DomainStatus;
  @ApiProperty({ type: [EmailDnsRecord], description: 'To be published with the name servers of the domain' })
  records: EmailDnsRecord[];
  @ApiProperty(optionalMoment)
  checkedAt: string | null;
  @ApiProperty(optionalMoment)
  verifiedAt: string | null;
  @ApiProperty({ ...optionalMoment, description: 'Since when records of a verified domain are missing' })
  failingSince: string | null;
  @ApiProperty({ ...optionalMoment, description: 'When it stops sending, whatever its records say' })
  expiresAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of(domain: EmailDomain, records: readonly DnsRecord[]): EmailDomainRecord {
    const { id, name, status } = domain;
    return {
      ...{ id, name, status },
      records: records.map((record) => EmailDnsRecord.of(record)),
      checkedAt: domain.checkedAt?.toISOString() ?? null,
      verifiedAt: domain.verifiedAt?.toISOString() ?? null,
      failingSince: domain.failingSince?.toISOString() ?? null,
      expiresAt: domain.expiresAt?.toISOString() ?? null,
      createdAt: domain.createdAt.toISOString(),
    };
  }
}

export class OneEmailDomain {
  @ApiProperty()
  domain: EmailDomainRecord;
}

export class EmailDomainPage {
  @ApiProperty({ type: [EmailDomainRecord] })
  domains: EmailDomainRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class EmailDomainQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DOMAIN_STATUSES })
  @MayBeAbsent()
  @IsOneOf(DOMAIN_STATUSES)
  status?: DomainStatus;
}

export class CreateEmailDomainRequest {
  @ApiProperty({ example: 'example.com' })
  @IsFilledText(MAX_DOMAIN_LENGTH)
  name: string;
}
