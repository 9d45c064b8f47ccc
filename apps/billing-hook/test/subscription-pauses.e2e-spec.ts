import { ChangeFeed } from '@heliograph/database';
import { Workspace, WorkspaceDirectory } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import { BillingFixture, nowSeconds, type BillingTenant } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

describe('an event about a subscription', () => {
  let billing: BillingFixture;
  let feed: ChangeFeed;
  let directory: WorkspaceDirectory;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    feed = new ChangeFeed({ connectionString: billing.database.url });
    directory = new WorkspaceDirectory(billing.tenants.dataSource.getRepository(Workspace), feed);
    await until('the feed is live', () => feed.live);
  });
  afterAll(() => feed.stop());

  const NOW = nowSeconds();

  describe('customer.subscription.paused', () => {
    const sending = ({ organizationId, workspaceId }: BillingTenant) =>
      directory.sending({ organizationId, workspaceId }).then(
        () => 'sends',
        (error: { code: string }) => error.code,
      );

    it('locks the workspace, so that sends are rejected within two seconds, while reads continue', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created'));
      await until('the workspace can send', async () => (await sending(tenant)) === 'sends');
      await billing.settle(subscriptionEvent(tenant, 'paused'));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'locked' });
      await until('sends are rejected', async () => (await sending(tenant)) === 'NO_WORKSPACE', { timeoutMs: 2_000 });
      const { organizationId, workspaceId } = tenant;
      expect(await directory.reading({ organizationId, workspaceId })).toMatchObject({ id: workspaceId });
    });

    it('is ended by a newer update to the status active', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'paused', {}, { created: NOW - 10 }));
      await billing.settle(subscriptionEvent(tenant, 'updated', {}, { created: NOW - 9 }));
      expect((await billing.workspace(tenant)).status).toBe('active');
      await until('the workspace can send', async () => (await sending(tenant)) === 'sends');
    });

    it('is ended when another subscription of the customer is active', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'paused', { id: 'sub_a' }));
      await billing.settle(subscriptionEvent(tenant, 'updated', { id: 'sub_b' }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'active' });
    });

    it('is not ended by an older update, by another status, or by a payment', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'paused', {}, { created: NOW - 10 }));
      await billing.settle(subscriptionEvent(tenant, 'updated', {}, { created: NOW - 11 }));
      await billing.settle(subscriptionEvent(tenant, 'updated', { status: 'past_due' }, { created: NOW - 9 }));
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded', {}, { created: NOW - 8 }));
      expect((await billing.workspace(tenant)).status).toBe('locked');
    });

    it('does not lock a workspace with another subscription that was active before', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_a' }, { created: NOW - 10 }));
      await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_b' }, { created: NOW - 9 }));
      await billing.settle(subscriptionEvent(tenant, 'paused', { id: 'sub_b' }, { created: NOW - 8 }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'active' });
      await billing.settle(subscriptionEvent(tenant, 'deleted', { id: 'sub_a' }, { created: NOW - 7 }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'locked' });
    });

    it('ends together with the subscription', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'paused'));
      await billing.settle(subscriptionEvent(tenant, 'deleted'));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'canceled' });
    });
  });
});
