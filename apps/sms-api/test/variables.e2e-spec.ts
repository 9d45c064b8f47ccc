import { codeOf, postJson, postXml, STYLES } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('templates and variables', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const tenantOf = (body: string) => sms.tenant({ credits: 100_000, template: { body } });
  const send = (tenant: SmsTenant, fields: Record<string, unknown>) =>
    postJson(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient(), ...fields });

  it.each([
    ['{{a}}-{{b}}', { variables: { a: '1', b: '2' } }, '1-2'],
    ['{{ a }}{{\ta}}', { variables: { a: 'x' } }, 'xx'],
    ['{#var#}', { variables: { var: 'x' } }, 'x'],
    ['{#var#}', { variables: { var1: 'x' } }, 'x'],
    ['{#var#}', { message: 'x' }, 'x'],
    ['{#var#} {#var#} {#var#}', { variables: { var1: '1', var2: '2', var3: '3' } }, '1 2 3'],
    ['{{code}} {#var#}', { variables: { code: 'c', var: 'v' } }, 'c v'],
    ['{{code}}', { message: 'from message' }, 'from message'],
    ['{{code}}', { message: 'ignored', variables: { code: 'wins' } }, 'wins'],
    ['{{code}}', { message: 'used', variables: { other: 'x' } }, 'used'],
    ['{{a}} {{a}}', { message: 'one token' }, 'one token one token'],
    ['{{code}}!', { variables: { code: '' } }, '!'],
    ['{{code}}', { variables: { code: '{{code}} {#var#} $& \\1' } }, '{{code}} {#var#} $& \\1'],
    ['no placeholder', { message: 'ignored', variables: { x: 'ignored' } }, 'no placeholder'],
    [
      '{{constructor}} {{__proto__}}',
      { variables: JSON.parse('{"constructor":"c","__proto__":"p"}') as object },
      'c p',
    ],
    ['{{a}} {{b}} {{c}}', { variables: { a: 1, b: 2.5, c: true } }, '1 2.5 true'],
    ['{{a}}', { variables: { a: 0 } }, '0'],
    ['{{a}}', { variables: { a: false } }, 'false'],
  ])('render %j with %j', async (body, fields, renderedBody) => {
    const answer = await send(await tenantOf(body), fields);
    expect(answer.body).toMatchObject({ ok: true, renderedBody });
  });

  it.each([
    ['{{code}}', {}],
    ['{{code}}', { variables: {} }],
    ['{{code}}', { message: null }],
    ['{{a}} {{b}}', { variables: { a: '1' } }],
    ['{{a}} {{b}}', { message: 'fills none of several' }],
    ['{#var#} {#var#}', { variables: { var: 'x' } }],
    ['{{__proto__}}', {}],
    ['{{toString}}', { variables: {} }],
  ])('reject %j with %j: MISSING_VARIABLES', async (body, fields) => {
    const answer = await send(await tenantOf(body), fields);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'MISSING_VARIABLES']);
  });

  it('report the tokens without a value', async () => {
    const answer = await send(await tenantOf('{{first}} {{second}} {{third}}'), { variables: { second: 'x' } });
    expect(answer.body['message']).toMatch(/first.*third/);
    expect(answer.body['message']).not.toContain('second');
  });

  it.each([
    ['text as variables', 'x'],
    ['a number as variables', 7],
    ['a boolean as variables', true],
    ['an array as variables', ['x']],
    ['a JSON object as text', '{"code":"x"}'],
    ['an object as a value', { code: { a: 'x' } }],
    ['an array as a value', { code: ['x'] }],
    ['null as a value', { code: null }],
    ['null for a token that is not in the template', { code: 'x', other: null }],
    ['NUL in a value', { code: 'a\u0000b' }],
    ['an unpaired surrogate in a value', { code: '\ud800' }],
    ['NUL in a token', { code: 'x', 'a\u0000': 'b' }],
  ])('reject %s with INVALID_VARIABLES', async (_what, variables) => {
    const answer = await send(await tenantOf('{{code}}'), { variables });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
  });

  it.each(['1e400', '-1e400', '9007199254740993'])(
    'row 33: reject the number %s, which cannot be represented exactly',
    async (number) => {
      const tenant = await tenantOf('{{code}}');
      const fields = `"from":"${tenant.sender.header}","to":"${sms.recipient()}"`;
      const answer = await postJson(sms, tenant.key, `{${fields},"variables":{"code":${number}}}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
    },
  );

  it('reject an empty rendered text with INVALID_VARIABLES', async () => {
    const answer = await send(await tenantOf('{{code}}'), { variables: { code: '' } });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
  });

  it.each(STYLES)('reject a missing value in a request as $name', async (style) => {
    const tenant = await tenantOf('{{code}}');
    const answer = await style.send(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient() });
    expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'MISSING_VARIABLES']);
  });

  it.each([
    ['nested elements', '<variables><code><b>x</b></code></variables>'],
    ['mixed content', '<variables><code>x<b/></code></variables>'],
    ['text instead of tokens', '<variables>code=x</variables>'],
    ['a nil value', '<variables><code xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/></variables>'],
  ])('reject %s in XML with INVALID_VARIABLES', async (_what, variables) => {
    const tenant = await tenantOf('{{code}}');
    const xml = `<SmsRequest><from>${tenant.sender.header}</from><to>${sms.recipient()}</to>${variables}</SmsRequest>`;
    const answer = await postXml(sms, tenant.key, xml);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
  });
});
