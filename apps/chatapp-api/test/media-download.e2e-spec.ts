import { createHash } from 'node:crypto';
import { OpenApiCheck } from '@heliograph/testing';
import { newNumber, type ChatappFixture, type ChatappTenant } from './chatapp-fixture';
import { BUFFERED_BYTES, MAX_FILE_BYTES, MB, MediaFixture, MemoryUse, PNG } from './media-fixture';

describe('media', () => {
  let media: MediaFixture;
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let openapi: OpenApiCheck;
  beforeAll(async () => {
    media = await MediaFixture.start();
    ({ chatapp, tenant } = media);
    openapi = await OpenApiCheck.read(chatapp.url);
  });
  afterEach(() => chatapp.provider.behaviours.reset());

  describe('a lookup', () => {
    it('returns exactly the record, with a link to the service', async () => {
      const id = await media.uploaded({ bytes: PNG, name: 'a.png' });
      const answer = await media.lookUp(id);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          url: expect.stringMatching(
            `^https://api\\.heliograph\\.example/chatapp/media/${id}/content\\?expires=\\d+&signature=[0-9a-f]{64}$`,
          ) as string,
          mime_type: 'image/png',
          sha256: createHash('sha256').update(PNG).digest('hex'),
          file_size: PNG.length,
          id,
          messaging_product: 'chatapp',
        },
      ]);
      expect(
        openapi.problems('GET', `/chatapp/media/${id}`, 200, answer.headers.get('content-type'), answer.body),
      ).toBeNull();
    });

    it('returns the same 404 for an id of another organization, an unknown id and an invalid id', async () => {
      const id = await media.uploaded({ bytes: 'x' });
      const other = await chatapp.tenant();
      const answers = [
        await media.lookUp(id, other.key),
        await media.lookUp('123456'),
        await media.lookUp('..%2Fme'),
        await media.lookUp('%00'),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    });

    it('finds the media of an inbound message, but only for its organization', async () => {
      const id = await media.uploaded({ bytes: 'x' });
      const owner = await chatapp.tenant();
      const to = await chatapp.openNumber();
      await chatapp.send(owner, { to, text: 'Hi' });
      expect((await media.lookUp(id, owner.key)).status).toBe(404);
      await chatapp.inbound(to, { type: 'document', media_id: id });
      expect((await media.lookUp(id, owner.key)).status).toBe(200);
      expect((await media.lookUp(id, (await chatapp.tenant()).key)).status).toBe(404);
    });

    it('returns 404 when the provider has deleted the file', async () => {
      const id = await media.uploaded({ bytes: 'x' });
      const { url, account } = chatapp.provider;
      await fetch(`${url}/v21.0/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${account.accessToken}` },
      });
      expect((await media.lookUp(id)).body['code']).toBe('NOT_FOUND');
    });
  });

  describe('a download', () => {
    it('works without a key, with the file name, as an attachment', async () => {
      const id = await media.uploaded({ bytes: PNG, name: 'Übersicht (1).png' });
      const response = await fetch(await media.linkTo(id));
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(PNG.length),
        'content-disposition': `attachment; filename="_bersicht (1).png"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.png`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private',
      });
      const head = await fetch(await media.linkTo(id), { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
        200,
        String(PNG.length),
        '',
      ]);
    });

    it('returns 403 FORBIDDEN for a link that is modified, expired, or of another file or organization', async () => {
      const id = await media.uploaded({ bytes: 'x' });
      const otherId = await media.uploaded({ bytes: 'y' });
      const link = await media.linkTo(id);
      const expires = Number(new URL(link).searchParams.get('expires'));
      expect(Math.abs(expires - Date.now() / 1_000 - 300)).toBeLessThan(30);
      const bad = [
        link.replace(id, otherId),
        link.replace(String(expires), String(expires + 60)),
        link.replace(/signature=.*/, ''),
        link.replace(/signature=.*/, 'signature=zz'),
        link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        `${link}&expires=${expires}`,
        link.replace(id, '999999'),
      ];
      for (const url of bad) {
        const response = await fetch(url);
        const body = (await response.json()) as Record<string, unknown>;
        expect([response.status, Object.keys(body), body['code']]).toEqual([403, ['code', 'message'], 'FORBIDDEN']);
      }
    });

    it('streams up to 90 MiB with back-pressure, without buffering in memory', async () => {
      const id = String((await media.postBig(MAX_FILE_BYTES)).body['id']);
      const response = await fetch(await media.linkTo(id));
      const memory = await MemoryUse.start();
      let size = 0;
      const hash = createHash('sha256');
      for await (const chunk of response.body ?? []) {
        hash.update(chunk as Uint8Array);
        size += (chunk as Uint8Array).length;
        if (size % (4 * MB) < 100_000) await new Promise((resolve) => setImmediate(resolve));
        await memory.measure();
      }
      expect(size).toBe(MAX_FILE_BYTES);
      const [row] = await chatapp.rows<{ sha256: string }>('SELECT sha256 FROM chatapp.media WHERE id = $1', [id]);
      expect(hash.digest('hex')).toBe(row?.sha256);
      expect(memory.most).toBeLessThan(BUFFERED_BYTES);
    });

    it('is aborted instead of ending regularly when the provider fails during the transfer', async () => {
      const id = String((await media.postBig(30 * MB)).body['id']);
      const response = await fetch(await media.linkTo(id));
      let size = 0;
      const read = async () => {
        for await (const chunk of response.body ?? []) {
          if (size === 0) chatapp.provider.disconnect();
          size += (chunk as Uint8Array).length;
        }
      };
      await expect(read()).rejects.toThrow();
      expect(size).toBeLessThan(30 * MB);
    });

    it('returns 502 while the provider fails', async () => {
      const id = await media.uploaded({ bytes: 'x' });
      const link = await media.linkTo(id);
      chatapp.provider.behave({ error: { status: 500, code: 1 } });
      const response = await fetch(link);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([502, 'CHATAPP_UPSTREAM']);
    });
  });

  it('can be sent only by the organization that owns the media', async () => {
    const id = await media.uploaded({ bytes: PNG, name: 'a.png' });
    const to = await chatapp.openNumber();
    const own = await chatapp.send(tenant, { to, type: 'image', media: { id } });
    expect(own.status).toBe(200);
    const foreign = await chatapp.send(await chatapp.tenant(), { to, type: 'image', media: { id } });
    expect([foreign.status, foreign.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
    expect((await chatapp.send(tenant, { to: newNumber(), type: 'image', media: { id: 'nope' } })).status).toBe(400);
  });
});
