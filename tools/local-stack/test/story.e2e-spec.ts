import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { StackProcess } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { Secret, TOTP } from 'otpauth';

const OPERATOR = 'the-only-credential-there-is-0123456789';
const PASSWORD = 'correct horse battery staple';

interface Named {
  id: string;
}

/**
 * The responses of the scenario (each has some of these fields): `data` of the account API, or a messaging response.
 */
interface Told {
  organization: Named;
  workspace: Named;
  onboarding: Named;
  apiKey: Named;
  key: string;
  secret: string;
  messageId: string;
  status: string;
  entries: { action?: string }[];
}

interface Answer {
  status: number;
  headers: Headers;
  body: Told;
}

describe('an empty database with one operator credential, used only over HTTP', () => {
  let stack: StackProcess;
  let gateway: string;
  beforeAll(async () => {
    stack = await StackProcess.prepare({ PLATFORM_OPERATOR_TOKEN: OPERATOR });
    const nothing = path.join(stack.dataDir, 'nothing.yaml');
    writeFileSync(nothing, 'organizations: []\n');
    stack.settings['PROVISION'] = nothing;
    await stack.start();
    gateway = `http://localhost:${stack.port}`;
  }, 90_000);
  afterAll(() => stack.remove());

  async function call(
    method: string,
    route: string,
    credential: { bearer?: string; cookie?: string },
    body?: object,
  ): Promise<Answer> {
    const { bearer, cookie } = credential;
    const response = await fetch(`${gateway}${route}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(cookie === undefined ? {} : { cookie, origin: gateway }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Told & { data?: Told };
    return { status: response.status, headers: response.headers, body: json.data ?? json };
  }

  async function expecting(status: number, ...args: Parameters<typeof call>): Promise<Answer['body']> {
    const answer = await call(...args);
    expect([args[0], args[1], answer.status, answer.status === status ? '' : JSON.stringify(answer.body)]).toEqual([
      args[0],
      args[1],
      status,
      '',
    ]);
    return answer.body;
  }

  const cookieOf = ({ headers }: Answer): string => headers.getSetCookie()[0]!.split(';')[0]!;
  const codeOf = (secret: string, timestamp = Date.now()): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

  it('is sufficient to set up an organization that sends messages, and to revoke its key', async () => {
    const operator = { bearer: OPERATOR };
    const email = 'owner@acme.example';

    // The operator creates the organization and its first user.
    const { organization } = await expecting(201, 'POST', '/api/platform/organizations', operator, {
      slug: 'acme',
      name: 'Acme',
    });
    const users = `/api/platform/organizations/${organization.id}/users`;
    await expecting(201, 'POST', users, operator, { email, name: 'Ann', password: PASSWORD, role: 'owner' });

    // The user logs in, enrolls a second factor, and logs in again with it.
    const first = await call('POST', '/api/auth/login', {}, { email, password: PASSWORD });
    expect(first.status).toBe(200);
    const once = { cookie: cookieOf(first) };
    const { secret } = await expecting(200, 'POST', '/api/auth/mfa', once, { password: PASSWORD });
    const confirmedAt = Date.now();
    await expecting(200, 'POST', '/api/auth/mfa/confirm', once, { code: codeOf(secret, confirmedAt) });
    await expecting(403, 'POST', '/api/auth/login', {}, { email, password: PASSWORD });
    // A code works once, so the code of the next step is used; the server allows one step of clock drift.
    const code = codeOf(secret, confirmedAt + 30_000);
    const second = await call('POST', '/api/auth/login', {}, { email, password: PASSWORD, code });
    expect(second.status).toBe(200);
    const owner = { cookie: cookieOf(second) };
    await expecting(401, 'GET', '/api/auth/session', { cookie: `${once.cookie}x` });

    // A workspace, a key, and the registrations that a send needs.
    const { workspace } = await expecting(201, 'POST', '/api/workspaces', owner, {
      slug: 'acme-main',
      displayName: 'Acme Main',
    });
    const { key, apiKey } = await expecting(201, 'POST', '/api/organization/api-keys', owner, { name: 'production' });
    const { onboarding } = await expecting(201, 'POST', '/api/organization/sms/onboardings', owner, {
      name: 'india',
      country: 'IN',
      dltEntityId: '1101000000000000001',
    });
    const onboardingId = onboarding.id;
    await expecting(201, 'POST', '/api/organization/sms/senders', owner, {
      header: 'ACMEIN',
      onboardingId,
      dltSenderId: '1105000000000000001',
    });
    await expecting(201, 'POST', '/api/organization/sms/templates', owner, {
      name: 'otp',
      onboardingId,
      body: 'Your code is {{code}}',
      dltTemplateId: '1107000000000000001',
    });

    // Nothing is sent before the operator has approved the onboarding and granted credits.
    const message = { from: 'ACMEIN', to: '+919812345678', template: 'otp', variables: { code: '4711' } };
    expect(await expecting(400, 'POST', '/sms/send', { bearer: key }, message)).toMatchObject({
      code: 'ONBOARDING_NOT_APPROVED',
    });
    await expecting(200, 'POST', `/api/platform/sms/onboardings/${onboardingId}/approve`, operator);
    expect(await expecting(402, 'POST', '/sms/send', { bearer: key }, message)).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    await expecting(201, 'POST', `/api/platform/workspaces/${workspace.id}/credits`, operator, {
      creditType: 'sms',
      amount: 10,
    });

    // An SMS, delivered through the carrier.
    const { messageId } = await expecting(200, 'POST', '/sms/send', { bearer: key }, message);
    await until('the message is delivered', async () => {
      const { body } = await call('GET', `/sms/status?id=${messageId}`, { bearer: key });
      return body.status === 'delivered';
    });
    const { messages } = await stack.control('GET', '/carrier/messages');
    expect(messages).toMatchObject([{ source: 'ACMEIN', destination: '919812345678', text: 'Your code is 4711' }]);

    // The ledger contains the grant and the charge, and the balances match.
    const { entries } = await expecting(200, 'GET', `/api/workspaces/${workspace.id}/credits/ledger`, owner);
    expect(entries).toMatchObject([
      { kind: 'charge', amount: -1, balanceAfter: 9, reference: `sms:${messageId}` },
      { kind: 'topup', amount: 10, balanceAfter: 10 },
    ]);

    // The message is sent again, once and for one credit, although the call is repeated.
    const resend = () =>
      fetch(`${gateway}/api/v1/messages/${messageId}/resend`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'resend-1' },
      });
    const resent = [await resend(), await resend()];
    expect(resent.map(({ status }) => status)).toEqual([202, 202]);
    const bodies = (await Promise.all(resent.map((one) => one.json()))) as { id: string }[];
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[0]).toMatchObject({ channel: 'sms', credits_cost: 1, credits_remaining: 8 });
    expect(bodies[0]?.id).not.toBe(messageId);
    await until('the second message arrives', async () => {
      const received = (await stack.control('GET', '/carrier/messages'))['messages'] as { text: string }[];
      return received.length === 2 && received.every(({ text }) => text === 'Your code is 4711');
    });
    const after = await expecting(200, 'GET', `/api/workspaces/${workspace.id}/credits/ledger`, owner);
    expect(after.entries).toMatchObject([
      { kind: 'charge', amount: -1, balanceAfter: 8 },
      { amount: -1 },
      { amount: 10 },
    ]);

    // A revoked key is rejected within two seconds.
    await expecting(200, 'DELETE', `/api/organization/api-keys/${apiKey.id}`, owner);
    await until(
      'the key is rejected',
      async () => (await call('GET', '/sms/balance', { bearer: key })).status === 401,
      {
        timeoutMs: 2_000,
      },
    );
    expect(await expecting(401, 'POST', '/sms/send', { bearer: key }, message)).toMatchObject({
      code: 'UNAUTHENTICATED',
    });

    // The audit log contains all steps, oldest first.
    const { entries: log } = await expecting(200, 'GET', '/api/organization/audit-log?limit=100', owner);
    const actions = log.map(({ action }) => action).reverse();
    expect(actions).toEqual([
      'organization.created',
      'member.added',
      'user.mfa_enabled',
      'workspace.created',
      'apikey.created',
      'sms.onboarding.submitted',
      'sms.sender.created',
      'sms.template.created',
      'sms.onboarding.approved',
      'credits.granted',
      'apikey.revoked',
    ]);
  }, 60_000);
});
