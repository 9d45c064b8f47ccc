import { gzipSync } from 'node:zlib';
import { call, codeOf, postForm, postJson, postXml, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the body size limit', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 10_000 });
  });

  const padded = (start: string, end: string, bytes: number, filler = 'x') =>
    `${start}${filler.repeat(bytes - start.length - end.length)}${end}`;
  const json = (bytes: number) =>
    padded(`{"from":"${tenant.sender.header}","to":"${sms.recipient()}","message":"x"`, '}', bytes, ' ');
  const form = (bytes: number) =>
    padded(`from=${tenant.sender.header}&to=${encodeURIComponent(sms.recipient())}&message=x&unknown=`, '', bytes);
  const xml = (bytes: number) =>
    padded(
      `<SmsRequest><from>${tenant.sender.header}</from><to>${sms.recipient()}</to><message>x</message><unknown>`,
      '</unknown></SmsRequest>',
      bytes,
    );
  const expectTooLarge = (answer: Answer) =>
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);

  it('is 1 MB for JSON', async () => {
    expect((await postJson(sms, tenant.key, json(1_000_000))).status).toBe(200);
    const answer = await postJson(sms, tenant.key, json(1_100_000));
    expectTooLarge(answer);
    expect(answer.body).toEqual({ code: 'PAYLOAD_TOO_LARGE', message: expect.any(String) as string });
  });

  it('is 1 MB for forms', async () => {
    expect((await postForm(sms, tenant.key, form(1_000_000))).status).toBe(200);
    expectTooLarge(await postForm(sms, tenant.key, form(1_100_000)));
  });

  it('is 256 kB for XML', async () => {
    expect((await postXml(sms, tenant.key, xml(256_000))).status).toBe(200);
    const answer = await postXml(sms, tenant.key, xml(270_000));
    expectTooLarge(answer);
    expect(answer.body).toMatchObject({ ok: 'false', error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('applies without Content-Length', async () => {
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(100_000).fill(0x20));
        controller.close();
      },
    });
    const response = await fetch(`${sms.url}/sms/send`, {
      method: 'POST',
      headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json' },
      body: chunks,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    await response.body?.cancel();
  });

  it('applies after decompression, so that a gzip bomb is rejected and a gzip request is accepted', async () => {
    const zipped = (text: string) =>
      call(sms, '/sms/send', {
        method: 'POST',
        key: tenant.key,
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: gzipSync(text),
      });
    expect((await zipped(json(500))).status).toBe(200);
    expectTooLarge(await zipped(' '.repeat(200_000_000)));
  });

  it.each(['gzip', 'br', 'deflate', 'compress', 'nonsense'])(
    'does not apply to a body that is not %s as declared, which gets INVALID_REQUEST',
    async (encoding) => {
      const answer = await postJson(sms, tenant.key, json(500), { headers: { 'Content-Encoding': encoding } });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it('is checked after authentication', async () => {
    expect((await postJson(sms, null, json(1_100_000))).status).toBe(401);
    expect((await postXml(sms, null, xml(300_000))).status).toBe(401);
  });
});
