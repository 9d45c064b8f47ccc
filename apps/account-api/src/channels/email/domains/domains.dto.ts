import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import {
  DOMAIN_STATUSES,
  type DnsRecord,
  type DnsRecordPurpose,
  type DnsRecordStatus,
  type EmailDomain,
} from '@heliograph/email-catalog';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../../../http/answers';
import { PageQuery } from '../../../http/page.query';
import { IsNonBlankText, Optional, IsOneOf } from '../../../http/rules';

const MAX_DOMAIN_LENGTH = 253;

export class EmailDnsRecord {
  @ApiProperty({ enum: ['TXT', 'CNAME'] satisfies DnsRecord['type'][] })
  type: DnsRecord['type'];
  /**
   * Fully qualified record name.
   * @example bounces.example.com
   */
  name: string;
  value: string;
  @ApiProperty({ enum: ['ownership', 'dkim', 'spf', 'return_path', 'dmarc', 'tracking'] satisfies DnsRecordPurpose[] })
  purpose: DnsRecordPurpose;
  /** True if the verification requires the record. Other records are recommended. */
  required: boolean;
  /** `pending`: the record was not found yet. `failed`: the record has a different value. */
  @ApiProperty({ enum: ['pending', 'verified', 'failed'] satisfies DnsRecordStatus[] })
  status: DnsRecordStatus;
  /** Result of the last check. */
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
  id: Uuid;
  /**
   * Domain in lower case. Internationalized names are in Punycode (`xn--`).
   * @example example.com
   */
  name: string;
  /** `failed`: the domain was verified, but its records are missing now. */
  status: (typeof DOMAIN_STATUSES)[number];
  /** DNS records to publish. */
  records: EmailDnsRecord[];
  checkedAt: Timestamp | null;
  verifiedAt: Timestamp | null;
  /** Time since which DNS records of a verified domain are missing. */
  failingSince: Timestamp | null;
  /** Time at which sending stops if the DNS records are still missing. */
  expiresAt: Timestamp | null;
  createdAt: Timestamp;

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
  @Optional()
  @IsOneOf(DOMAIN_STATUSES)
  status?: (typeof DOMAIN_STATUSES)[number];
}

export class CreateEmailDomainRequest {
  /** @example example.com */
  @IsNonBlankText(MAX_DOMAIN_LENGTH)
  name: string;
}
