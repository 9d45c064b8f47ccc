import { parseRecipient } from '@heliograph/addresses';
import { codeOf, postJson, STYLES } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the recipient', () => {
  let sms: SmsFixture;
  let indian: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    indian = await sms.tenant({ credits: 100_000 });
  });

  const send = (tenant: SmsTenant, to: unknown) =>
    postJson(sms, tenant.key, { from: tenant.sender.header, to, message: 'x' });
  const foreign = (country: string) =>
    sms.tenant({ onboarding: { country, dltEntityId: null }, sender: { dltSenderId: null } });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['national', '09876543210'],
    ['a national number without its trunk prefix', '9876543210'],
    ['punctuated', '+91 98765 43210'],
    ['hyphenated', '+91-9876543210'],
    ['a number of another country', '+4915112345678'],
    ['too short', '+91987654321'],
    ['too long', '+9198765432100'],
    ['text without digits', 'somebody'],
    ['a number with 90,000 digits', '9'.repeat(90_000)],
    ['a number in Devanagari digits', '+९१९८७६५४३२१०'],
    ['a number with NUL', '+919876543210\u0000'],
    ['a number with a line break', '+919876543210\r\n'],
  ])('is rejected if it is %s: INVALID_RECIPIENT', async (_what, to) => {
    const answer = await send(indian, to);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_RECIPIENT']);
  });

  it.each(['+919876543210', '919876543210', ' 919876543210'])(
    'is returned in E.164 if it is sent as "%s"',
    async (to) => {
      expect((await send(indian, to)).body).toMatchObject({ ok: true, to: '+919876543210' });
    },
  );

  it.each(STYLES)('is required with $name', async (style) => {
    const answer = await style.send(sms, indian.key, { from: indian.sender.header, message: 'x' });
    expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'INVALID_RECIPIENT']);
  });

  it.each(['IN', 'GB', 'US'])('row 35: an error names an example number of the country %s', async (country) => {
    const { body } = await send(country === 'IN' ? indian : await foreign(country), '+4915112345678');
    const example = /such as (\+\d+)/.exec(String(body['message']))?.[1];
    expect(parseRecipient(example ?? '')?.country).toBe(country);
  });

  it.each([
    ['GB', '+447400123456', '+447781123456'],
    ['US', '+12025550123', '+14165550123'],
    ['CA', '+14165550123', '+12025550123'],
    ['RU', '+79123456789', '+77710009998'],
    ['GG', '+447781123456', '+447400123456'],
  ])('for the country %s can be %s, but not %s with the same calling code', async (country, own, other) => {
    const tenant = await foreign(country);
    expect((await send(tenant, own)).body).toMatchObject({ ok: true, to: own });
    const answer = await send(tenant, other);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_RECIPIENT']);
  });
});
