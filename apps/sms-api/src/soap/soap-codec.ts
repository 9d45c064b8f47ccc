import { decodeText } from '@heliograph/service-kit';
import { FieldError, readFlag } from '@heliograph/service-kit';
import { pickFields, SEND_FIELD_NAMES, type SendFields } from '../messages/normalize-send';
import { parseXml, type XmlElement } from './xml-tree';

/** The envelope of a request and of its response: none, SOAP 1.1 or SOAP 1.2. */
export type SoapEnvelope = 'none' | 'soap11' | 'soap12';

/** Namespace of SmsRequest and SmsResponse, and of the WSDL. */
export const SMS_NAMESPACE = 'urn:heliograph:sms:1';
export const SOAP_NAMESPACES: Readonly<Record<Exclude<SoapEnvelope, 'none'>, string>> = {
  soap11: 'http://schemas.xmlsoap.org/soap/envelope/',
  soap12: 'http://www.w3.org/2003/05/soap-envelope',
};

/** A FieldError with the envelope of the request, as far as it was parsed, so that the response uses the same envelope. */
export class SmsRequestError extends FieldError {
  constructor(
    cause: FieldError,
    readonly envelope: SoapEnvelope,
  ) {
    super(cause.reason, cause.message);
    this.name = 'SmsRequestError';
  }
}

/** The fields of a send response that the XML style contains. */
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
/** The child elements of SmsResponse, in order. */
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

/** The root element of a document that is refused is looked for in this many characters. */
const MAX_PROLOG_LENGTH = 20_000;
const NAMES: ReadonlySet<string> = new Set(Object.values(SEND_FIELD_NAMES).flat());
const VERBATIM_FIELDS: ReadonlySet<string> = new Set(SEND_FIELD_NAMES.message);

/**
 * Parses an `SmsRequest`, bare or in a SOAP 1.1 or 1.2 envelope, with any prefix. Its child elements are the fields, by
 * name or alias; the child elements of `variables` are the tokens. The message and the values of variables retain their
 * whitespace, other fields are trimmed. `xsi:nil` means null. Elements in place of text become a Map (and text in place
 * of tokens remains text), so that validation reports the code of that field. Throws an SmsRequestError for other
 * documents and repeated elements. The caller limits the size.
 */
export function parseSmsRequest(xml: Buffer | string): { fields: SendFields; envelope: SoapEnvelope } {
  let envelope: SoapEnvelope = 'none';
  const text = typeof xml === 'string' ? xml : decodeText(xml);
  try {
    const root = parseXml(text, (uri) => (envelope = envelopeOf(uri)));
    return { fields: parseRequest(findRequest(root, envelope)), envelope };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw new SmsRequestError(error, envelope === 'none' ? openedEnvelope(text) : envelope);
  }
}

/** The envelope of a document that was refused before its root element was parsed, such as one with a DTD. */
function openedEnvelope(text: string): SoapEnvelope {
  const [root = ''] = /<(?:[\w.-]{1,64}:)?Envelope\s[^<>]{1,2000}>/.exec(text.slice(0, MAX_PROLOG_LENGTH)) ?? [];
  const uri = Object.values(SOAP_NAMESPACES).find(
    (namespace) => root.includes(`"${namespace}"`) || root.includes(`'${namespace}'`),
  );
  return uri === undefined ? 'none' : envelopeOf(uri);
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
    throw new FieldError('MALFORMED', 'The SOAP Envelope must contain exactly one Body with exactly one SmsRequest.');
  }
  return request;
}

function parseRequest(request: XmlElement): SendFields {
  const values = new Map<string, unknown>();
  for (const child of request.children) {
    // Unknown elements may be repeated.
    if (values.has(child.local) && NAMES.has(child.local)) throw repeated(child.local);
    values.set(child.local, parseField(child));
  }
  return pickFields(values.keys(), (name) => values.get(name));
}

function parseField(element: XmlElement): unknown {
  if (element.nil) return null;
  if (element.local === 'variables') return parseVariables(element);
  if (element.children.length > 0) return new Map();
  if (VERBATIM_FIELDS.has(element.local)) return element.text;
  const text = element.text.trim();
  return element.local === 'flash' ? readFlag(text) : text;
}

function parseVariables(element: XmlElement): unknown {
  if (element.text.trim() !== '') return element.text;
  const variables = new Map<string, unknown>();
  for (const child of element.children) {
    if (variables.has(child.local)) throw repeated(child.local);
    variables.set(child.local, child.nil ? null : child.children.length > 0 ? new Map() : child.text);
  }
  return variables;
}

function repeated(name: string): FieldError {
  return new FieldError('REPEATED', `The element ${name.slice(0, 64)} is repeated; send it only once.`);
}

/** Builds the XML document of a send response, in the envelope of the request. */
export function buildSmsResponse(response: SmsResponseFields, envelope: SoapEnvelope): string {
  const children = SMS_RESPONSE_CHILDREN.map((name) => element(name, String(response[name])));
  return document(smsResponse(children.join('')), envelope);
}

/** An error and the HTTP status that a JSON call would return for it. */
export interface SmsError {
  code: string;
  message: string;
  status: number;
}

/**
 * Builds the XML document of an error: a bare SmsResponse, or a Fault with the SmsResponse in its detail (SOAP 1.1,
 * section 4.4; SOAP 1.2 part 1, section 5.4).
 */
export function buildSmsError({ code, message, status }: SmsError, envelope: SoapEnvelope): string {
  const details = element('code', code) + element('message', message);
  const response = smsResponse(`${element('ok', 'false')}<error>${details}</error>`);
  const isOurs = status >= 500;
  switch (envelope) {
    case 'none':
      return document(response, envelope);
    case 'soap11': {
      const fault = element('faultcode', isOurs ? 'soap:Server' : 'soap:Client') + element('faultstring', message);
      return document(`<soap:Fault>${fault}<detail>${response}</detail></soap:Fault>`, envelope);
    }
    case 'soap12': {
      const value = `<soap:Value>soap:${isOurs ? 'Receiver' : 'Sender'}</soap:Value>`;
      const reason = `<soap:Text xml:lang="en">${escapeXml(message)}</soap:Text>`;
      const fault = `<soap:Code>${value}</soap:Code><soap:Reason>${reason}</soap:Reason>`;
      return document(`<soap:Fault>${fault}<soap:Detail>${response}</soap:Detail></soap:Fault>`, envelope);
    }
  }
}

/** The HTTP status of an error document. The HTTP binding of SOAP 1.1 requires 500 for every fault (section 6.2). */
export function errorStatusOf({ status }: SmsError, envelope: SoapEnvelope): number {
  return envelope === 'soap11' ? 500 : status;
}

/** Returns the Content-Type of a response document (RFC 7303, SOAP 1.1 section 6, RFC 3902). */
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
 * Determines the envelope from the request headers, for responses sent before the body is read. SOAP 1.1 has no
 * specific content type, but its clients send a SOAPAction.
 */
export function announcedEnvelope(contentType: string | undefined, soapAction: string | undefined): SoapEnvelope {
  if (contentType !== undefined && /^\s*application\/soap\+xml\s*(;|$)/i.test(contentType)) return 'soap12';
  return soapAction === undefined ? 'none' : 'soap11';
}

function smsResponse(children: string): string {
  return `<SmsResponse xmlns="${SMS_NAMESPACE}">${children}</SmsResponse>`;
}

function document(body: string, envelope: SoapEnvelope): string {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (envelope === 'none') return declaration + body;
  const uri = SOAP_NAMESPACES[envelope];
  return `${declaration}<soap:Envelope xmlns:soap="${uri}"><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/**
 * Characters that are not a Char of XML 1.0, including lone surrogates (the u flag matches surrogate pairs as one
 * character).
 */

const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would normalize a literal carriage return to a line feed.
  '\r': '&#13;',
};

/** Escapes text for an element or a quoted attribute; characters that XML does not allow become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);
}
