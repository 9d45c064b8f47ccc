import { codeOf, inEnvelope, postXml } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('invalid and unusual XML', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 10_000 });
  });

  const request = (more = '<message>x</message>') =>
    `<SmsRequest><from>${tenant.sender.header}</from><to>${sms.recipient()}</to>${more}</SmsRequest>`;
  const send = (xml: string | Buffer) => postXml(sms, tenant.key, xml);

  it.each([
    ['an empty body', () => ''],
    ['text', () => 'hello'],
    ['JSON', () => '{"from":"x"}'],
    ['an unclosed element', () => '<SmsRequest><from>x'],
    ['overlapping elements', () => '<SmsRequest><a><b></a></b></SmsRequest>'],
    ['another root element', () => '<Other/>'],
    ['two root elements', () => `${request()}${request()}`],
    ['text after the root', () => `${request()}x`],
    ['an unbound prefix', () => '<s:SmsRequest><from>x</from></s:SmsRequest>'],
    ['a DOCTYPE', () => `<!DOCTYPE SmsRequest>${request()}`],
    ['a DOCTYPE with an external subset', () => `<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd">${request()}`],
    [
      'an external entity',
      () => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${request('<message>&x;</message>')}`,
    ],
    [
      'an entity bomb',
      () =>
        `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${request('<message>&b;</message>')}`,
    ],
    ['a parameter entity', () => `<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:1/">%p;]>${request()}`],
    ['an undefined entity', () => request('<message>&nbsp;</message>')],
    ['an upper-case entity', () => request('<message>&AMP;</message>')],
    ['a bare ampersand', () => request('<message>a & b</message>')],
    ['a repeated field', () => request('<message>x</message><message>y</message>')],
    ['a repeated token', () => request('<variables><a>1</a><a>2</a></variables>')],
    ['UTF-16', () => '<?xml version="1.0" encoding="UTF-16"?><SmsRequest/>'],
    ['an envelope with two requests', () => inEnvelope('SOAP 1.2', request() + request())],
    [
      'an envelope with another namespace',
      () => `<e:Envelope xmlns:e="urn:x"><e:Body>${request()}</e:Body></e:Envelope>`,
    ],
    ['100 levels of nesting', () => request(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
    ['10,000 elements', () => request('<a/>'.repeat(10_000))],
  ])('%s gets INVALID_REQUEST', async (_what, xml) => {
    const answer = await send(xml());
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body).toEqual({
      ok: 'false',
      error: { code: 'INVALID_REQUEST', message: expect.any(String) as string },
    });
    expect(answer.text).not.toContain('root:');
  });

  it.each([
    ['an envelope without a body', `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"/>`],
    ['an envelope with another request', inEnvelope('SOAP 1.1', '<Other/>')],
  ])('row 22: %s gets a fault of SOAP 1.1 with INVALID_REQUEST', async (_what, xml) => {
    const answer = await send(xml);
    expect([answer.status, codeOf(answer)]).toEqual([500, 'INVALID_REQUEST']);
    expect(answer.text).toContain('<faultcode>soap:Client</faultcode>');
  });

  it.each([
    ['a decimal reference to NUL', '&#0;'],
    ['a hexadecimal reference to NUL', '&#x0;'],
    ['a decimal reference to a control character', '&#31;'],
    ['a hexadecimal reference to a control character', '&#x1F;'],
    ['a reference to a non-character', '&#xFFFE;'],
    ['a reference to an unpaired surrogate', '&#xD83D;'],
    ['a control character', '\u001f'],
    ['a non-character', '\uffff'],
  ])('row 33: %s gets INVALID_REQUEST', async (_what, text) => {
    for (const inner of [`<message>${text}</message>`, `<variables><code>a${text}b</code></variables>`]) {
      const answer = await send(request(inner));
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
    }
    expect((await send(`<SmsRequest note="${text}"><from>x</from></SmsRequest>`)).status).toBe(400);
  });

  it.each([
    ['from', 'INVALID_SENDER'],
    ['to', 'INVALID_RECIPIENT'],
    ['template', 'INVALID_TEMPLATE'],
    ['message', 'INVALID_REQUEST'],
    ['flash', 'INVALID_REQUEST'],
    ['scheduledAt', 'INVALID_SCHEDULED_AT'],
  ])('elements inside %s get %s', async (field, code) => {
    const fields: Record<string, string> = { from: tenant.sender.header, to: sms.recipient(), message: 'x' };
    fields[field] = '<b>x</b>';
    const children = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
    const answer = await send(`<SmsRequest>${children.join('')}</SmsRequest>`);
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });

  it('invalid UTF-8 gets the error code of its field', async () => {
    const [before, after] = request('<template>@</template>').split('@') as [string, string];
    const answer = await send(Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]));
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_TEMPLATE']);
  });

  it.each([
    ['the five entities', '&amp;&lt;&gt;&quot;&apos;', `&<>"'`],
    ['numeric character references', '&#65;&#x20AC;&#128512;', 'A€😀'],
    ['CDATA', '<![CDATA[<b>&amp;</b>]]>', '<b>&amp;</b>'],
    ['text parts around a comment', 'a<!-- no -->b', 'ab'],
    ['leading and trailing spaces', '  x  ', '  x  '],
  ])('%s are accepted as text', async (_what, written, read) => {
    const answer = await send(request(`<message>${written}</message>`));
    expect(answer.body).toMatchObject({ ok: 'true', renderedBody: `Your code is ${read}` });
  });

  it('namespaces, prefixes, attributes, comments and unknown elements are accepted', async () => {
    const xml = `<?xml version="1.0" encoding="utf-8"?><!-- hi --><m:SmsRequest xmlns:m="urn:any" id="1"><m:from a="b"> ${tenant.sender.header} </m:from>
      <m:to>${sms.recipient()}</m:to><m:unknown><deep/></m:unknown><m:variables><m:code>x</m:code></m:variables></m:SmsRequest>`;
    expect((await send(xml)).body).toMatchObject({ ok: 'true', renderedBody: 'Your code is x' });
  });

  it.each(['SOAP 1.1', 'SOAP 1.2'] as const)('a validation error is returned in the %s envelope', async (version) => {
    const answer = await send(inEnvelope(version, request('<message>x</message><message>y</message>')));
    expect([answer.status, codeOf(answer)]).toEqual([version === 'SOAP 1.1' ? 500 : 400, 'INVALID_REQUEST']);
    expect(answer.text).toContain('Envelope');
    expect(answer.headers.get('content-type')).toMatch(
      version === 'SOAP 1.1' ? /^text\/xml/ : /^application\/soap\+xml/,
    );
  });
});
