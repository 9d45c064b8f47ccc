import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { memoryInUse, OpenApiCheck, unique } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';
import { FORM_TYPE, formOf, frameOf, postStream, type FormFile } from './media-upload';

const MB = 1_024 * 1_024;
const MAX_FILE_BYTES = 90 * MB;
/** If the memory grows by more, the file is buffered. */
const BUFFERED_BYTES = 60 * MB;
/** A PNG with one pixel, followed by bytes that make the file unique. */
const PNG = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  randomBytes(200),
]);

describe('media', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let openapi: OpenApiCheck;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant();
    openapi = await OpenApiCheck.read(chatapp.url);
  });
  afterEach(() => chatapp.provider.behaviours.reset());

  const post = (body: Buffer | string, headers: Record<string, string> = {}, key: string | null = tenant.key) =>
    chatapp.call('/chatapp/media', { method: 'POST', key, headers: { 'Content-Type': FORM_TYPE, ...headers }, body });
  const upload = (file: FormFile, headers: Record<string, string> = {}) => post(formOf([file]), headers);
  const uploaded = async (file: FormFile): Promise<string> => String((await upload(file)).body['id']);
  const lookUp = (id: string, key = tenant.key) => chatapp.call(`/chatapp/media/${id}`, { key });
  /** Returns the URL of the link on the tested service. */
  const linkTo = async (id: string, key = tenant.key): Promise<string> => {
    const { pathname, search } = new URL(String((await lookUp(id, key)).body['url']));
    return chatapp.url + pathname + search;
  };
  /** Returns the uploads that the provider received, newest last. */
  const arrived = () =>
    chatapp.provider
      .requests()
      .filter(({ path }) => path.endsWith('/media'))
      .map(({ body }) => body as { type: string; messaging_product: string; file?: { name: string; size: number } });
  const stored = () => chatapp.rows<{ id: string }>('SELECT * FROM chatapp.media ORDER BY created_at');
  async function* bytesOf(total: number, onMegabyte: () => Promise<void> | void = () => undefined) {
    const chunk = randomBytes(MB);
    for (let sent = 0; sent < total; sent += MB) {
      await onMegabyte();
      yield chunk.subarray(0, Math.min(MB, total - sent));
    }
  }
  async function* bigForm(total: number, onMegabyte?: () => Promise<void> | void) {
    const { before, after } = frameOf('big.bin');
    yield before;
    yield* bytesOf(total, onMegabyte);
    yield after;
  }
  const postBig = (total: number, headers: Record<string, string> = {}, onMegabyte?: () => Promise<void> | void) =>
    postStream(
      `${chatapp.url}/chatapp/media`,
      { 'X-API-Key': tenant.key, 'Content-Type': FORM_TYPE, ...headers },
      bigForm(total, onMegabyte),
    );

  describe('an upload', () => {
    it('sends the file to the provider with the type of its content, and returns exactly {id}', async () => {
      const answer = await upload({ bytes: PNG, name: 'C:\\pictures\\a.exe', type: 'application/x-msdownload' });
      expect([answer.status, answer.body]).toEqual([200, { id: expect.stringMatching(/^\d+$/) as string }]);
      expect(
        openapi.problems('POST', '/chatapp/media', 200, answer.headers.get('content-type'), answer.body),
      ).toBeNull();
      expect(arrived().at(-1)).toMatchObject({
        messaging_product: chatapp.provider.account.product,
        type: 'image/png',
        file: { name: 'a.exe', size: PNG.length, sha256: createHash('sha256').update(PNG).digest('hex') },
      });
      expect((await stored()).at(-1)).toMatchObject({
        id: answer.body['id'],
        organization_id: tenant.organizationId,
        size: PNG.length,
        mime_type: 'image/png',
        file_name: 'a.exe',
        sha256: createHash('sha256').update(PNG).digest('hex'),
      });
    });

    it('uses the first part named file and ignores the remaining form, also under /api', async () => {
      const form = formOf(
        [
          { bytes: 'other', field: 'attachment' },
          { bytes: 'first', name: 'one.txt' },
          { bytes: 'second', name: 'two.txt' },
        ],
        { __proto__: 'x', type: 'video/mp4', messaging_product: 'other' },
      );
      const answer = await chatapp.call('/api/chatapp/media', {
        method: 'POST',
        key: tenant.key,
        headers: { 'Content-Type': FORM_TYPE },
        body: form,
      });
      expect(answer.status).toBe(200);
      expect(arrived().at(-1)).toMatchObject({ type: 'text/plain', file: { name: 'one.txt', size: 5 } });
    });

    it.each<[string, () => Buffer | string, Record<string, string>, string]>([
      ['an empty body', () => '', {}, 'INVALID_REQUEST'],
      ['JSON', () => '{"file": "x"}', { 'Content-Type': 'application/json' }, 'MISSING_FILE'],
      ['a form without a file', () => formOf([], { file: 'text' }), {}, 'MISSING_FILE'],
      ['a part with another name', () => formOf([{ bytes: 'x', field: 'upload' }]), {}, 'MISSING_FILE'],
      ['a part named file without a file name', () => formOf([{ bytes: 'x', name: null }]), {}, 'MISSING_FILE'],
      ['an empty file', () => formOf([{ bytes: '' }]), {}, 'MISSING_FILE'],
      [
        'a missing boundary',
        () => formOf([{ bytes: 'x' }]),
        { 'Content-Type': 'multipart/form-data' },
        'INVALID_REQUEST',
      ],
      [
        'a wrong boundary',
        () => formOf([{ bytes: 'x' }]),
        { 'Content-Type': 'multipart/form-data; boundary=b' },
        'INVALID_REQUEST',
      ],
      ['a form without its end', () => formOf([{ bytes: 'x'.repeat(9_000) }]).subarray(0, -8), {}, 'INVALID_REQUEST'],
      [
        'a form that ends in another part',
        () => formOf([{ bytes: 'x' }, { bytes: 'y'.repeat(9_000), field: 'other' }]).subarray(0, -100),
        {},
        'INVALID_REQUEST',
      ],
      [
        'a form that ends before the file',
        () => formOf([{ bytes: 'y'.repeat(9_000), field: 'other' }]).subarray(0, -100),
        {},
        'INVALID_REQUEST',
      ],
      [
        'a form that ends in the file',
        () => formOf([{ bytes: 'x'.repeat(99_000) }]).subarray(0, 50_000),
        {},
        'INVALID_REQUEST',
      ],
      ['a compressed form', () => formOf([{ bytes: 'x' }]), { 'Content-Encoding': 'gzip' }, 'INVALID_REQUEST'],
    ])('rejects %s', async (_, body, headers, code) => {
      const before = (await stored()).length;
      const answer = await post(body(), headers);
      expect([answer.status, Object.keys(answer.body), answer.body['code']]).toEqual([400, ['code', 'message'], code]);
      expect(await stored()).toHaveLength(before);
    });

    it('rejects a truncated form at any position', async () => {
      const form = formOf(
        [{ bytes: 'x'.repeat(100), field: 'other' }, { bytes: PNG }, { bytes: 'y'.repeat(100), field: 'other' }],
        { type: 'text' },
      );
      const before = (await stored()).length;
      for (let at = 1; at < form.length - 4; at += 11) {
        const answer = await post(form.subarray(0, at));
        expect([at, answer.status, answer.body['code']]).toEqual([at, 400, 'INVALID_REQUEST']);
      }
      expect(await stored()).toHaveLength(before);
    });

    it('accepts up to 90 MiB without buffering the file in memory', async () => {
      const memory = await MemoryUse.start();
      const answer = await postBig(MAX_FILE_BYTES, {}, () => memory.measure());
      expect(answer.status).toBe(200);
      expect(arrived().at(-1)?.file).toMatchObject({ name: 'big.bin', size: MAX_FILE_BYTES });
      expect(memory.most).toBeLessThan(BUFFERED_BYTES);
    });

    it('rejects one byte more with 400 MEDIA_TOO_LARGE, and stores nothing', async () => {
      const before = (await stored()).length;
      const answer = await postBig(MAX_FILE_BYTES + 1);
      expect([answer.status, answer.body['code']]).toEqual([400, 'MEDIA_TOO_LARGE']);
      expect(await stored()).toHaveLength(before);
    });

    it('rejects a Content-Length that is too large before the body arrives', async () => {
      const { before } = frameOf('big.bin');
      let sent = 0;
      async function* slowly() {
        yield before;
        // This is much less than the declared length: only the response ends the call.
        for (; sent < 5 * MB; sent += 1_024) yield await Promise.resolve(Buffer.alloc(1_024));
      }
      const answer = await postStream(
        `${chatapp.url}/chatapp/media`,
        { 'X-API-Key': tenant.key, 'Content-Type': FORM_TYPE, 'Content-Length': String(200 * MB) },
        slowly(),
      );
      expect([answer.status, answer.body['code']]).toEqual([400, 'MEDIA_TOO_LARGE']);
    });

    it.each([
      ['rejects the file', { error: { status: 400, code: 131053 } }, 400, 'CHATAPP_REQUEST_INVALID'],
      ['has reached its rate limit', { error: { status: 429, code: 80007 } }, 429, 'CHATAPP_RATE_LIMITED'],
      ['does not accept the token', { error: { status: 401, code: 190 } }, 502, 'CHATAPP_UPSTREAM'],
      ['fails', { error: { status: 500, code: 1 } }, 502, 'CHATAPP_UPSTREAM'],
      ['closes the connection immediately', { unreachable: true }, 502, 'CHATAPP_UPSTREAM'],
      ['closes the connection at the end', { answerLost: true }, 502, 'CHATAPP_UPSTREAM'],
    ])('fails when the provider %s', async (_, behaviour, status, code) => {
      chatapp.provider.behave(behaviour);
      const before = (await stored()).length;
      const answer = await upload({ bytes: randomBytes(300_000) });
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      expect(await stored()).toHaveLength(before);
    });

    it('fails when the provider closes the connection during the upload, and reports it to the caller', async () => {
      let sent = 0;
      const answer = await postBig(60 * MB, {}, () => {
        sent += 1;
        if (sent === 20) chatapp.provider.disconnect();
      });
      expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect((await upload({ bytes: 'x' })).status).toBe(200);
    });

    it('returns 400 when the caller stops sending', async () => {
      const quick = await chatapp.beside({ CHATAPP_TIMEOUT_MS: '400' });
      try {
        const { before } = frameOf('stalled.bin');
        const answer = await rawAnswer(quick.url, tenant.key, Buffer.concat([before, randomBytes(10_000)]), MB);
        expect(answer).toMatch(/^HTTP\/1\.1 400 .*INVALID_REQUEST/s);
      } finally {
        await quick.service.stop();
      }
    });

    it('requires a key with the send scope', async () => {
      expect((await post(formOf([{ bytes: 'x' }]), {}, null)).status).toBe(401);
      const { key } = await chatapp.tenant({ key: { scopes: ['chatapp:read'] } });
      const answer = await post(formOf([{ bytes: 'x' }]), {}, key);
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    });
  });

  describe('an upload with an Idempotency-Key', () => {
    it('is executed once, and the same file gets the first response for every boundary of the form', async () => {
      const headers = { 'Idempotency-Key': unique() };
      const first = await upload({ bytes: PNG, name: 'a.png' }, headers);
      const before = arrived().length;
      const other = Buffer.from(
        formOf([{ bytes: PNG, name: 'a.png' }])
          .toString('latin1')
          .replaceAll('a-boundary-of-the-tests', 'bbb'),
        'latin1',
      );
      const second = await post(other, { ...headers, 'Content-Type': 'multipart/form-data; boundary=bbb' });
      expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
        200,
        first.body,
        'true',
      ]);
      expect(arrived()).toHaveLength(before);
    });

    it('returns 409 IDEMPOTENCY_KEY_REUSED for another file or another name', async () => {
      const headers = { 'Idempotency-Key': unique() };
      await upload({ bytes: PNG, name: 'a.png' }, headers);
      for (const file of [
        { bytes: 'x', name: 'a.png' },
        { bytes: PNG, name: 'b.png' },
      ]) {
        const answer = await upload(file, headers);
        expect([answer.status, answer.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      }
      expect((await post(formOf([]), headers)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    });

    it('is executed again after a transient error, but not after a permanent error', async () => {
      const healing = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ error: { status: 500, code: 1 } });
      expect((await upload({ bytes: 'x' }, healing)).status).toBe(502);
      chatapp.provider.behaviours.reset();
      expect((await upload({ bytes: 'x' }, healing)).status).toBe(200);

      const refused = { 'Idempotency-Key': unique() };
      expect((await post(formOf([]), refused)).body['code']).toBe('MISSING_FILE');
      const again = await post(formOf([]), refused);
      expect([again.body['code'], again.headers.get('idempotent-replayed')]).toEqual(['MISSING_FILE', 'true']);
      expect((await upload({ bytes: 'x' }, refused)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');

      const tooLarge = { 'Idempotency-Key': unique() };
      expect((await postBig(MAX_FILE_BYTES + 1, tooLarge)).body['code']).toBe('MEDIA_TOO_LARGE');
      const replayed = await postBig(MAX_FILE_BYTES + 1, tooLarge);
      expect([replayed.body['code'], replayed.headers.get('idempotent-replayed')]).toEqual(['MEDIA_TOO_LARGE', 'true']);
    });

    it('returns 409 IDEMPOTENCY_IN_PROGRESS while the first call is running', async () => {
      const headers = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ delayMs: 500 });
      const answers = await Promise.all([upload({ bytes: 'x' }, headers), upload({ bytes: 'x' }, headers)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  describe('a lookup', () => {
    it('returns exactly the record, with a link to the service', async () => {
      const id = await uploaded({ bytes: PNG, name: 'a.png' });
      const answer = await lookUp(id);
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
      const id = await uploaded({ bytes: 'x' });
      const other = await chatapp.tenant();
      const answers = [
        await lookUp(id, other.key),
        await lookUp('123456'),
        await lookUp('..%2Fme'),
        await lookUp('%00'),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    });

    it('finds the media of an inbound message, but only for its organization', async () => {
      const id = await uploaded({ bytes: 'x' });
      const owner = await chatapp.tenant();
      const to = await chatapp.openNumber();
      await chatapp.send(owner, { to, text: 'Hi' });
      expect((await lookUp(id, owner.key)).status).toBe(404);
      await chatapp.inbound(to, { type: 'document', media_id: id });
      expect((await lookUp(id, owner.key)).status).toBe(200);
      expect((await lookUp(id, (await chatapp.tenant()).key)).status).toBe(404);
    });

    it('returns 404 when the provider has deleted the file', async () => {
      const id = await uploaded({ bytes: 'x' });
      const { url, account } = chatapp.provider;
      await fetch(`${url}/v21.0/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${account.accessToken}` },
      });
      expect((await lookUp(id)).body['code']).toBe('NOT_FOUND');
    });
  });

  describe('a download', () => {
    it('works without a key, with the file name, as an attachment', async () => {
      const id = await uploaded({ bytes: PNG, name: 'Übersicht (1).png' });
      const response = await fetch(await linkTo(id));
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(PNG.length),
        'content-disposition': `attachment; filename="_bersicht (1).png"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.png`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private',
      });
      const head = await fetch(await linkTo(id), { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
        200,
        String(PNG.length),
        '',
      ]);
    });

    it('returns 403 FORBIDDEN for a link that is modified, expired, or of another file or organization', async () => {
      const [id, otherId] = [await uploaded({ bytes: 'x' }), await uploaded({ bytes: 'y' })];
      const link = await linkTo(id);
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
      const id = String((await postBig(MAX_FILE_BYTES)).body['id']);
      const response = await fetch(await linkTo(id));
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
      const id = String((await postBig(30 * MB)).body['id']);
      const response = await fetch(await linkTo(id));
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
      const id = await uploaded({ bytes: 'x' });
      const link = await linkTo(id);
      chatapp.provider.behave({ error: { status: 500, code: 1 } });
      const response = await fetch(link);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([502, 'CHATAPP_UPSTREAM']);
    });
  });

  it('can be sent only by the organization that owns the media', async () => {
    const id = await uploaded({ bytes: PNG, name: 'a.png' });
    const to = await chatapp.openNumber();
    const own = await chatapp.send(tenant, { to, type: 'image', media: { id } });
    expect(own.status).toBe(200);
    const foreign = await chatapp.send(await chatapp.tenant(), { to, type: 'image', media: { id } });
    expect([foreign.status, foreign.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
    expect((await chatapp.send(tenant, { to: newNumber(), type: 'image', media: { id: 'nope' } })).status).toBe(400);
  });
});

/** The growth of the memory of this process, which includes the service and the simulated provider. */
class MemoryUse {
  /** The largest measured growth in bytes. */
  most = 0;

  private constructor(private readonly before: number) {}

  static async start(): Promise<MemoryUse> {
    return new MemoryUse(await memoryInUse());
  }

  /** Garbage collection is slow, so it runs only if the growth with garbage exceeds the limit. */
  async measure(): Promise<void> {
    const { heapUsed, external } = process.memoryUsage();
    const growth = heapUsed + external - this.before;
    const limit = this.before + BUFFERED_BYTES;
    this.most = Math.max(this.most, growth < BUFFERED_BYTES ? growth : (await memoryInUse(limit)) - this.before);
  }
}

/** Returns the response to a request that sends less than its Content-Length. */
function rawAnswer(url: string, key: string, body: Buffer, promised: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (!text.includes('"message"')) return;
      socket.destroy();
      resolve(text);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
    socket.write(
      `POST /chatapp/media HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${FORM_TYPE}\r\n` +
        `Content-Length: ${promised}\r\n\r\n`,
    );
    socket.write(body);
  });
}
