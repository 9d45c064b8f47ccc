import { FieldError } from '@heliograph/service-kit';
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element with its namespace resolved. Of its attributes, only `xsi:nil` is retained. */
export interface XmlElement {
  /** Namespace URI; empty if there is none. */
  uri: string;
  local: string;
  /** All character data directly inside the element, including CDATA, unchanged. */
  text: string;
  children: XmlElement[];
  /** True if `xsi:nil` is true. */
  nil: boolean;
}

const MAX_DEPTH = 20;
const MAX_ELEMENTS = 2000;
/** Limit for the whole document. */
const MAX_ATTRIBUTES = 1_000;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/**
 * XML 1.0 does not allow these characters (section 2.2), but the rules of the fields reject them with the error code of
 * the field. The parser gets a noncharacter instead, which XML allows.
 */
const LEFT_TO_FIELDS = /[\0\p{Surrogate}]/gu;
const NONCHARACTER = '\ufdd0';
const LONE_SURROGATE = '\ud800';

/**
 * Parses a document and returns its root element. A DTD, entities other than the five of XML 1.0 and external resources
 * are not allowed; depth, elements and attributes are limited. The caller limits the size. `onRoot` is called with the
 * root element before its content is parsed. Throws a FieldError for documents that are not well-formed or not allowed.
 */
export function parseXml(source: string, onRoot: (uri: string) => void): XmlElement {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  // Some clients send line breaks before the XML declaration.
  const trimmed = source.trimStart();
  const sound = trimmed.replace(LEFT_TO_FIELDS, NONCHARACTER);
  const textOf = (text: string): string => (sound === trimmed ? text : text.replaceAll(NONCHARACTER, LONE_SURROGATE));
  let root: XmlElement | null = null;
  let elements = 0;
  let attributes = 0;
  const open: XmlElement[] = [];
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += textOf(text);
  };

  // The parser continues after an error unless the listener throws.
  parser.on('error', () => refuse('The body is not well-formed XML; send an SmsRequest element.'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(utf-?8|(us-)?ascii)$/i.test(encoding))
      refuse('The XML must be encoded in UTF-8.');
  });
  parser.on('doctype', () => refuse('The XML must not contain a DOCTYPE.'));
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) refuse(`The XML has too many attributes; send at most ${MAX_ATTRIBUTES}.`);
  });
  parser.on('opentag', (tag) => {
    const element = elementOf(tag);
    if (++elements > MAX_ELEMENTS) refuse(`The XML has too many elements; send at most ${MAX_ELEMENTS}.`);
    if (root === null) {
      root = element;
      onRoot(element.uri);
    }
    open.at(-1)?.children.push(element);
    if (open.push(element) > MAX_DEPTH) refuse(`The XML is nested too deeply; the limit is ${MAX_DEPTH} levels.`);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(sound).close();
  return root ?? refuse('The body is empty; send an SmsRequest element.');
}

function refuse(message: string): never {
  throw new FieldError('MALFORMED', message);
}

function elementOf({ uri, local, attributes }: SaxesTagNS): XmlElement {
  const nil = Object.values(attributes).find((attribute) => attribute.uri === XSI && attribute.local === 'nil');
  return { uri, local, text: '', children: [], nil: nil?.value === 'true' || nil?.value === '1' };
}
