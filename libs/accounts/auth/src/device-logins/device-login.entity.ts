import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../mode';

export type DeviceLoginState = 'pending' | 'approved' | 'denied';

/**
 * The login of a program that has no browser, such as the command line (RFC 8628). It ends when the program gets its key, or expires.
 * The device code contains 256 random bits, of which only the SHA-256 is stored.
 */
@Entity({ schema: 'auth', name: 'device_logins' })
@Index('device_logins_device_code', ['deviceCodeHash'], { unique: true })
@Index('device_logins_user_code', ['userCode'], { unique: true })
export class DeviceLogin {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'device_logins_pkey' })
  id: string;

  @Column('bytea', { name: 'device_code_hash' })
  deviceCodeHash: Buffer;

  /** The code that a person compares, without its hyphen. */
  @Column('text', { name: 'user_code' })
  userCode: string;

  @Column('text')
  state: DeviceLoginState;

  /** The proposed name of the key, with the name of the machine. */
  @Column('text')
  name: string;

  @Column('text')
  mode: Mode;

  /** The requested scopes. An empty list means unrestricted. */
  @Column('text', { array: true })
  scopes: string[];

  /** The address that has started the login. */
  @Column('text', { name: 'ip_address', nullable: true })
  ipAddress: string | null;

  /** The organization of the key; null until a person has approved. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** The key without a usable secret; null until a person has approved. */
  @Column('uuid', { name: 'api_key_id', nullable: true })
  apiKeyId: string | null;

  /** The shortest time between two polls. */
  @Column('smallint', { name: 'interval_seconds' })
  intervalSeconds: number;

  @Column('timestamptz', { name: 'polled_at', nullable: true })
  polledAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
