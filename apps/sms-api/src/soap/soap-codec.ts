import { decodeText } from '@heliograph/platform';
import { FieldError, readFlag } from '@heliograph/platform';
import { pickFields, SEND_FIELD_NAMES, type SendFields } from '../messages/read-fields';
import { parseXml, type XmlElement } from './xml-tree';

/** How a request came, and so how its answer goes: bare, or in an envelope of that SOAP version. */
export type SoapEnvelope = 'none' | 'soap11' | 'soap12';

/** Namespace of SmsRequest and SmsResponse, and of the WSDL. */
export const SMS_NAMESPACE = 'urn:heliograph:sms:1';
export const SOAP_NAMESPACES: Readonly<Record<Exclude<SoapEnvelope, 'none'>, string>> = {
  soap11: 'http://schemas.xmlsoap.org/soap/envelope/',
  soap12: 'http://www.w3.org/2003/05/soap-envelope',
};

/** A FieldError that knows the envelope, as far as the document got, for the answer to go in the same one. */
export class SmsRequestError extends FieldError {
  constructor(
    cause: FieldError,
    readonly envelope: SoapEnvelope,
  ) {
    super(cause.reason, cause.message);
    this.name = 'SmsRequestError';
  }
}

/** The answer to a send, as far as XML carries it. */
export interface SmsResponseFields {
  ok: boolean;
  status: string;
  messageId: string;
  to: string;
  from: string;
  templateId: string;
  encoding: string;
  segments: number;
  creditsCost: number;
  creditsRemaining: number;
  renderedBody: string;
  createdAt: string;
}
/** The children of SmsResponse, in their order. */
export const SMS_RESPONSE_CHILDREN = [
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
] as const satisfies ReadonlyArray<keyof SmsResponseFields>;

const NAMES: ReadonlySet<string> = new Set(Object.values(SEND_FIELD_NAMES).flat());
const KEPT_EXACTLY: ReadonlySet<string> = new Set(SEND_FIELD_NAMES.message);

/**
 * Reads an `SmsRequest`, bare or in a SOAP 1.1 or 1.2 envelope, under any prefix. Its children are the fields, under
 * their names or aliases; the children of `variables` are the tokens. A message and the values of variables are kept to
 * the blank, other fields are trimmed. `xsi:nil` is the null of JSON. XML where text belongs comes out as a Map (and
 * text where tokens belong as text), for validation to refuse with the code of that field. Throws an SmsRequestError for
 * what is not such a document and for repeated elements; size is for the caller to bound.
 */
export function parseSmsRequest(xml: Buffer | string): { fields: SendFields; envelope: SoapEnvelope } {
  let envelope: SoapEnvelope = 'none';
  try {
    const root = parseXml(typeof xml === 'string' ? xml : decodeText(xml), (uri) => (envelope = envelopeOf(uri)));
    return { fields: readRequest(findRequest(root, envelope)), envelope };
  } catch (error) {
    throw error instanceof FieldError ? new SmsRequestError(error, envelope) : error;
  }
}

function envelopeOf(uri: string): SoapEnvelope {
  if (uri === SOAP_NAMESPACES.soap11) return 'soap11';
  return uri === SOAP_NAMESPACES.soap12 ? 'soap12' : 'none';
}

function findRequest(root: XmlElement, envelope: SoapEnvelope): XmlElement {
  if (envelope === 'none') {
    if (root.local === 'SmsRequest') return root;
    throw new FieldError('MALFORMED', 'The root element must be SmsRequest or a SOAP 1.1 or 1.2 Envelope.');
  }
  const bodies = root.children.filter((child) => child.uri === root.uri && child.local === 'Body');
  const [request, ...others] = bodies[0]?.children ?? [];
  if (root.local !== 'Envelope' || bodies.length !== 1 || request?.local !== 'SmsRequest' || others.length > 0) {
    throw new FieldError('MALFORMED', 'The SOAP Envelope must have one Body, and in it one SmsRequest.');
  }
  return request;
}

function readRequest(request: XmlElement): SendFields {
  const values = new Map<string, unknown>();
  for (const child of request.children) {
    if (!NAMES.has(child.local)) continue;
    if (values.has(child.local)) throw repeated(child.local);
    values.set(child.local, readField(child));
  }
  return pickFields((name) => values.get(name));
}

function readField(element: XmlElement): unknown {
  if (element.nil) return null;
  if (element.local === 'variables') return readVariables(element);
  if (element.children.length > 0) return new Map();
  if (KEPT_EXACTLY.has(element.local)) return element.text;
  const text = element.text.trim();
  return element.local === 'flash' ? readFlag(text) : text;
}

function readVariables(element: XmlElement): unknown {
  if (element.text.trim() !== '') return element.text;
  const variables = new Map<string, unknown>();
  for (const child of element.children) {
    if (variables.has(child.local)) throw repeated(child.local);
    variables.set(child.local, child.nil ? null : child.children.length > 0 ? new Map() : child.text);
  }
  return variables;
}

function repeated(name: string): FieldError {
  return new FieldError('REPEATED', `The element ${name.slice(0, 64)} is there more than once; send it once.`);
}

/** The answer to a send as an XML document, in the envelope of the request. */
export function buildSmsResponse(response: SmsResponseFields, envelope: SoapEnvelope): string {
  return wrap(SMS_RESPONSE_CHILDREN.map((name) => element(name, String(response[name]))).join(''), envelope);
}

/** A refusal as an XML document, in the envelope of the request. */
export function buildSmsError(error: { code: string; message: string }, envelope: SoapEnvelope): string {
  const details = element('code', error.code) + element('message', error.message);
  return wrap(`${element('ok', 'false')}<error>${details}</error>`, envelope);
}

/** Value of the Content-Type header of such a document (RFC 7303, SOAP 1.1 section 6, RFC 3902). */
export function contentTypeOf(envelope: SoapEnvelope): string {
  switch (envelope) {
    case 'none':
      return 'application/xml; charset=utf-8';
    case 'soap11':
      return 'text/xml; charset=utf-8';
    case 'soap12':
      return 'application/soap+xml; charset=utf-8';
  }
}

/**
 * The envelope that the headers of a request announce, for an answer that is given before its body was read. SOAP 1.1
 * has no content type of its own; its clients send a SOAPAction.
 */
export function announcedEnvelope(contentType: string | undefined, soapAction: string | undefined): SoapEnvelope {
  if (contentType !== undefined && /^\s*application\/soap\+xml\s*(;|$)/i.test(contentType)) return 'soap12';
  return soapAction === undefined ? 'none' : 'soap11';
}

function wrap(children: string, envelope: SoapEnvelope): string {
  const response = `<SmsResponse xmlns="${SMS_NAMESPACE}">${children}</SmsResponse>`;
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (envelope === 'none') return declaration + response;
  const uri = SOAP_NAMESPACES[envelope];
  return `${declaration}<soap:Envelope xmlns:soap="${uri}"><soap:Body>${response}</soap:Body></soap:Envelope>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** What is not a Char of XML 1.0; lone surrogates too, which the u flag tells from pairs. */

const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader would turn a literal one into a line feed.
  '\r': '&#13;',
};

/** Text fit for an element or a quoted attribute; characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);
}
