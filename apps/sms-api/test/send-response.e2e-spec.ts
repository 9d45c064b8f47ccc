import { STYLES, type Answer, type Fields } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const JSON_STYLES = STYLES.filter(({ isXml }) => !isXml);
const XML_STYLES = STYLES.filter(({ isXml }) => isXml);
const FIELDS = [
  'ok',
  'status',
  'messageId',
  'to',
  'from',
  'senderId',
  'templateId',
  'renderedBody',
  'encoding',
  'segments',
  'creditsCost',
  'creditsRemaining',
  'flash',
  'scheduledAt',
  'createdAt',
];
const CHILDREN = [
  'ok',
  'status',
  'messageId',
  'to',
  'from',
  'templateId',
  'encoding',
  'segments',
  'creditsCost',
  'creditsRemaining',
  'renderedBody',
  'createdAt',
];

describe('the SMS send response', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const fieldsOf = (tenant: SmsTenant): Fields => ({
    from: tenant.sender.header,
    to: sms.recipient(),
    variables: { code: '1 < 2 & 3' },
  });
  const childrenOf = ({ text }: Answer): string[] => {
    const inside = /<SmsResponse[^>]*>(.*)<\/SmsResponse>/s.exec(text)?.[1] ?? '';
    return [...inside.matchAll(/<(\w+)>[^<]*<\/\1>/g)].map((match) => match[1] ?? '');
  };

  describe.each(JSON_STYLES)('with $name', (style) => {
    it('has exactly the fields and types of the contract', async () => {
      const tenant = await sms.tenant();
      const fields = fieldsOf(tenant);
      const before = Date.now();
      const answer = await style.send(sms, tenant.key, fields);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(Object.keys(answer.body)).toEqual(FIELDS);
      expect(answer.body).toEqual({
        ok: true,
        status: 'queued',
        messageId: expect.stringMatching(UUID) as string,
        to: fields['to'],
        from: tenant.sender.header,
        senderId: tenant.sender.id,
        templateId: tenant.template.id,
        renderedBody: 'Your code is 1 < 2 & 3',
        encoding: 'gsm-7',
        segments: 1,
        creditsCost: 1,
        creditsRemaining: 999,
        flash: false,
        scheduledAt: null,
        createdAt: expect.stringMatching(TIMESTAMP) as string,
      });
      const createdAt = Date.parse(`${String(answer.body['createdAt'])}Z`);
      expect(createdAt).toBeGreaterThanOrEqual(before - 5);
      expect(createdAt).toBeLessThanOrEqual(Date.now() + 5);
    });

    it('has the status scheduled and the time for a scheduled message', async () => {
      const tenant = await sms.tenant();
      const scheduledAt = '2099-01-02T03:04:05.678901+05:30';
      const answer = await style.send(sms, tenant.key, { ...fieldsOf(tenant), scheduledAt, flash: true });
      expect(answer.body).toMatchObject({
        status: 'scheduled',
        scheduledAt: '2099-01-01T21:34:05.678901',
        flash: true,
        creditsCost: 1,
        creditsRemaining: 999,
      });
    });

    it('has the encoding UCS-2 for text outside the GSM alphabet', async () => {
      const tenant = await sms.tenant();
      const answer = await style.send(sms, tenant.key, { ...fieldsOf(tenant), variables: { code: 'नमस्ते' } });
      expect(answer.body).toMatchObject({ encoding: 'ucs-2', segments: 1, renderedBody: 'Your code is नमस्ते' });
    });

    it('has exactly a code and a message for an error', async () => {
      const tenant = await sms.tenant();
      const answer = await style.send(sms, tenant.key, { ...fieldsOf(tenant), to: '+1' });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ code: 'INVALID_RECIPIENT', message: expect.any(String) as string });
    });
  });

  describe.each(XML_STYLES)('with $name', (style) => {
    const contentType = {
      'bare XML': /^application\/xml/,
      'SOAP 1.1': /^text\/xml/,
      'SOAP 1.2': /^application\/soap\+xml/,
    }[style.name]!;

    it('has exactly the child elements of the contract in the style of the request', async () => {
      const tenant = await sms.tenant();
      const fields = fieldsOf(tenant);
      const answer = await style.send(sms, tenant.key, fields);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(contentType);
      expect(childrenOf(answer)).toEqual(CHILDREN);
      expect(answer.body).toEqual({
        ok: 'true',
        status: 'queued',
        messageId: expect.stringMatching(UUID) as string,
        to: fields['to'],
        from: tenant.sender.header,
        templateId: tenant.template.id,
        encoding: 'gsm-7',
        segments: '1',
        creditsCost: '1',
        creditsRemaining: '999',
        renderedBody: 'Your code is 1 < 2 & 3',
        createdAt: expect.stringMatching(TIMESTAMP) as string,
      });
      expect(answer.text.includes('Envelope')).toBe(style.name !== 'bare XML');
      const namespace = {
        'bare XML': /^(?!.*Envelope)/s,
        'SOAP 1.1': /http:\/\/schemas\.xmlsoap\.org\/soap\/envelope\//,
        'SOAP 1.2': /http:\/\/www\.w3\.org\/2003\/05\/soap-envelope/,
      }[style.name]!;
      expect(answer.text).toMatch(namespace);
    });

    it('has ok=false, an error with code and message, and the HTTP status of the style for an error', async () => {
      const tenant = await sms.tenant({ credits: 0 });
      const poor = await style.send(sms, tenant.key, fieldsOf(tenant));
      expect(poor.status).toBe(style.errorStatus(402));
      expect(poor.headers.get('content-type')).toMatch(contentType);
      expect(poor.body).toEqual({
        ok: 'false',
        error: { code: 'INSUFFICIENT_CREDITS', message: expect.any(String) as string },
      });
      // Clients of SOAP 1.1 must send this header. It determines the envelope before the body is read.
      const soapAction: Record<string, string> = style.name === 'SOAP 1.1' ? { SOAPAction: '""' } : {};
      const nobody = await style.send(sms, null, fieldsOf(tenant), { headers: soapAction });
      expect(nobody.status).toBe(style.errorStatus(401));
      expect(nobody.body).toMatchObject({ ok: 'false', error: { code: 'UNAUTHENTICATED' } });
    });
  });
});
