import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { until } from '@heliograph/testing';
import { ProviderFixture, VERSION } from '../provider.fixture';

const MB = 1_024 * 1_024;

let now: Date;
let fixture: ProviderFixture;

beforeEach(async () => {
  now = new Date();
  fixture = await ProviderFixture.start({ now: () => now });
});

afterEach(() => fixture.stop());

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('heliograph-media-'));

async function uploaded(bytes: Buffer = Buffer.from('hello'), type = 'text/plain'): Promise<string> {
  const { body } = await fixture.upload(new Blob([new Uint8Array(bytes)], { type }), 'a.txt', { type });
  return String(body['id']);
}

async function linkOf(id: string): Promise<string> {
  return String((await fixture.call('GET', `/${id}`)).body['url']);
}

describe('media of the provider', () => {
  it('are stored unchanged, with their real size and hash', async () => {
    const bytes = randomBytes(3 * MB);
    const answer = await fixture.upload(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'füße.png', {
      type: 'image/png',
    });
    expect(answer).toEqual({ status: 200, body: { id: expect.stringMatching(/^\d+$/) } });
    const id = String(answer.body['id']);
    expect(await fixture.call('GET', `/${id}`)).toEqual({
      status: 200,
      body: {
        messaging_product: 'chatapp',
        url: expect.stringContaining(fixture.provider.url),
        mime_type: 'image/png',
        sha256: hashOf(bytes),
        file_size: String(bytes.length),
        id,
      },
    });
    const download = await fixture.request(await linkOf(id), {});
    expect(download.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    expect(fixture.provider.requests()[0]).toEqual({
      method: 'POST',
      path: `/${VERSION}/${fixture.provider.account.phoneNumberId}/media`,
      query: {},
      body: {
        messaging_product: 'chatapp',
        type: 'image/png',
        file: { name: 'füße.png', type: 'image/png', size: bytes.length, sha256: hashOf(bytes) },
      },
      at: now.toISOString(),
    });
  });

  it('can be sent until they are deleted or are thirty days old', async () => {
    const first = await uploaded();
    const second = await uploaded();
    const send = (id: string) => {
      fixture.provider.receive({ from: '491511234567', message: { type: 'text' } });
      return fixture.send({ type: 'document', document: { id, filename: 'a.txt' } });
    };
    expect(await send(first)).toMatchObject({ status: 200 });
    expect(await fixture.call('DELETE', `/${first}`)).toEqual({ status: 200, body: { success: true } });
    expect(await send(first)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(await fixture.call('DELETE', `/${first}`)).toMatchObject({
      body: { error: { code: 100, error_subcode: 33 } },
    });
    expect(await send(second)).toMatchObject({ status: 200 });
    now = new Date(now.getTime() + 30 * 24 * 3_600_000);
    expect(await send(second)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });

  it('can be downloaded with a token for five minutes', async () => {
    const link = await linkOf(await uploaded());
    expect((await fetch(link)).status).toBe(401);
    expect((await fixture.request(link, {})).status).toBe(200);
    const forged = link.replace(/hash=./, (start) => (start === 'hash=_' ? 'hash=-' : 'hash=_'));
    expect((await fixture.request(forged, {})).status).toBe(404);
    expect((await fixture.request(link.replace(/ext=\d/, 'ext=9'), {})).status).toBe(404);
    now = new Date(now.getTime() + 5 * 60_000 + 1);
    expect((await fixture.request(link, {})).status).toBe(410);
  });

  it('require a form with a file for this product', async () => {
    const url = `${fixture.provider.url}/${VERSION}/${fixture.provider.account.phoneNumberId}/media`;
    const post = async (body: FormData | string, contentType?: string) => {
      const headers: Record<string, string> = contentType === undefined ? {} : { 'Content-Type': contentType };
      const response = await fixture.request(url, { method: 'POST', body, headers });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const form = new FormData();
    form.set('messaging_product', 'chatapp');
    const refused = { status: 400, body: { error: { code: 100 } } };
    expect(await post(form)).toMatchObject(refused);
    expect(await post('{}', 'application/json')).toMatchObject(refused);
    expect(await post('x', 'multipart/form-data')).toMatchObject(refused);
    expect(await post('--b\r\nContent-Dis', 'multipart/form-data; boundary=b')).toMatchObject(refused);
    form.set('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt');
    form.set('messaging_product', 'other');
    expect(await post(form)).toMatchObject(refused);
    expect((await fixture.upload(new Blob(['x']), 'x', { type: 'nonsense' })).body.error).toMatchObject({ code: 100 });
  });

  it('can have any type and 100 MB, unless the rules of the vendor are enforced', async () => {
    const big = new Blob(
      Array.from({ length: 100 }, () => new Uint8Array(MB)),
      { type: 'application/octet-stream' },
    );
    expect(await fixture.upload(big, 'big.bin')).toMatchObject({ status: 200 });
    const tooBig = new Blob([big, 'x']);
    expect(await fixture.upload(tooBig, 'big.bin')).toMatchObject({ status: 400, body: { error: { code: 131053 } } });
    fixture.provider.behave({ strictMedia: true });
    expect((await fixture.upload(new Blob(['x'], { type: 'text/plain' }), 'x.txt')).status).toBe(200);
    expect(await fixture.upload(new Blob(['x'], { type: 'font/otf' }), 'x')).toMatchObject({
      body: { error: { code: 100 } },
    });
    const image = new Blob([new Uint8Array(5 * MB + 1)], { type: 'image/png' });
    expect(await fixture.upload(image, 'x.png')).toMatchObject({ body: { error: { code: 131053 } } });
  });

  it('leave no files after a truncated or rejected upload, or after a stop', async () => {
    const before = new Set(folders());
    await uploaded();
    const [folder] = folders().filter((name) => !before.has(name));
    const sizes = () =>
      readdirSync(`${tmpdir()}/${folder}`).map((name) => statSync(`${tmpdir()}/${folder}/${name}`).size);
    const files = () => sizes().length;
    const largest = () => Math.max(...sizes());
    expect(files()).toBe(1);
    fixture.provider.behave({ error: { status: 500, code: 2, message: 'away' } });
    expect(await fixture.upload(new Blob(['x']), 'x')).toMatchObject({ status: 500 });
    await until('the rejected file is deleted', () => files() === 1);

    const broken = httpRequest(`${fixture.provider.url}/${VERSION}/${fixture.provider.account.phoneNumberId}/media`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${fixture.provider.account.accessToken}`,
        'Content-Type': 'multipart/form-data; boundary=b',
      },
    });
    broken.on('error', () => undefined);
    broken.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n');
    broken.write(Buffer.alloc(MB));
    // The received part is written while the rest is missing, so it is not buffered in memory.
    await until('the file is being written', () => largest() > MB / 2);
    broken.destroy();
    await until('the truncated file is deleted', () => files() === 1);

    await fixture.provider.stop();
    expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
  });
});
