import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { parseSmsRequest, SmsRequestError, SOAP_NAMESPACES } from './soap-codec';
import { errorOf, fieldsOf } from './soap-request.fixture';

const list = (length: number, each: (index: number) => string): string =>
  Array.from({ length }, (_, index) => each(index)).join('');

describe('parseSmsRequest', () => {
  it('does not expand entities (billion laughs)', () => {
    const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const xml = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${entities}]><SmsRequest><to>&l10;</to></SmsRequest>`;
    expect(errorOf(xml).message).toContain('DOCTYPE');
  });

  it.each(['soap11', 'soap12'] as const)('refuses a DTD before an envelope in the style of %s', (envelope) => {
    const body = `<e:Envelope xmlns:e="${SOAP_NAMESPACES[envelope]}"><e:Body><SmsRequest/></e:Body></e:Envelope>`;
    expect(errorOf(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>${body}`).envelope).toBe(envelope);
    expect(errorOf(`<!DOCTYPE x>${body.replaceAll('"', "'")}`).envelope).toBe(envelope);
    expect(errorOf('<!DOCTYPE x><SmsRequest/>').envelope).toBe('none');
  });

  it('limits the nesting depth', () => {
    const nested = (depth: number) => `<SmsRequest>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</SmsRequest>`;
    expect(parseSmsRequest(nested(19)).fields).toEqual({ a: new Map() });
    expect(errorOf(nested(20)).message).toContain('nested');
  });

  it.each<[string, number, (pieces: number) => string]>([
    ['open tags', 87_000, (n) => '<a>'.repeat(n)],
    ['wrong closing tags', 60_000, (n) => '<SmsRequest>' + '<a>'.repeat(15) + '</b>'.repeat(n)],
    ['empty elements', 64_000, (n) => `<SmsRequest>${'<a/>'.repeat(n)}</SmsRequest>`],
    [
      'many namespaces and elements',
      30_000,
      (n) => `<SmsRequest ${list(60, (i) => `xmlns:a${i}="u" `)}>${'<a/>'.repeat(n)}</SmsRequest>`,
    ],
    [
      'distinct tokens',
      12_000,
      (n) => `<SmsRequest><variables>${list(n, (i) => `<t${i}>1</t${i}>`)}</variables></SmsRequest>`,
    ],
    ['less-than signs', 256_000, (n) => '<'.repeat(n)],
    ['ampersands', 256_000, (n) => `<SmsRequest><to>${'&'.repeat(n)}`],
    ['an unclosed comment', 256_000, (n) => `<SmsRequest><!--${'-'.repeat(n)}`],
    ['a very long element name', 256_000, (n) => `<${'a'.repeat(n)}`],
    ['attributes', 26_000, (n) => `<SmsRequest ${list(n, (i) => `a${i}="" `)}/>`],
    ['namespaces', 16_000, (n) => `<SmsRequest ${list(n, (i) => `xmlns:a${i}="" `)}/>`],
  ])('rejects 256 kB of %s in linear time', (_what, pieces, xmlOf) => {
    expect(errorOf(xmlOf(pieces)).reason).toBe('MALFORMED');
    expectLinear(pieces, xmlOf, (xml) => {
      try {
        parseSmsRequest(xml);
      } catch {
        // The error is asserted above.
      }
    });
  });

  it.each<[string, number, (pieces: number) => string]>([
    ['spaces', 250_000, (n) => ' '.repeat(n)],
    ['character references', 50_000, (n) => '&#65;'.repeat(n)],
    ['CDATA', 19_000, (n) => '<![CDATA[a]]>'.repeat(n)],
  ])('parses 250 kB of %s in linear time', (_what, pieces, textOf) => {
    expectLinear(
      pieces,
      (n) => `<message>${textOf(n)}</message>`,
      (inner) => expect(fieldsOf(inner).message).toEqual(expect.any(String)),
    );
  });

  it('throws only SmsRequestError for arbitrary input', () => {
    const pieces = ['<', '>', '</', '/>', 'SmsRequest', 'to', 'variables', '&', ';', '<!', '[CDATA[', ']]>', '<?xml ', '?>', '<!--', '-->', '"', '=', ' ', 'xmlns', ':', 'a', '#', 'DOCTYPE']; // prettier-ignore
    const anything = fc.oneof(
      fc.string({ unit: anyCodePoint }),
      fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...pieces), maxLength: 20 }).map((text) => `<SmsRequest>${text}</SmsRequest>`),
    );
    const read = (xml: string | Buffer): void => {
      try {
        parseSmsRequest(xml);
      } catch (error) {
        expect(error).toBeInstanceOf(SmsRequestError);
      }
    };
    fc.assert(fc.property(anything, read), { numRuns: 2000 });
    fc.assert(fc.property(fc.uint8Array(), (octets) => read(Buffer.from(octets))));
  });
});
