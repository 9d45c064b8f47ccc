import { Parser } from 'xml2js';
import { FieldError } from '@heliograph/service-kit';

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
/** Both limits bound the namespace look-ups, whose cost is elements times declarations in scope. */
const MAX_ELEMENTS = 2000;
/** Limit for the whole document: the tokenizer compares each attribute with all previous attributes of the element. */
const MAX_ATTRIBUTES = 1_000;
const MAX_ATTRIBUTES_OF_ELEMENT = 64;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/**
 * Characters that XML 1.0 does not allow (section 2.2). NUL and lone surrogates are excluded: the rules of the fields
 * reject them with the error code of the field.
 */
const FORBIDDEN = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITIES = Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });

/** Keys that are not valid XML names, so that they cannot collide with element names. */
const KEYS = { attrkey: '#attributes', charkey: '#text', childkey: '#children' } as const;
interface ParsedNode {
  '#attributesns'?: { uri: string; local: string };
  '#attributes'?: Record<string, { uri: string; local: string; value: string }>;
  '#text'?: string;
  '#children'?: ParsedNode[];
}
/** The members of the xml2js tokenizer that are used to enforce limits that xml2js does not have. */
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
 * Parses a document and returns its root element. A DTD, entities other than the five of XML 1.0 and external resources
 * are not allowed; depth, elements and attributes are limited. The caller limits the size. `onRoot` is called with the
 * root element before its content is parsed. Throws a FieldError for documents that are not well-formed or not allowed.
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

  // The tokenizer checks references to these characters, but not the characters themselves.
  if (FORBIDDEN.test(source)) refuse('The XML must not contain control characters.');
  if (hasTooManyAttributes(source)) refuse(`The XML has too many attributes; send at most ${MAX_ATTRIBUTES}.`);
  saxParser.ENTITIES = predefinedEntities(saxParser);
  saxParser.ondoctype = () => refuse('The XML must not contain a DOCTYPE.');
  saxParser.onsgmldeclaration = () => refuse('The XML must not contain a markup declaration.');
  saxParser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name.toLowerCase() === 'xml' ? /\bencoding\s*=\s*["']([^"']{0,40})/.exec(body)?.[1] : undefined;
    if (encoding !== undefined && !/^(utf-?8|(us-)?ascii)$/i.test(encoding))
      refuse('The XML must be encoded in UTF-8.');
  };
  boundElements(saxParser, onRoot, refuse);
  // The parser continues after an error unless the listener throws.
  parser.on('error', () => refuse('The body is not well-formed XML; send an SmsRequest element.'));
  parser.on('end', (result: ParsedNode | null) => (root = result));

  try {
    // Line ends are normalized (XML 1.0, 2.11). Listeners are used because a callback would accept text after the root.
    parser.parseString(source.replace(/\r\n?/g, '\n'));
  } catch {
    refuse('The body is not well-formed XML; send an SmsRequest element.');
  }
  if (failure !== null) throw failure;
  return root === null ? refuse('The body is empty; send an SmsRequest element.') : toElement(root);
}

/** Counts everything that may start an attribute value, also in text; no legitimate message contains as many as the limit. */
function hasTooManyAttributes(source: string): boolean {
  let count = 0;
  for (let at = source.indexOf('='); at >= 0; at = source.indexOf('=', at + 1)) {
    if (/^\s{0,8}["']/.test(source.slice(at + 1, at + 10)) && ++count > MAX_ATTRIBUTES) return true;
  }
  return false;
}

/**
 * Getters are used because the tokenizer also looks up names in lower case, but XML entity names are case-sensitive.
 */
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
    else if (depth === 0) refuse('The XML must have exactly one root element.');
    if (++depth > MAX_DEPTH) refuse(`The XML is nested too deeply; the limit is ${MAX_DEPTH} levels.`);
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

/** The recursion is bounded by MAX_DEPTH. */
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
    // Text nodes are children too, but have no namespace record.
    if (child['#attributesns'] === undefined) element.text += child['#text'] ?? '';
    else element.children.push(toElement(child));
  }
  return element;
}
