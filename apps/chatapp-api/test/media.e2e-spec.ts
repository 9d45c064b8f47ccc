import { createHash, randomBytes } from 'node:crypto';
import { OpenApiCheck, unique } from '@heliograph/testing';
import type { ChatappFixture, ChatappTenant } from './chatapp-fixture';
import { BUFFERED_BYTES, MAX_FILE_BYTES, MB, MediaFixture, MemoryUse, PNG } from './media-fixture';
import { FORM_TYPE, formOf, frameOf, postStream, rawAnswer } from './media-upload';

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

  describe('an upload', () => {
    it('sends the file to the provider with the type of its content, and returns exactly {id}', async () => {
      const answer = await media.upload({ bytes: PNG, name: 'C:\\pictures\\a.exe', type: 'application/x-msdownload' });
      expect([answer.status, answer.body]).toEqual([200, { id: expect.stringMatching(/^\d+$/) as string }]);
      expect(
        openapi.problems('POST', '/chatapp/media', 200, answer.headers.get('content-type'), answer.body),
      ).toBeNull();
      expect(media.arrived().at(-1)).toMatchObject({
        messaging_product: chatapp.provider.account.product,
        type: 'image/png',
        file: { name: 'a.exe', size: PNG.length, sha256: createHash('sha256').update(PNG).digest('hex') },
      });
      expect((await media.stored()).at(-1)).toMatchObject({
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
      expect(media.arrived().at(-1)).toMatchObject({ type: 'text/plain', file: { name: 'one.txt', size: 5 } });
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
      const before = (await media.stored()).length;
      const answer = await media.post(body(), headers);
      expect([answer.status, Object.keys(answer.body), answer.body['code']]).toEqual([400, ['code', 'message'], code]);
      expect(await media.stored()).toHaveLength(before);
    });

    it('rejects a truncated form at any position', async () => {
      const form = formOf(
        [{ bytes: 'x'.repeat(100), field: 'other' }, { bytes: PNG }, { bytes: 'y'.repeat(100), field: 'other' }],
        { type: 'text' },
      );
      const before = (await media.stored()).length;
      for (let at = 1; at < form.length - 4; at += 11) {
        const answer = await media.post(form.subarray(0, at));
        expect([at, answer.status, answer.body['code']]).toEqual([at, 400, 'INVALID_REQUEST']);
      }
      expect(await media.stored()).toHaveLength(before);
    });

    it('accepts up to 90 MiB without buffering the file in memory', async () => {
      const memory = await MemoryUse.start();
      const answer = await media.postBig(MAX_FILE_BYTES, {}, () => memory.measure());
      expect(answer.status).toBe(200);
      expect(media.arrived().at(-1)?.file).toMatchObject({ name: 'big.bin', size: MAX_FILE_BYTES });
      expect(memory.most).toBeLessThan(BUFFERED_BYTES);
    });

    it('rejects one byte more with 400 MEDIA_TOO_LARGE, and stores nothing', async () => {
      const before = (await media.stored()).length;
      const answer = await media.postBig(MAX_FILE_BYTES + 1);
      expect([answer.status, answer.body['code']]).toEqual([400, 'MEDIA_TOO_LARGE']);
      expect(await media.stored()).toHaveLength(before);
      // The provider is not the reason.
      const ready = (await (await fetch(`${chatapp.url}/health/ready`)).json()) as { checks: Record<string, string> };
      expect(ready.checks['chat-app upstream']).toBe('ok');
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
      const before = (await media.stored()).length;
      const answer = await media.upload({ bytes: randomBytes(300_000) });
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      expect(await media.stored()).toHaveLength(before);
    });

    it('fails when the provider closes the connection during the upload, and reports it to the caller', async () => {
      let sent = 0;
      const answer = await media.postBig(60 * MB, {}, () => {
        sent += 1;
        if (sent === 20) chatapp.provider.disconnect();
      });
      expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect((await media.upload({ bytes: 'x' })).status).toBe(200);
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
      expect((await media.post(formOf([{ bytes: 'x' }]), {}, null)).status).toBe(401);
      const { key } = await chatapp.tenant({ key: { scopes: ['chatapp:read'] } });
      const answer = await media.post(formOf([{ bytes: 'x' }]), {}, key);
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    });
  });

  describe('an upload with an Idempotency-Key', () => {
    it('is executed once, and the same file gets the first response for every boundary of the form', async () => {
      const headers = { 'Idempotency-Key': unique() };
      const first = await media.upload({ bytes: PNG, name: 'a.png' }, headers);
      const before = media.arrived().length;
      const other = Buffer.from(
        formOf([{ bytes: PNG, name: 'a.png' }])
          .toString('latin1')
          .replaceAll('a-boundary-of-the-tests', 'bbb'),
        'latin1',
      );
      const second = await media.post(other, { ...headers, 'Content-Type': 'multipart/form-data; boundary=bbb' });
      expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
        200,
        first.body,
        'true',
      ]);
      expect(media.arrived()).toHaveLength(before);
    });

    it('returns 409 IDEMPOTENCY_KEY_REUSED for another file or another name', async () => {
      const headers = { 'Idempotency-Key': unique() };
      await media.upload({ bytes: PNG, name: 'a.png' }, headers);
      for (const file of [
        { bytes: 'x', name: 'a.png' },
        { bytes: PNG, name: 'b.png' },
      ]) {
        const answer = await media.upload(file, headers);
        expect([answer.status, answer.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      }
      expect((await media.post(formOf([]), headers)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    });

    it('is executed again after a transient error, but not after a permanent error', async () => {
      const healing = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ error: { status: 500, code: 1 } });
      expect((await media.upload({ bytes: 'x' }, healing)).status).toBe(502);
      chatapp.provider.behaviours.reset();
      expect((await media.upload({ bytes: 'x' }, healing)).status).toBe(200);

      const refused = { 'Idempotency-Key': unique() };
      expect((await media.post(formOf([]), refused)).body['code']).toBe('MISSING_FILE');
      const again = await media.post(formOf([]), refused);
      expect([again.body['code'], again.headers.get('idempotent-replayed')]).toEqual(['MISSING_FILE', 'true']);
      expect((await media.upload({ bytes: 'x' }, refused)).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');

      const tooLarge = { 'Idempotency-Key': unique() };
      expect((await media.postBig(MAX_FILE_BYTES + 1, tooLarge)).body['code']).toBe('MEDIA_TOO_LARGE');
      const replayed = await media.postBig(MAX_FILE_BYTES + 1, tooLarge);
      expect([replayed.body['code'], replayed.headers.get('idempotent-replayed')]).toEqual(['MEDIA_TOO_LARGE', 'true']);
    });

    it('returns 409 IDEMPOTENCY_IN_PROGRESS while the first call is running', async () => {
      const headers = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ delayMs: 500 });
      const answers = await Promise.all([media.upload({ bytes: 'x' }, headers), media.upload({ bytes: 'x' }, headers)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });
});
