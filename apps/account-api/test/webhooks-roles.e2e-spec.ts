import { startTestService, until, type TestService } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import { WebhooksFixture } from './webhooks-fixture';

const METRIC = 'webhook_pending';

describe('the roles of account-api', () => {
  let fixture: WebhooksFixture;
  let worker: TestService;
  const others: TestService[] = [];
  const beside = async (ROLE: string): Promise<TestService> => {
    const service = await startTestService(accountApi, fixture.account.database.url, {
      ROLE,
      AMQP_PREFIX: fixture.account.service.amqpPrefix,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    others.push(service);
    return service;
  };
  beforeAll(async () => {
    fixture = await WebhooksFixture.start({ ROLE: 'api' });
    worker = await beside('worker');
  });
  afterAll(async () => {
    for (const service of others) await service.stop();
    await fixture.stop();
  });

  const metricsOf = async ({ url }: { url: string }) => (await fetch(`${url}/metrics`)).text();

  it('only `webhooks` delivers, what the others have stored and added', async () => {
    const webhook = await fixture.create('/roles', ['sms.*']);
    await fixture.publish();
    await until('the worker has stored the event', async () => (await fixture.logs(webhook.id)).length === 1);
    // Leasing is the first action of a process that delivers.
    expect(await fixture.account.database.query('SELECT leased_by FROM webhooks.subscriptions')).toEqual([
      { leased_by: null },
    ]);
    expect(fixture.receiver.at('/roles')).toEqual([]);
    expect(await metricsOf(worker)).not.toContain(METRIC);

    const webhooks = await beside('webhooks');
    await until('it is delivered', () => Promise.resolve(fixture.receiver.at('/roles').length === 1));
    expect(await metricsOf(webhooks)).toContain(METRIC);
    await fixture.publish();
    await until('the next one is delivered', () => Promise.resolve(fixture.receiver.at('/roles').length === 2));
    const [log] = await fixture.logs(webhook.id);
    await fixture.call('POST', `webhooks/${webhook.id}/logs/${log!.id}/retry`);
    await until('it is made again', () => Promise.resolve(fixture.receiver.at('/roles').length === 3));
    // Events of the bus are not the business of this role.
    await worker.stop();
    await fixture.publish();
    await until('the event is published', async () => {
      const [row] = await fixture.account.database.query<{ count: string }>('SELECT count(*) FROM messaging.outbox');
      return row!.count === '1';
    });
    expect(fixture.receiver.at('/roles')).toHaveLength(3);
  });
});
