import { until } from '@heliograph/testing';
import { call, codeOf, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

describe('the sending workspace', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  /** Creates an organization that can send but has no workspace. */
  const organization = async () => {
    const { id } = await sms.tenants.organization();
    const onboarding = await sms.onboarding(id);
    const sender = await sms.sender(id, onboarding.id);
    await sms.template(id, onboarding.id);
    const send = (key: string) => postJson(sms, key, { from: sender.header, to: sms.recipient(), message: 'x' });
    return { id, send, key: await sms.tenants.key(id) };
  };
  const balance = async (key: string) => (await call(sms, '/sms/balance', { key })).body;

  it('is the oldest active workspace for a key without a workspace', async () => {
    const { id, key, send } = await organization();
    await sms.tenants.workspace(id, { status: 'locked', credits: { sms: 10 } });
    const second = await sms.tenants.workspace(id, { credits: { sms: 10 } });
    await sms.tenants.workspace(id, { credits: { sms: 10 } });
    expect((await send(key)).body['creditsRemaining']).toBe(9);
    expect(await balance(key)).toEqual({ workspaceId: second.id, creditType: 'sms', balance: 9 });
  });

  it('is the workspace of a workspace-bound key', async () => {
    const { id, send } = await organization();
    await sms.tenants.workspace(id, { credits: { sms: 10 } });
    const second = await sms.tenants.workspace(id, { credits: { sms: 20 } });
    const key = await sms.tenants.key(id, { workspaceId: second.id });
    expect((await send(key)).body['creditsRemaining']).toBe(19);
    expect(await balance(key)).toMatchObject({ workspaceId: second.id, balance: 19 });
  });

  it('is not replaced if the workspace of the key is locked: 409 NO_WORKSPACE', async () => {
    const { id, send } = await organization();
    await sms.tenants.workspace(id, { credits: { sms: 10 } });
    const locked = await sms.tenants.workspace(id, { status: 'locked', credits: { sms: 10 } });
    const answer = await send(await sms.tenants.key(id, { workspaceId: locked.id }));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'NO_WORKSPACE']);
    expect(answer.body).toEqual({ code: 'NO_WORKSPACE', message: expect.any(String) as string });
  });

  it('is missing in an organization without workspaces: 409 NO_WORKSPACE', async () => {
    const { key, send } = await organization();
    const answer = await send(key);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'NO_WORKSPACE']);
  });

  it.each(['active', 'past_due', 'canceled'] as const)('can have the status %s', async (status) => {
    const { id, key, send } = await organization();
    await sms.tenants.workspace(id, { status, credits: { sms: 1 } });
    expect((await send(key)).status).toBe(200);
  });

  it('stops within two seconds after it is locked, remains readable and continues after it is unlocked', async () => {
    const { id, key, send } = await organization();
    const { slug } = await sms.tenants.workspace(id, { credits: { sms: 1_000 } });
    expect((await send(key)).status).toBe(200);
    await sms.tenants.workspace(id, { slug, status: 'locked' });
    await until('sends are rejected', async () => codeOf(await send(key)) === 'NO_WORKSPACE', { timeoutMs: 2_000 });
    expect((await call(sms, '/sms/balance', { key })).status).toBe(200);
    expect((await call(sms, '/sms/senders', { key })).status).toBe(200);
    await sms.tenants.workspace(id, { slug, status: 'active' });
    await until('sends are accepted again', async () => (await send(key)).status === 200, { timeoutMs: 2_000 });
  });

  it('limits the messages that are visible to a workspace-bound key', async () => {
    const { id, key, send } = await organization();
    const first = await sms.tenants.workspace(id, { credits: { sms: 10 } });
    const second = await sms.tenants.workspace(id, { credits: { sms: 10 } });
    const { messageId } = (await send(key)).body as { messageId: string };
    const statusWith = async (bound: string) =>
      (await call(sms, `/sms/status?id=${messageId}`, { key: await sms.tenants.key(id, { workspaceId: bound }) }))
        .status;
    expect(await statusWith(first.id)).toBe(200);
    expect(await statusWith(second.id)).toBe(404);
  });

  it('treats ids of another organization as unknown', async () => {
    const mine = await sms.tenant();
    const theirs = await sms.tenant();
    const { body } = await postJson(sms, theirs.key, {
      from: theirs.sender.header,
      to: sms.recipient(),
      message: 'secret',
    });
    const unknown = '01890000-0000-7000-8000-000000000000';
    const status = (id: unknown) => call(sms, `/sms/status?id=${String(id)}`, { key: mine.key });
    expect(await status(body['messageId'])).toMatchObject({ status: 404, body: (await status(unknown)).body });
    const from = (sender: string, template?: string) =>
      postJson(sms, mine.key, { from: sender, template, to: sms.recipient(), message: 'x' });
    for (const [foreign, code] of [
      [await from(theirs.sender.id), 'INVALID_SENDER'],
      [await from(theirs.sender.header), 'INVALID_SENDER'],
      [await from(mine.sender.id, theirs.template.id), 'INVALID_TEMPLATE'],
      [await from(mine.sender.id, theirs.template.name), 'INVALID_TEMPLATE'],
    ] as const) {
      expect([foreign.status, codeOf(foreign)]).toEqual([400, code]);
    }
    expect((await from(theirs.sender.id)).body).toEqual((await from(unknown)).body);
    expect((await from(mine.sender.id, theirs.template.id)).body).toEqual((await from(mine.sender.id, unknown)).body);
    expect(JSON.stringify((await call(sms, '/sms/senders', { key: mine.key })).body)).not.toContain(theirs.sender.id);
    expect(JSON.stringify((await call(sms, '/sms/templates', { key: mine.key })).body)).not.toContain(
      theirs.template.id,
    );
  });
});
