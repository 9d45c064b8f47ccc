import { createClientAsync, type Client, type IOptions } from 'soap';
import { call } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the WSDL', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await (await SmsFixture.shared()).beside({ PUBLIC_BASE_URL: 'https://sms.example' });
    tenant = await sms.tenant();
  });
  afterAll(() => sms.service.stop());

  const clientOf = async (options: IOptions = {}, prefix = ''): Promise<Client> => {
    const client = await createClientAsync(`${sms.url}${prefix}/sms/soap?wsdl`, options);
    client.setEndpoint(`${sms.url}${prefix}/sms/soap`);
    client.addHttpHeader('X-API-Key', tenant.key);
    return client;
  };

  it.each(['/sms/soap?wsdl', '/api/sms/soap?wsdl', '/sms/soap?WSDL', '/sms/soap?wsdl='])(
    'is public at GET %s',
    async (path) => {
      const { status, headers, text } = await call(sms, path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/xml/);
      expect(text).toContain('http://schemas.xmlsoap.org/wsdl/');
      expect(text).toContain('style="document"');
      expect(text).toContain('use="literal"');
      expect(text).toContain('location="https://sms.example/sms/soap"');
    },
  );

  it.each(['/sms/soap', '/sms/soap?', '/sms/soap?other=1'])('is not available at GET %s (405)', async (path) => {
    const answer = await call(sms, path);
    expect(answer.status).toBe(405);
    expect(answer.body).toMatchObject({ ok: 'false', error: { code: 'METHOD_NOT_ALLOWED' } });
  });

  it.each([
    ['SOAP 1.1', {}, ''],
    ['SOAP 1.2', { forceSoap12Headers: true }, ''],
    ['SOAP 1.1 under /api', {}, '/api'],
  ])('can be imported by a client that sends over %s', async (_version, options, prefix) => {
    const client = await clientOf(options, prefix);
    const to = sms.recipient();
    const [answer] = (await client['SendSmsAsync']({
      from: tenant.sender.header,
      to,
      variables: { code: '1 < 2' },
      flash: true,
    })) as [Record<string, unknown>];
    expect(answer).toMatchObject({
      ok: true,
      status: 'queued',
      to,
      from: tenant.sender.header,
      templateId: tenant.template.id,
      segments: 1,
      renderedBody: 'Your code is 1 < 2',
    });
  });

  it.each([
    ['SOAP 1.1', {}, 500, 'INVALID_SENDER'],
    ['SOAP 1.2', { forceSoap12Headers: true }, 400, 'INVALID_SENDER'],
    ['SOAP 1.1', {}, 500, 'UNAUTHENTICATED'],
    ['SOAP 1.2', { forceSoap12Headers: true }, 401, 'UNAUTHENTICATED'],
  ])('row 22: a %s client receives a fault with the code and the message', async (_version, options, status, code) => {
    const client = await clientOf(options);
    if (code === 'UNAUTHENTICATED') client.addHttpHeader('X-API-Key', 'unknown');
    const thrown: unknown = await client['SendSmsAsync']({ from: 'NOBODY', to: '+919876543210' }).catch(
      (error: unknown) => error,
    );
    const { response } = thrown as { response: { status: number; data: string } };
    expect(response.status).toBe(status);
    expect(response.data).toContain(':Fault>');
    expect(response.data).toMatch(
      new RegExp(
        `<SmsResponse xmlns="urn:heliograph:sms:1"><ok>false</ok><error><code>${code}</code><message>.+</message>`,
      ),
    );
  });
});
