import { randomUUID } from 'node:crypto';
import { until } from '@heliograph/testing';
import { call, postJson } from './calls';
import { carrierAccount, SmsFixture } from './sms-fixture';

interface Line {
  msg: string;
  [field: string]: unknown;
}

describe('the log of the SMS service', () => {
  /** Serves no call and consumes nothing, so that the service beside it does. */
  let first: SmsFixture;
  let sms: SmsFixture;
  const lines: string[] = [];
  beforeAll(async () => {
    first = await SmsFixture.start({
      environment: { ROLE: 'api' },
      carriers: (port) => [carrierAccount(port, { responseTimeoutMs: 500 })],
    });
    sms = await first.beside({ ROLE: 'all', LOG_LEVEL: 'info' }, lines);
  });
  afterAll(async () => {
    await sms?.service.stop();
    await first?.stop();
  });
  afterEach(() => sms.carrier.behaviours.reset());

  const linesOf = (requestId: string): Line[] =>
    lines.map((line) => JSON.parse(line) as Line).filter((line) => line['requestId'] === requestId);

  it('contains one line of the request and one of the worker, with the id that the caller got', async () => {
    const tenant = await sms.tenant();
    const to = sms.recipient();
    const requestId = `order-${randomUUID()}`;
    const request = { from: tenant.sender.header, to, variables: { code: '482913' } };
    const { headers, body } = await postJson(sms, tenant.key, request, { headers: { 'X-Request-Id': requestId } });
    expect(headers.get('x-request-id')).toBe(requestId);
    const { messageId } = body as { messageId: string };
    const { organizationId, workspaceId } = tenant;
    const found = await until('the request and the job are logged', () => {
      const own = linesOf(requestId);
      return own.length >= 2 && own;
    });
    const id = expect.any(String) as string;
    const ofRequest = { msg: 'request', method: 'POST', path: '/sms/send', status: 200, organizationId, keyId: id };
    const ofJob = { msg: 'consumed an event', type: 'sms.queued', organizationId, workspaceId, messageId, eventId: id };
    expect(found.sort((a, b) => b.msg.localeCompare(a.msg))).toMatchObject([ofRequest, ofJob]);
    const text = lines.join('');
    expect(text).not.toContain('482913');
    expect(text).not.toContain(to.slice(1));
    expect(text).not.toContain(tenant.key);
  });

  it('stores the calls of keys in the request log, with masked bodies only of refused ones', async () => {
    const tenant = await sms.tenant();
    const { keyId } = await sms.database
      .query<{ keyId: string }>('SELECT id AS "keyId" FROM auth.api_keys WHERE organization_id = $1', [
        tenant.organizationId,
      ])
      .then(([key]) => key!);
    const to = sms.recipient();
    const accepted = { from: tenant.sender.header, to, variables: { code: '482913' } };
    await postJson(sms, tenant.key, accepted);
    const { headers } = await postJson(sms, tenant.key, { ...accepted, from: 'XXNONE' });
    const requestId = headers.get('x-request-id');
    const stored = await until('both calls are stored', async () => {
      const rows = await sms.database.query('SELECT * FROM auth.requests WHERE organization_id = $1 ORDER BY id', [
        tenant.organizationId,
      ]);
      return rows.length >= 2 && rows;
    });
    const common = { key_id: keyId, service: 'sms-api', method: 'POST', path: '/sms/send', address: '127.0.0.1' };
    expect(stored).toMatchObject([
      { ...common, status: 200, error: null, request_body: null, response_body: null },
      { ...common, status: 400, error: 'INVALID_SENDER', request_id: requestId },
    ]);
    const { request_body: body } = stored[1] as { request_body: string };
    expect(JSON.parse(body)).toEqual({ from: 'XXNONE', to: `…${to.slice(-4)}`, variables: { code: '…' } });
  });

  it('contains the ids of a message whose submit received no response', async () => {
    const tenant = await sms.tenant();
    const requestId = `order-${randomUUID()}`;
    sms.carrier.behaviours.set({ submit: 'silent' });
    const request = { from: tenant.sender.header, to: sms.recipient(), variables: { code: '1' } };
    const { body } = await postJson(sms, tenant.key, request, { headers: { 'X-Request-Id': requestId } });
    const warning = await until('the missing response is logged', () =>
      linesOf(requestId).find(({ msg }) => msg === 'a submit received no response'),
    );
    const { organizationId, workspaceId } = tenant;
    const { messageId } = body as { messageId: string };
    expect(warning).toMatchObject({ organizationId, workspaceId, messageId });
  });

  it('contains no line of health checks and metrics', async () => {
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId };
    for (const path of ['/health/live', '/health/ready', '/metrics', '/metrics?x=1'])
      await call(sms, path, { headers });
    await call(sms, '/health', { headers });
    const own = await until('the last request is logged', () => {
      const found = linesOf(requestId);
      return found.length > 0 && found;
    });
    expect(own).toMatchObject([{ path: '/health', status: 404 }]);
  });
});
