import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { parseStringPromise, processors } from 'xml2js';
import {
  announcedEnvelope,
  buildSmsError,
  buildSmsResponse,
  contentTypeOf,
  errorStatusOf,
  parseSmsRequest,
  SMS_NAMESPACE,
  SOAP_NAMESPACES,
  type SmsResponseFields,
} from './soap-codec';

const answer: SmsResponseFields = {
  ok: true,
  status: 'queued',
  messageId: '0b6f3f5e-6a63-4a52-9d0a-9b1c5e7f1a2b',
  to: '+919812345678',
  from: 'HELIOG',
  templateId: 'tpl-1',
  encoding: 'gsm-7',
  segments: 1,
  creditsCost: 1,
  creditsRemaining: 99,
  renderedBody: 'Tom & "Jerry" <3',
  createdAt: '2026-11-20T10:12:28.123456',
};

describe('responses', () => {
  it('are an SmsResponse in the service namespace, with ordered child elements', async () => {
    const xml = buildSmsResponse(answer, 'none');
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<SmsResponse xmlns="urn:heliograph:sms:1"><ok>true/,
    );
    const { SmsResponse } = await parseStringPromise(xml, { explicitArray: false, ignoreAttrs: true });
    expect(Object.entries(SmsResponse)).toEqual(Object.entries(answer).map(([name, value]) => [name, String(value)]));
  });

  it('omit fields that the XML style does not have', () => {
    const more = { ...answer, senderId: 's', flash: false, scheduledAt: null };
    expect(buildSmsResponse(more, 'none')).toBe(buildSmsResponse(answer, 'none'));
  });

  it('report an error under the same root element', async () => {
    const xml = buildSmsError({ code: 'INVALID_RECIPIENT', message: 'a < b & c', status: 400 }, 'none');
    const { SmsResponse } = await parseStringPromise(xml, { explicitArray: false, ignoreAttrs: true });
    expect(SmsResponse).toEqual({ ok: 'false', error: { code: 'INVALID_RECIPIENT', message: 'a < b & c' } });
  });

  it.each(['soap11', 'soap12'] as const)('use a %s envelope', async (envelope) => {
    const parsed = await parseStringPromise(buildSmsResponse(answer, envelope), { xmlns: true, explicitRoot: false });
    expect(parsed.$ns).toEqual({ uri: SOAP_NAMESPACES[envelope], local: 'Envelope' });
    expect(parsed['soap:Body'][0].SmsResponse[0].$ns).toEqual({ uri: SMS_NAMESPACE, local: 'SmsResponse' });
  });

  it.each([
    [400, 'soap:Client', 'soap:Sender'],
    [503, 'soap:Server', 'soap:Receiver'],
  ])(
    'row 22: report error %i as a fault of the SOAP version, with the SmsResponse in its detail',
    async (status, ...codes) => {
      const error = { code: 'INVALID_RECIPIENT', message: 'a < b & c', status };
      const faultOf = async (envelope: 'soap11' | 'soap12') => {
        const { Envelope } = await parseStringPromise(buildSmsError(error, envelope), {
          explicitArray: false,
          ignoreAttrs: true,
          tagNameProcessors: [processors.stripPrefix],
        });
        return Envelope.Body.Fault as unknown;
      };
      const SmsResponse = { ok: 'false', error: { code: error.code, message: error.message } };
      expect(await faultOf('soap11')).toEqual({
        faultcode: codes[0],
        faultstring: error.message,
        detail: { SmsResponse },
      });
      expect(await faultOf('soap12')).toEqual({
        Code: { Value: codes[1] },
        Reason: { Text: error.message },
        Detail: { SmsResponse },
      });
      expect([errorStatusOf(error, 'none'), errorStatusOf(error, 'soap11'), errorStatusOf(error, 'soap12')]).toEqual([
        status,
        500,
        status,
      ]);
    },
  );

  it('are well-formed for any rendered text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        const xml = buildSmsResponse({ ...answer, renderedBody: `${text}\u0000\u001b\ud800\uffff` }, 'none');
        const { fields } = parseSmsRequest(
          xml.replaceAll('SmsResponse', 'SmsRequest').replaceAll('renderedBody', 'message'),
        );
        expect(String(fields.message).endsWith('\ufffd'.repeat(4))).toBe(true);
      }),
    );
  });

  it('have the content type of their envelope', () => {
    expect(contentTypeOf('none')).toBe('application/xml; charset=utf-8');
    expect(contentTypeOf('soap11')).toBe('text/xml; charset=utf-8');
    expect(contentTypeOf('soap12')).toBe('application/soap+xml; charset=utf-8');
  });

  it.each([
    ['application/soap+xml; charset=utf-8; action="x"', undefined, 'soap12'],
    ['Application/SOAP+XML', '""', 'soap12'],
    ['text/xml', '""', 'soap11'],
    ['application/xml', undefined, 'none'],
    ['application/soap+xmlish', undefined, 'none'],
    [undefined, undefined, 'none'],
  ] as const)(
    'before the body is read, use the Content-Type %s and the SOAPAction %s',
    (contentType, soapAction, envelope) => {
      expect(announcedEnvelope(contentType, soapAction)).toBe(envelope);
    },
  );
});
