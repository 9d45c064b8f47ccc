import { unique, until } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';
import { TemplateCalls } from './template-calls';

describe('templates', () => {
  let templates: TemplateCalls;
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    templates = await TemplateCalls.start();
    ({ chatapp, tenant } = templates);
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(() => chatapp.stop());

  describe('the list of templates', () => {
    it('contains own and shared templates, can be filtered by status, and contains no template of another organization', async () => {
      const own = templates.newName();
      const sharedName = templates.newName();
      await templates.create(templates.valid(own));
      chatapp.provider.reviewTemplate(sharedName, { status: 'APPROVED', language: 'en_US' });
      await templates.sync();
      const other = await chatapp.tenant();
      const names = async (query: string, key = tenant.key) =>
        (await templates.list(key, query))
          .map((one) => one['name'])
          .filter((name) => name === own || name === sharedName);
      expect((await names('')).sort()).toEqual([own, sharedName].sort());
      expect(await names('?approved=true')).toEqual([sharedName]);
      expect(await names('?status=pending')).toEqual([own]);
      expect(await names('?status=REJECTED')).toEqual([]);
      expect(await names('', other.key)).toEqual([sharedName]);
    });

    it.each([
      '?approved=maybe',
      '?status=A&status=B',
      '?approved=true&approved=true',
      '?approved=true&status=PENDING',
      '?status=%00',
    ])('returns 400 INVALID_REQUEST for %s', async (query) => {
      const { status, body } = await chatapp.call(`/chatapp/templates${query}`, { key: tenant.key });
      expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
    });
  });

  describe('the sync of templates', () => {
    it('returns consistent counts: inserted, then unchanged, then updated, then deleted', async () => {
      await templates.sync();
      const names = [templates.newName(), templates.newName(), templates.newName()];
      for (const name of names) chatapp.provider.reviewTemplate(name, { status: 'PENDING', language: 'en_US' });
      const first = await templates.sync();
      expect(first.body).toMatchObject({ ok: true, inserted: 3, updated: 0 });
      expect(Object.keys(first.body).sort()).toEqual(['fetched', 'inserted', 'ok', 'skipped', 'updated']);
      const total = Number(first.body['fetched']);
      expect(total).toBe(3 + Number(first.body['skipped']));
      chatapp.provider.reviewTemplate(names[0]!, { status: 'APPROVED' });
      expect((await templates.sync()).body).toEqual({
        ok: true,
        fetched: total,
        inserted: 0,
        updated: 1,
        skipped: total - 1,
      });
      expect(await templates.listed(names[0]!)).toMatchObject([{ status: 'APPROVED' }]);
      await fetch(
        `${chatapp.provider.url}/v21.0/${chatapp.provider.account.businessAccountId}/message_templates?name=${names[1]}`,
        {
          method: 'DELETE',
          headers: { authorization: `Bearer ${chatapp.provider.account.accessToken}` },
        },
      );
      expect((await templates.sync()).body).toEqual({
        ok: true,
        fetched: total - 1,
        inserted: 0,
        updated: 0,
        skipped: total - 1,
      });
      expect(await templates.listed(names[1]!)).toEqual([]);
    });

    it('reads many pages', async () => {
      const before = Number((await templates.sync()).body['fetched']);
      for (let n = 0; n < 230; n++)
        chatapp.provider.reviewTemplate(`bulk_${n}`, { status: 'APPROVED', language: 'en' });
      expect((await templates.sync()).body).toMatchObject({ fetched: before + 230, inserted: 230 });
    });

    it('stores message_send_ttl_seconds unchanged from the provider', async () => {
      const name = templates.newName();
      const ttl = async () => (await templates.listed(name)).map((one) => one['message_send_ttl_seconds']);
      await templates.create(templates.valid(name, { message_send_ttl_seconds: 600 }));
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED' });
      await templates.sync();
      expect(await ttl()).toEqual([600]);
      await chatapp.rows(
        'UPDATE chatapp.templates SET message_send_ttl_seconds = 30, seen_at = now() WHERE name = $1',
        [name],
      );
      await templates.sync();
      expect(await ttl()).toEqual([600]);
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', category: 'MARKETING' });
      await templates.sync();
      expect(await ttl()).toEqual([undefined]);
    });

    it('does not change the owner of a template with a new status or a new language', async () => {
      const name = templates.newName();
      const { body } = await templates.create(templates.valid(name));
      chatapp.provider.reviewTemplate(name, { status: 'REJECTED' });
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', language: 'pt_BR', category: 'MARKETING' });
      await templates.sync();
      expect(await templates.listed(name)).toMatchObject([
        { id: body['id'], language: 'en_US', status: 'REJECTED' },
        { language: 'pt_BR', status: 'APPROVED', category: 'marketing' },
      ]);
      const other = await chatapp.tenant();
      expect(await templates.listed(name, other.key)).toEqual([]);
    });

    it('has no effect on existing templates when many run concurrently in two processes', async () => {
      const beside = await chatapp.beside();
      try {
        const name = templates.newName();
        await templates.create(templates.valid(name));
        const answers = await Promise.all([
          templates.sync(),
          templates.sync(),
          templates.sync(),
          beside.call('/chatapp/templates/sync', { method: 'POST', key: tenant.key }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        for (const { body } of answers) {
          expect(body['fetched']).toBe(Number(body['inserted']) + Number(body['updated']) + Number(body['skipped']));
        }
        expect(await templates.listed(name)).toHaveLength(1);
        const other = await chatapp.tenant();
        expect(await templates.listed(name, other.key)).toEqual([]);
      } finally {
        await beside.service.stop();
      }
    });

    it('is executed once per Idempotency-Key', async () => {
      const options = { method: 'POST', key: tenant.key, headers: { 'Idempotency-Key': unique() } };
      const first = await chatapp.call('/chatapp/templates/sync', options);
      chatapp.provider.reviewTemplate(templates.newName(), { status: 'APPROVED', language: 'en' });
      const second = await chatapp.call('/api/chatapp/templates/sync', options);
      expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    });

    it('changes nothing when the provider fails during the sync', async () => {
      const name = templates.newName();
      await templates.create(templates.valid(name));
      chatapp.provider.behave({ error: { status: 503, code: 2 } });
      const answer = await templates.sync();
      expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect(await templates.listed(name)).toHaveLength(1);
    });
  });

  describe('the deletion of a template', () => {
    it('deletes all languages in the catalog and at the provider', async () => {
      const name = templates.newName();
      await templates.create(templates.valid(name));
      await templates.create(templates.valid(name, { language: 'de' }));
      const answer = await templates.remove(name);
      expect([answer.status, answer.body]).toEqual([200, { ok: true, name }]);
      expect([await templates.listed(name), templates.upstream(name)]).toEqual([[], []]);
      const again = await templates.remove(name);
      expect([again.status, again.body['code']]).toEqual([404, 'NOT_FOUND']);
    });

    it('succeeds when the provider has already deleted the template', async () => {
      const name = templates.newName();
      await templates.create(templates.valid(name));
      chatapp.provider.behave({ answerLost: true });
      expect((await templates.remove(name)).status).toBe(502);
      chatapp.provider.behaviours.reset();
      expect(templates.upstream(name)).toEqual([]);
      expect((await templates.remove(name)).body).toEqual({ ok: true, name });
    });

    it('returns 403 for a shared template, and 404 for an unknown template and for a template of another organization', async () => {
      const sharedName = templates.newName();
      const foreign = templates.newName();
      chatapp.provider.reviewTemplate(sharedName, { status: 'APPROVED', language: 'en' });
      await templates.sync();
      const other = await chatapp.tenant();
      await templates.create(templates.valid(foreign), { key: other.key });
      const before = templates.calls('DELETE').length;
      const refused = await templates.remove(sharedName);
      expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
      const theirs = await templates.remove(foreign);
      const unknown = await templates.remove(templates.newName());
      const odd = await templates.remove('Odd%20Name');
      expect([theirs.status, unknown.status, odd.status]).toEqual([404, 404, 404]);
      expect(theirs.body).toEqual(unknown.body);
      expect(templates.calls('DELETE')).toHaveLength(before);
    });
  });
});

describe('a template that is deleted while a sync reads the catalog', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start();
  });
  afterAll(() => chatapp.stop());

  it('has no owner afterwards, although the sync has read it', async () => {
    const { key } = await chatapp.tenant();
    const components = [{ type: 'BODY', text: 'Hello there' }];
    await chatapp.post(key, '/chatapp/templates', { name: 'early', language: 'en', category: 'utility', components });
    for (let n = 0; n < 250; n++) chatapp.provider.reviewTemplate(`b_${n}`, { status: 'APPROVED', language: 'en' });
    chatapp.provider.behave({ delayMs: 250 });
    const pages = () => chatapp.provider.requests().filter(({ method }) => method === 'GET').length;
    const sync = chatapp.call('/chatapp/templates/sync', { method: 'POST', key });
    // The first page, which contains the template, has been read.
    await until('the sync requests the second page', () => pages() === 2);
    const removed = await chatapp.call('/chatapp/templates/early', { method: 'DELETE', key });
    expect([removed.status, pages() <= 3]).toEqual([200, true]);
    expect((await sync).body).toMatchObject({ fetched: 251, inserted: 250, updated: 0 });
    expect(await chatapp.rows(`SELECT id FROM chatapp.templates WHERE name = 'early'`)).toEqual([]);
  });
});
