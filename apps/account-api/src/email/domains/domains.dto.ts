import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  DOMAIN_STATUSES,
  type DnsRecord,
  type DnsRecordPurpose,
  type DnsRecordStatus,
  type DomainStatus,
  type EmailDomain,
} from '@heliograph/email-catalog';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../../http/answers';
import { PageQuery } from '../../http/page.query';
import { optionalTimestamp } from '../../http/schemas';
import { IsNonBlankText, Optional, IsOneOf } from '../../http/rules';

const MAX_DOMAIN_LENGTH = 253;

export class EmailDnsRecord {
  @ApiProperty({ enum: ['TXT', 'CNAME'] satisfies DnsRecord['type'][] })
  type: DnsRecord['type'];
  @ApiProperty({ example: 'bounces.example.com', description: 'Fully qualified record name' })
  name: string;
  @ApiProperty()
  value: string;
  @ApiProperty({
    enum: ['ownership', 'dkim', 'spf', 'return_path', 'dmarc', 'tracking'] satisfies DnsRecordPurpose[],
  })
  purpose: DnsRecordPurpose;
  @ApiProperty({ description: 'True if the verification requires the record. Other records are recommended' })
  required: boolean;
  @ApiProperty({
    enum: ['pending', 'verified', 'failed'] satisfies DnsRecordStatus[],
    description: '`pending`: the record was not found yet. `failed`: the record has a different value',
  })
  status: DnsRecordStatus;
  @ApiProperty({ type: [String], description: 'Result of the last check' })
  found: string[];

  static of({ type, name, value, purpose, required, status, found }: DnsRecord): EmailDnsRecord {
    return { type, name, value, purpose, required, status, found };
  }
}

/** A domain with the DNS records that it needs. */
export interface DescribedDomain {
  domain: EmailDomain;
  records: readonly DnsRecord[];
}

export class EmailDomainRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({
    example: 'example.com',
    description: 'Domain in lower case. Internationalized names are in Punycode (`xn--`)',
  })
  name: string;
  @ApiProperty({
    enum: DOMAIN_STATUSES,
    description: '`failed`: the domain was verified, but its records are missing now',
  })
  status: DomainStatus;
  @ApiProperty({ type: [EmailDnsRecord], description: 'DNS records to publish' })
  records: EmailDnsRecord[];
  @ApiProperty(optionalTimestamp)
  checkedAt: string | null;
  @ApiProperty(optionalTimestamp)
  verifiedAt: string | null;
  @ApiProperty({ ...optionalTimestamp, description: 'Time since which DNS records of a verified domain are missing' })
  failingSince: string | null;
  @ApiProperty({
    ...optionalTimestamp,
    description: 'Time at which sending stops if the DNS records are still missing',
  })
  expiresAt: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ domain, records }: DescribedDomain): EmailDomainRecord {
    const { id, name, status } = domain;
    return {
      id,
      name,
      status,
      records: records.map((record) => EmailDnsRecord.of(record)),
      checkedAt: v1Timestamp(domain.checkedAt),
      verifiedAt: v1Timestamp(domain.verifiedAt),
      failingSince: v1Timestamp(domain.failingSince),
      expiresAt: v1Timestamp(domain.expiresAt),
      createdAt: domain.createdAt.toISOString(),
    };
  }
}

export class OneEmailDomain extends One('domain', EmailDomainRecord) {}

export class EmailDomainPage extends ListOf('domains', EmailDomainRecord) {}

export class EmailDomainQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DOMAIN_STATUSES })
  @Optional()
  @IsOneOf(DOMAIN_STATUSES)
  status?: DomainStatus;
}

export class CreateEmailDomainRequest {
  @ApiProperty({ example: 'example.com' })
  @IsNonBlankText(MAX_DOMAIN_LENGTH)
  name: string;
}
