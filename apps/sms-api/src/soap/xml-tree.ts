import { Parser } from 'xml2js';
import { FieldError } from '@heliograph/platform';

/** An element with its namespace resolved. Attributes are kept only where the service reads one. */
export interface XmlElement {
  /** Namespace URI, empty when there is none. */
  uri: string;
  local: string;
  /** All character data directly inside, CDATA included, exactly as written. */
  text: string;
  children: XmlElement[];
  /** It carries `xsi:nil` with a true value. */
  nil: boolean;
}

const MAX_DEPTH = 20;
/** Together these bound the name space look-ups, which cost the parser elements times declarations in scope. */
const MAX_ELEMENTS = 2000;
/** Of a whole document: the tokenizer compares each attribute of an element with all before it. */
const MAX_ATTRIBUTES = 1_000;
const MAX_ATTRIBUTES_OF_ELEMENT = 64;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const ENTITIES = Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });

/** Keys no XML name can equal, so that an element may have any name. */
const KEYS = { attrkey: '#attributes', charkey: '#text', childkey: '#children' } as const;
interface ParsedNode {
  '#attributesns'?: { uri: string; local: string };
  '#attributes'?: Record<string, { uri: string; local: string; value: string }>;
  '#text'?: string;
  '#children'?: ParsedNode[];
}
/** What of the tokenizer inside xml2js is used to close what xml2js leaves open. */
interface Tokenizer {
  ENTITIES: object;
  entity: string;
  sgmlDecl: string;
  ondoctype?: () => void;
  onsgmldeclaration?: () => void;
  onprocessinginstruction?: (instruction: { name: string; body: string }) => void;
  onopentag: (tag: { uri: string; local: string; attributes: object }) => void;
  onclosetag: (name: string) => void;
}

/**
 * Parses a document to its root element. There is no DTD, no entity beyond the five of XML 1.0, and nothing external;
 * depth, elements and attributes are bounded, size is for the caller to bound. `onRoot` is told of the root before what
 * follows it is read. Throws a FieldError for whatever is not well-formed or not allowed.
 */
export function parseXml(source: string, onRoot: (uri: string) => void): XmlElement {
  const parser = new Parser({
    ...KEYS,
    xmlns: true,
    explicitRoot: false,
    explicitChildren: true,
    preserveChildrenOrder: true,
    charsAsChildren: true,
    includeWhiteChars: true,
  });
  const { saxParser } = parser as unknown as { saxParser: Tokenizer };
  let root: ParsedNode | null = null;
  let failure: FieldError | null = null;
  const refuse = (message: string): never => {
    failure ??= new FieldError('MALFORMED', message);
    throw failure;
  };

  if (hasTooManyAttributes(source)) refuse(`The XML has too many attributes; send at most ${MAX_ATTRIBUTES}.`);
  saxParser.ENTITIES = predefinedEntities(saxParser);
  saxParser.ondoctype = () => refuse('The XML has a DOCTYPE, which is not accepted; leave it out.');
  saxParser.onsgmldeclaration = () => refuse('The XML has a markup declaration, which is not accepted; leave it out.');
  saxParser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name.toLowerCase() === 'xml' ? /\bencoding\s*=\s*["']([^"']{0,40})/.exec(body)?.[1] : undefined;
    if (encoding !== undefined && !/^(utf-?8|(us-)?ascii)$/i.test(encoding)) refuse('Send the XML in UTF-8.');
  };
  boundElements(saxParser, onRoot, refuse);
  // The parser goes on after an error unless the listener throws.
  parser.on('error', () => refuse('The body is not well-formed XML; send an SmsRequest element.'));
  parser.on('end', (result: ParsedNode | null) => (root = result));

  try {
    // Line ends are those of XML 1.0, 2.11. The listeners and not a callback, which would let text behind the root pass.
    parser.parseString(source.replace(/\r\n?/g, '\n'));
  } catch {
    refuse('The body is not well-formed XML; send an SmsRequest element.');
  }
  if (failure !== null) throw failure;
  return root === null ? refuse('The body is empty; send an SmsRequest element.') : toElement(root);
}

/** Counts what may be the beginning of a value, in text too: no sane message has so many. */
function hasTooManyAttributes(source: string): boolean {
  let count = 0;
  for (let at = source.indexOf('='); at >= 0; at = source.indexOf('=', at + 1)) {
    if (/^\s{0,8}["']/.test(source.slice(at + 1, at + 10)) && ++count > MAX_ATTRIBUTES) return true;
  }
  return false;
}

/** Getters, because the tokenizer also looks the name up in lower case, and XML tells `&AMP;` from `&amp;`. */
function predefinedEntities(saxParser: Tokenizer): object {
  const entities: object = Object.create(null);
  for (const [name, character] of ENTITIES) {
    Object.defineProperty(entities, name, { get: () => (saxParser.entity === name ? character : undefined) });
  }
  return entities;
}

function boundElements(saxParser: Tokenizer, onRoot: (uri: string) => void, refuse: (message: string) => never): void {
  const { onopentag, onclosetag } = saxParser;
  let elements = 0;
  let depth = 0;
  saxParser.onopentag = (tag) => {
    if (++elements === 1) onRoot(tag.uri);
    else if (depth === 0) refuse('The XML has a second root element; send one SmsRequest.');
    if (++depth > MAX_DEPTH) refuse(`The XML is nested too deeply; keep it within ${MAX_DEPTH} levels.`);
    if (elements > MAX_ELEMENTS) refuse(`The XML has too many elements; send at most ${MAX_ELEMENTS}.`);
    if (Object.keys(tag.attributes).length > MAX_ATTRIBUTES_OF_ELEMENT) {
      refuse(`An element has too many attributes; send at most ${MAX_ATTRIBUTES_OF_ELEMENT}.`);
    }
    onopentag(tag);
  };
  saxParser.onclosetag = (name) => {
    depth--;
    onclosetag(name);
  };
}

/** Bounded recursion: no tree is deeper than MAX_DEPTH. */
function toElement(node: ParsedNode): XmlElement {
  const element: XmlElement = {
    uri: node['#attributesns']?.uri ?? '',
    local: node['#attributesns']?.local ?? '',
    text: '',
    children: [],
    nil: Object.values(node['#attributes'] ?? {}).some(
      ({ uri, local, value }) => uri === XSI && local === 'nil' && (value === 'true' || value === '1'),
    ),
  };
  for (const child of node['#children'] ?? []) {
    // Pieces of text are children too, and have no namespace record.
    if (child['#attributesns'] === undefined) element.text += child['#text'] ?? '';
    else element.children.push(toElement(child));
  }
  return element;
}
