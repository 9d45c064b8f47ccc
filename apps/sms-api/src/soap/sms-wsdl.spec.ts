import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClientAsync, type Client, type IOptions } from 'soap';
import type { SendFields } from '../messages/normalize-send';
import {
  buildSmsError,
  buildSmsResponse,
  contentTypeOf,
  errorStatusOf,
  parseSmsRequest,
  SMS_RESPONSE_CHILDREN,
  type SmsResponseFields,
  type SoapEnvelope,
} from './soap-codec';
import { buildWsdl } from './sms-wsdl';

const ANSWER: SmsResponseFields = {
  ok: true,
  status: 'queued',
  messageId: 'm-1',
  to: '+919812345678',
  from: 'HELIOG',
  templateId: 't-1',
  encoding: 'ucs-2',
  segments: 2,
  creditsCost: 2,
  creditsRemaining: 98,
  renderedBody: 'Grüße & <mehr> 😀',
  createdAt: '2026-11-20T10:12:28.123456',
};

const REFUSED = { code: 'INVALID_RECIPIENT', message: 'Give the number as E.164.', status: 400 };

describe('the WSDL, parsed by an independent SOAP client', () => {
  let server: Server;
  let url: string;
  let received: { fields: SendFields; envelope: SoapEnvelope } | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.method === 'GET') {
          response.setHeader('content-type', 'text/xml').end(buildWsdl(url));
          return;
        }
        received = parseSmsRequest(body);
        const { envelope, fields } = received;
        response.setHeader('content-type', contentTypeOf(envelope));
        if (fields.to === 'nobody') response.statusCode = errorStatusOf(REFUSED, envelope);
        response.end(fields.to === 'nobody' ? buildSmsError(REFUSED, envelope) : buildSmsResponse(ANSWER, envelope));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms/soap`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const connect = (options: IOptions = {}): Promise<Client> => createClientAsync(`${url}?wsdl`, options);

  it('has one operation, with one port per SOAP version', async () => {
    const { SmsService } = (await connect()).describe();
    expect(Object.keys(SmsService)).toEqual(['SmsSoap11', 'SmsSoap12']);
    for (const port of Object.values<Record<string, { input: object; output: object }>>(SmsService)) {
      expect(Object.keys(port)).toEqual(['SendSms']);
      const fields = (part: object) => Object.keys(part).filter((name) => !name.startsWith('target'));
      expect(fields(port['SendSms']!.input)).toEqual([
        'from',
        'to',
        'template',
        'message',
        'variables',
        'flash',
        'scheduledAt',
      ]);
      expect(fields(port['SendSms']!.output)).toEqual([...SMS_RESPONSE_CHILDREN, 'error']);
    }
  });

  it.each([
    ['soap11', 'SmsSoap11', {}],
    ['soap12', 'SmsSoap12', { forceSoap12Headers: true }],
  ] as const)('sends a request and parses the response over %s', async (envelope, port, options) => {
    const client = await connect(options);
    const send = client['SmsService'][port].SendSms as (
      input: object,
      done: (error: unknown, result: unknown) => void,
    ) => void;
    const call = (input: object) =>
      new Promise((resolve, reject) => send(input, (error, result) => (error ? reject(error) : resolve(result))));

    const input = { from: 'HELIOG', to: '+919812345678', variables: { otp: '<42> & "more"' }, flash: true };
    expect(await call(input)).toEqual(ANSWER);
    expect(received).toEqual({
      fields: { ...input, variables: new Map([['otp', '<42> & "more"']]) },
      envelope,
    });
  });

  it.each([
    ['soap11', {}],
    ['soap12', { forceSoap12Headers: true }],
  ] as const)(
    'row 22: a client receives an error over %s as a fault with code and message',
    async (envelope, options) => {
      const client = await connect(options);
      const error: unknown = await client['SendSmsAsync']({ from: 'HELIOG', to: 'nobody' }).catch(
        (thrown: unknown) => thrown,
      );
      const { Fault } = (error as { root: { Envelope: { Body: { Fault: Record<string, object> } } } }).root.Envelope
        .Body;
      const SmsResponse = expect.objectContaining({
        ok: false,
        error: { code: REFUSED.code, message: REFUSED.message },
      }) as object;
      expect(envelope === 'soap11' ? Fault['detail'] : Fault['Detail']).toEqual({ SmsResponse });
      expect((error as Error).message).toContain(REFUSED.message);
    },
  );

  it('row 22: declares the fault for both SOAP versions', async () => {
    const { definitions } = (await connect()).wsdl as unknown as {
      definitions: { portTypes: object; messages: object };
    };
    expect(Object.keys(definitions.messages)).toContain('SmsFault');
    const wsdl = buildWsdl(url);
    expect(wsdl).toContain('<wsdl:fault name="SmsFault" message="tns:SmsFault"/>');
    for (const prefix of ['soap', 'soap12']) expect(wsdl).toContain(`<${prefix}:fault name="SmsFault" use="literal"/>`);
  });

  it('contains the endpoint address, escaped', async () => {
    const address = 'https://example.org/sms/soap?a=1&b="2"';
    const client = await createClientAsync(buildWsdl(address));
    const { services } = client.wsdl as unknown as {
      services: { SmsService: { ports: Record<string, { location: string }> } };
    };
    expect(Object.values(services.SmsService.ports).map((port) => port.location)).toEqual([address, address]);
  });
});
