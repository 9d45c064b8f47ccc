import { Check, Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { DnsFinding } from './dns-finding';

export const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];
export type DomainVerifier = 'dns' | 'operator';

/** A sending domain of an organization. */
@Entity({ schema: 'email', name: 'domains' })
@Index('domains_name', ['organizationId', 'name'], { unique: true })
@Index('domains_verified_name', ['name'], { unique: true, where: `status = 'verified' AND verified_by = 'dns'` })
@Index('domains_checked', ['checkedAt'])
@Check('domains_status_check', `status IN ('pending', 'verified', 'failed')`)
@Check('domains_verified_by_check', `verified_by IN ('dns', 'operator')`)
export class EmailDomain {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'domains_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** In lower case and A-labels. */
  @Column('text')
  name: string;

  @Column('text')
  status: DomainStatus;

  /** Who set the status; null before the first verification. A status set by the operator is not checked against the DNS. */
  @Column('text', { name: 'verified_by', nullable: true })
  verifiedBy: DomainVerifier | null;

  /** Content of the DNS record that proves the ownership of the domain. */
  @Column('text', { name: 'verification_token' })
  verificationToken: string;

  @Column('text', { name: 'dkim_selector' })
  dkimSelector: string;

  /** SubjectPublicKeyInfo in base64, as the DKIM record has it. */
  @Column('text', { name: 'dkim_public_key' })
  dkimPublicKey: string;

  /** PKCS #8, PEM; sealed: `DKIM_PRIVATE_KEY`. Selected only for signing. */
  @Column('text', { name: 'dkim_private_key', select: false })
  dkimPrivateKey?: string;

  /** Host of the return path; null while its CNAME is not valid. */
  @Column('text', { name: 'return_path_host', nullable: true })
  returnPathHost: string | null;

  /** Results of the last check; empty before the first one. */
  @Column('jsonb')
  findings: DnsFinding[];

  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt: Date | null;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt: Date | null;

  /** Time since which records of a verified domain are missing. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** Whether the domain may send now. */
export function isSending({ status, expiresAt }: Pick<EmailDomain, 'status' | 'expiresAt'>, now: Date): boolean {
  return status === 'verified' && (expiresAt === null || expiresAt > now);
}
