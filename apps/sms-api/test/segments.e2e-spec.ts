import { until } from '@heliograph/testing';
import { codeOf, postJson } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('segments', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 1_000_000, template: { body: '{{text}}' } });
  });

  const send = (text: string, to = sms.recipient()) =>
    postJson(sms, tenant.key, { from: tenant.sender.header, to, variables: { text } });

  it.each([
    ['160 GSM characters', 'a'.repeat(160), 'gsm-7', 1],
    ['161 GSM characters', 'a'.repeat(161), 'gsm-7', 2],
    ['306 GSM characters', 'a'.repeat(306), 'gsm-7', 2],
    ['307 GSM characters', 'a'.repeat(307), 'gsm-7', 3],
    ['80 extension characters', '€'.repeat(80), 'gsm-7', 1],
    ['81 extension characters', '€'.repeat(81), 'gsm-7', 2],
    ['159 GSM characters and an extension character', `${'a'.repeat(159)}€`, 'gsm-7', 2],
    ['an escape sequence at the boundary of 153', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm-7', 3],
    ['70 UCS-2 characters', 'я'.repeat(70), 'ucs-2', 1],
    ['71 UCS-2 characters', 'я'.repeat(71), 'ucs-2', 2],
    ['134 UCS-2 characters', 'я'.repeat(134), 'ucs-2', 2],
    ['135 UCS-2 characters', 'я'.repeat(135), 'ucs-2', 3],
    ['69 GSM characters and one outside', `${'a'.repeat(69)}ç`, 'ucs-2', 1],
    ['70 GSM characters and one outside', `${'a'.repeat(70)}ç`, 'ucs-2', 2],
    ['35 emoji', '😀'.repeat(35), 'ucs-2', 1],
    ['36 emoji', '😀'.repeat(36), 'ucs-2', 2],
    ['an emoji at the boundary of 67', `${'a'.repeat(66)}😀${'a'.repeat(66)}`, 'ucs-2', 3],
    ['the basic alphabet', '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\n\r', 'gsm-7', 1],
    ['the backtick', '`', 'ucs-2', 1],
  ])('are counted for %s', async (_what, text, encoding, segments) => {
    expect((await send(text)).body).toMatchObject({
      renderedBody: text,
      encoding,
      segments,
      creditsCost: segments,
    });
  });

  it('are limited to 255', async () => {
    expect((await send('a'.repeat(255 * 153))).body).toMatchObject({ segments: 255, creditsCost: 255 });
    expect((await send('я'.repeat(255 * 67))).body).toMatchObject({ segments: 255 });
  });

  it.each([
    ['GSM', 'a'.repeat(255 * 153 + 1)],
    ['UCS-2', 'я'.repeat(255 * 67 + 1)],
    ['GSM because of one escape sequence', `${'€'.repeat(255 * 76 + 1)}`],
  ])('are rejected above 255 in %s with INVALID_VARIABLES', async (_what, text) => {
    const answer = await send(text);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
  });

  it.each([
    ['an emoji across two parts', `${'я'.repeat(66)}😀${'я'.repeat(60)}`, 2],
    ['an escape sequence across two parts', `${'a'.repeat(152)}€${'b'.repeat(140)}`, 2],
  ])('are reassembled with %s', async (_what, text, parts) => {
    const to = sms.recipient();
    expect((await send(text, to)).body).toMatchObject({ segments: parts });
    const message = await until('all parts have arrived', () =>
      sms.carrier.messages(to).find((one) => one.parts === parts),
    );
    expect(message.text).toBe(text);
  });
});
