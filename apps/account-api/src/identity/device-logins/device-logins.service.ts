import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DeviceLogin, newUserCode, readUserCode, type Mode } from '@heliograph/auth';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { hashToken, newToken } from '@heliograph/secrets';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { UnitOfWork, type Actor, type Write } from '@heliograph/tenancy';
import { DataSource, In, LessThan, MoreThan, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import type { Caller } from '../../access/caller';
import type { AccountApiConfig } from '../../account-api.config';
import { CONSOLE_PATHS } from '../../console/paths';
import type { NewKey, OneKey } from '../../developer/api-keys/api-keys.dto';
import { KeyManagementService } from '../../developer/api-keys/key-management.service';
import { publicBaseUrl } from '../mails/links';
import { DeviceLoginRecord, OneDeviceLogin, type ApproveDeviceRequest } from './device-logins.dto';

const LIFETIME_MS = 10 * 60_000;
const INTERVAL_SECONDS = 5;
/** RFC 8628, section 3.5. */
const SLOWER_BY_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;
/** A poll may arrive a little early, because networks delay requests differently. */
const TOLERANCE_MS = 500;
const CLEAN_UP_EVERY_MS = 10 * 60_000;
const MAX_CLEANED_UP = 10_000;

const LOCKED = { lock: { mode: 'pessimistic_write' } } as const;

interface DeviceLoginDetails {
  name: string;
  mode: Mode;
  scopes: string[];
}

export interface StartedDeviceLogin {
  login: DeviceLogin;
  deviceCode: string;
  /** The page of the console. */
  page: string;
}

type Origin = Omit<Actor, 'kind' | 'id' | 'name'>;

/** Logins of programs without a browser: RFC 8628, with an API key instead of an access token. */
@Injectable()
export class DeviceLoginsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(DeviceLogin) private readonly logins: Repository<DeviceLogin>,
    private readonly keys: KeyManagementService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /** Starts a login. The device code cannot be retrieved later. */
  async start({ name, mode, scopes }: DeviceLoginDetails, ipAddress: string | null): Promise<StartedDeviceLogin> {
    const deviceCode = newToken();
    const now = Date.now();
    const login = this.logins.create({
      id: newId(),
      deviceCodeHash: hashToken(deviceCode),
      userCode: newUserCode(),
      state: 'pending',
      name,
      mode,
      scopes: [...new Set(scopes)],
      ipAddress,
      organizationId: null,
      apiKeyId: null,
      intervalSeconds: INTERVAL_SECONDS,
      polledAt: null,
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFETIME_MS),
    });
    await this.logins.insert(login);
    return { login, deviceCode, page: publicBaseUrl(this.config) + CONSOLE_PATHS.approveDevice };
  }

  /** A login that waits for its approval. Throws NOT_FOUND. */
  async find(userCode: string): Promise<OneDeviceLogin> {
    return OneDeviceLogin.of(await this.pending(this.dataSource.manager, userCode));
  }

  /** Creates the key, whose secret the device gets with its next poll. Throws NOT_FOUND, FORBIDDEN, NAME_TAKEN, LIMIT_REACHED. */
  approve(write: Write, caller: Caller, { userCode, ...settings }: ApproveDeviceRequest): Promise<OneKey> {
    return this.unitOfWork.once(write, async () => {
      const { mode } = await this.pending(this.dataSource.manager, userCode);
      return this.keys.createUnissued(write, caller, { ...settings, mode }, async (transaction, key) => {
        const { id } = await this.pending(transaction, userCode, LOCKED);
        const { organizationId } = key;
        await transaction
          .getRepository(DeviceLogin)
          .update(id, { state: 'approved', organizationId, apiKeyId: key.id });
      });
    });
  }

  /** Ends a login without a key. Throws NOT_FOUND. */
  async deny(write: Write, { organizationId }: Caller, userCode: string): Promise<void> {
    await this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const login = await this.pending(transaction, userCode, LOCKED);
      await transaction.getRepository(DeviceLogin).update(login.id, { state: 'denied' });
      await audit({
        organizationId,
        action: 'devicelogin.denied',
        target: { type: 'devicelogin', id: login.id },
        before: null,
        after: DeviceLoginRecord.of(login),
      });
      return {};
    });
  }

  /**
   * The key of an approved login, once. Throws AUTH_DEVICE_PENDING, AUTH_DEVICE_SLOW_DOWN, AUTH_DEVICE_DENIED, AUTH_DEVICE_EXPIRED,
   * and STATE_CONFLICT if the key was revoked meanwhile.
   */
  async exchange(deviceCode: string, from: Origin): Promise<NewKey> {
    const outcome = await this.dataSource.transaction(async (transaction): Promise<NewKey | AppError> => {
      const logins = transaction.getRepository(DeviceLogin);
      const login = await logins.findOne({
        where: { deviceCodeHash: hashToken(deviceCode), expiresAt: MoreThan(new Date()) },
        ...LOCKED,
      });
      if (!login) return expired();
      if (login.state === 'denied') return denied();
      const { organizationId, apiKeyId } = login;
      if (organizationId !== null && apiKeyId !== null) {
        await logins.delete(login.id);
        return this.keys.issue(transaction, organizationId, apiKeyId, from);
      }
      // Committed in spite of the error, because the next poll depends on it.
      return this.notePoll(logins, login);
    });
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  /** Deletes expired logins, and revokes the keys that were approved and never fetched. */
  @Periodic({ everyMs: CLEAN_UP_EVERY_MS })
  async cleanUp(): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const logins = transaction.getRepository(DeviceLogin);
      const expired = await logins.find({
        where: { expiresAt: LessThan(new Date()) },
        order: { id: 'ASC' },
        take: MAX_CLEANED_UP,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      for (const { organizationId, apiKeyId } of expired) {
        if (organizationId === null || apiKeyId === null) continue;
        await this.keys.revokeUnissued(transaction, organizationId, apiKeyId);
      }
      await logins.delete({ id: In(expired.map(({ id }) => id)) });
    });
  }

  private async notePoll(logins: Repository<DeviceLogin>, login: DeviceLogin): Promise<AppError> {
    const { id, polledAt, intervalSeconds } = login;
    const now = new Date();
    const isEarly = polledAt !== null && now.getTime() - polledAt.getTime() < intervalSeconds * 1_000 - TOLERANCE_MS;
    const interval = isEarly ? Math.min(intervalSeconds + SLOWER_BY_SECONDS, MAX_INTERVAL_SECONDS) : intervalSeconds;
    await logins.update(id, { polledAt: now, intervalSeconds: interval });
    return isEarly ? slowDown(interval) : stillPending();
  }

  private async pending(
    manager: EntityManager,
    userCode: string,
    options: FindOneOptions<DeviceLogin> = {},
  ): Promise<DeviceLogin> {
    const code = readUserCode(userCode);
    const where = { userCode: code ?? '', state: 'pending' as const, expiresAt: MoreThan(new Date()) };
    const login = await manager.getRepository(DeviceLogin).findOne({ ...options, where });
    if (login) return login;
    throw new AppError(
      'NOT_FOUND',
      'No device waits with this code. It may have expired or been used. Check the code, or start the login of the device again.',
    );
  }
}

function stillPending(): AppError {
  return new AppError(
    'AUTH_DEVICE_PENDING',
    'Nobody has approved or denied the login yet. Poll again after the interval.',
  );
}

function slowDown(intervalSeconds: number): AppError {
  return new AppError('AUTH_DEVICE_SLOW_DOWN', `Polled too early. The interval is now ${intervalSeconds} seconds.`);
}

function denied(): AppError {
  return new AppError('AUTH_DEVICE_DENIED', 'The login was denied. Start a new one to try again.');
}

function expired(): AppError {
  return new AppError('AUTH_DEVICE_EXPIRED', 'The device code is unknown, expired or already used. Start a new login.');
}
