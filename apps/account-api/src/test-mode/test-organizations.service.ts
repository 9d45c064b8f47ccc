import { Injectable } from '@nestjs/common';
import { testIdOf } from '@heliograph/database';
import { EmailCatalogService, generateDkimKey, type DkimKey } from '@heliograph/email-catalog';
import { Relay } from '@heliograph/messaging';
import { CatalogService } from '@heliograph/sms-catalog';
import { Organization, recordWrite, TenancyService, type Actor } from '@heliograph/tenancy';
import { createTestOrganization, TEST_CREDITS } from '@heliograph/test-organizations';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';

const MAX_KNOWN = 10_000;

/** The test twins of organizations, which are created when an organization uses its test mode for the first time. */
@Injectable()
export class TestOrganizations {
  /** The live organizations whose twin exists. A twin is never removed. */
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly sms: CatalogService,
    private readonly email: EmailCatalogService,
    private readonly relay: Relay,
  ) {}

  /** Returns the id of the twin, which is created if it is missing. Throws NOT_FOUND. */
  async idOf(liveId: string, actor: Actor): Promise<string> {
    if (!this.known.has(liveId)) {
      const key = await this.prepare(liveId);
      await this.dataSource.transaction((transaction) => this.create(transaction, liveId, actor, key));
      this.known.set(liveId, true);
      this.relay.wake();
    }
    return testIdOf(liveId);
  }

  /** Generates the DKIM key of a twin that is missing, before the transaction that creates it. Null if the twin exists. */
  async prepare(liveId: string): Promise<DkimKey | null> {
    return (await this.isInUse(this.dataSource.manager, liveId)) ? null : generateDkimKey();
  }

  /** Creates the twins of new workspaces, if the organization uses its test mode. */
  async extend(transaction: EntityManager, liveId: string, actor: Actor): Promise<void> {
    if (await this.isInUse(transaction, liveId)) await this.create(transaction, liveId, actor, null);
  }

  /** Creates what is missing of the twin, and returns its id. `key`: the result of `prepare`. */
  async create(transaction: EntityManager, liveId: string, actor: Actor, key: DkimKey | null): Promise<string> {
    const { tenancy, sms, email } = this;
    const newKey = async (): Promise<DkimKey> => key ?? generateDkimKey();
    const writers = { newKey, tenancy, sms, email };
    const { id, isNew } = await createTestOrganization(writers, transaction, liveId, actor.requestId);
    if (!isNew) return id;
    await recordWrite(transaction, actor, {
      organizationId: liveId,
      action: 'organization.test_mode_started',
      target: { type: 'organization', id },
      before: null,
      after: { credits: TEST_CREDITS },
    });
    return id;
  }

  private isInUse(manager: EntityManager, liveId: string): Promise<boolean> {
    return manager.getRepository(Organization).existsBy({ testOf: liveId });
  }
}
