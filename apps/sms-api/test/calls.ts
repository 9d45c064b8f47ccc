import { httpCall, type HttpResponse, type HttpCallOptions } from '@heliograph/testing';
import { parseStringPromise, processors } from 'xml2js';
import type { SmsFixture } from './sms-fixture';

/** An HTTP response. `body` is the parsed JSON, or the text of the child elements of SmsResponse, also in a fault. */
export type Answer = HttpResponse;
export type CallOptions = HttpCallOptions;

/** Sends one HTTP request without modification. */
export async function call(sms: SmsFixture, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await httpCall(`${sms.url}${path}`, options);
  const isXml = answer.headers.get('content-type')?.includes('xml') === true && answer.text.includes('SmsResponse');
  return isXml ? { ...answer, body: await parseXml(answer.text) } : answer;
}

export function postJson(sms: SmsFixture, key: string | null, body: unknown, options: CallOptions = {}) {
  return call(sms, '/sms/send', { method: 'POST', key, json: body, ...options });
}

/** Sends JSON to any path. */
export function postTo(sms: SmsFixture, path: string, key: string | null, body: unknown): Promise<Answer> {
  return call(sms, path, { method: 'POST', key, json: body });
}

export function postForm(sms: SmsFixture, key: string | null, body: string | Buffer, options: CallOptions = {}) {
  return call(sms, '/sms/send', {
    method: 'POST',
    key,
    ...options,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...options.headers },
    body,
  });
}

export function postXml(sms: SmsFixture, key: string | null, body: string | Buffer, options: CallOptions = {}) {
  return call(sms, '/sms/soap', {
    method: 'POST',
    key,
    ...options,
    headers: { 'Content-Type': 'application/xml', ...options.headers },
    body,
  });
}

interface SoapBody {
  SmsResponse?: object;
  Fault?: { detail?: { SmsResponse: object }; Detail?: { SmsResponse: object } };
}

async function parseXml(text: string): Promise<Record<string, unknown>> {
  const root = (await parseStringPromise(text, {
    explicitArray: false,
    ignoreAttrs: true,
    tagNameProcessors: [processors.stripPrefix],
  })) as { SmsResponse?: object; Envelope?: { Body: SoapBody } };
  const body = root.Envelope?.Body;
  const detail = body?.Fault?.detail ?? body?.Fault?.Detail;
  return (root.SmsResponse ?? body?.SmsResponse ?? detail?.SmsResponse) as Record<string, unknown>;
}

/** Fields of a send request; `variables` maps tokens to plain values. */
export type Fields = Record<string, unknown> & { variables?: Record<string, string | number | boolean> };

export interface CallStyle {
  name: string;
  isXml: boolean;
  /** Returns the HTTP status for an error that has `jsonStatus` in the JSON style. */
  errorStatus(jsonStatus: number): number;
  send(sms: SmsFixture, key: string | null, fields: Fields, options?: StyleOptions): Promise<Answer>;
}

const sameStatus = (jsonStatus: number): number => jsonStatus;

export interface StyleOptions {
  prefix?: '' | '/api';
  headers?: Record<string, string>;
}

export function urlEncode({ variables = {}, ...fields }: Fields): string {
  const pairs = [
    ...Object.entries(fields),
    ...Object.entries(variables).map(([token, value]) => [`var.${token}`, value] as const),
  ];
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

export function smsRequest({ variables, ...fields }: Fields): string {
  const tokens = variables ? `<variables>${elements(variables)}</variables>` : '';
  return `<SmsRequest>${elements(fields)}${tokens}</SmsRequest>`;
}

function elements(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`)
    .join('');
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

export const ENVELOPES = {
  'SOAP 1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  'SOAP 1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

export function inEnvelope(version: keyof typeof ENVELOPES, request: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${ENVELOPES[version]}"><e:Header/><e:Body>${request}</e:Body></e:Envelope>`;
}

const soap = (name: string, contentType: string, wrap: (request: string) => string): CallStyle => ({
  name,
  isXml: true,
  errorStatus: name === 'SOAP 1.1' ? () => 500 : sameStatus,
  send: (sms, key, fields, { prefix = '', headers = {} } = {}) =>
    call(sms, `${prefix}/sms/soap`, {
      method: 'POST',
      key,
      // SOAP 1.1 requires the header. It determines the envelope of errors that occur before the body is read.
      headers: { 'Content-Type': contentType, ...(name === 'SOAP 1.1' ? { SOAPAction: '""' } : {}), ...headers },
      body: wrap(smsRequest(fields)),
    }),
});

/** All call styles, with the same fields and comparable responses. */
export const STYLES: CallStyle[] = [
  {
    name: 'JSON',
    isXml: false,
    errorStatus: sameStatus,
    send: (sms, key, fields, { prefix = '', headers = {} } = {}) =>
      call(sms, `${prefix}/sms/send`, { method: 'POST', key, headers, json: fields }),
  },
  {
    name: 'GET',
    isXml: false,
    errorStatus: sameStatus,
    send: (sms, key, fields, { prefix = '', headers = {} } = {}) =>
      call(sms, `${prefix}/sms/send?${urlEncode(fields)}`, { key, headers }),
  },
  {
    name: 'form',
    isXml: false,
    errorStatus: sameStatus,
    send: (sms, key, fields, { prefix = '', headers = {} } = {}) =>
      call(sms, `${prefix}/sms/send`, {
        method: 'POST',
        key,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: urlEncode(fields),
      }),
  },
  soap('bare XML', 'application/xml', (request) => request),
  soap('SOAP 1.1', 'text/xml; charset=utf-8', (request) => inEnvelope('SOAP 1.1', request)),
  soap('SOAP 1.2', 'application/soap+xml; charset=utf-8', (request) => inEnvelope('SOAP 1.2', request)),
];

/** Returns the error code of a JSON or an XML response. */
export function codeOf({ body }: Answer): unknown {
  return body['error'] === undefined ? body['code'] : (body['error'] as { code: string }).code;
}
