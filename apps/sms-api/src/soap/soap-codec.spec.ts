import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { escapeXml, parseSmsRequest, SMS_NAMESPACE, SOAP_NAMESPACES } from './soap-codec';
import { errorOf, fieldsOf } from './soap-request.fixture';

const enveloped = (uri: string, inner: string) => `<e:Envelope xmlns:e="${uri}">${inner}</e:Envelope>`;

describe('parseSmsRequest', () => {
  it('parses every field', () => {
    expect(
      fieldsOf(
        '<from> HELIOG </from><to>\n+919812345678\t</to><template>otp</template><message> hi  there </message>' +
          '<variables><otp> 42 </otp><order.id>7</order.id></variables><flash>Yes</flash><scheduledAt/>',
      ),
    ).toEqual({
      from: 'HELIOG',
      to: '+919812345678',
      template: 'otp',
      message: ' hi  there ',
      variables: new Map([
        ['otp', ' 42 '],
        ['order.id', '7'],
      ]),
      flash: true,
      scheduledAt: '',
    });
  });

  it('accepts aliases and prefers the field name', () => {
    expect(fieldsOf('<phone>3</phone><mobile>2</mobile><sender>A</sender><at>soon</at>')).toEqual({
      to: '2',
      from: 'A',
      scheduledAt: 'soon',
    });
    expect(fieldsOf('<phone>3</phone><to>1</to>')).toEqual({ to: '1' });
  });

  it.each([
    ['no namespace', '<SmsRequest><to>1</to></SmsRequest>'],
    ['a default namespace', `<SmsRequest xmlns="${SMS_NAMESPACE}"><to>1</to></SmsRequest>`],
    ['a prefix', '<a:SmsRequest xmlns:a="urn:x"><a:to>1</a:to></a:SmsRequest>'],
    ['two prefixes', '<a:SmsRequest xmlns:a="urn:x" xmlns:b="urn:y"><b:to>1</b:to></a:SmsRequest>'],
    ['attributes', '<SmsRequest id="1"><to kind="mobile">1</to></SmsRequest>'],
    [
      'an XML declaration',
      '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<SmsRequest><to>1</to></SmsRequest>\r\n',
    ],
    ['white space before the XML declaration', ' \r\n<?xml version="1.0"?><SmsRequest><to>1</to></SmsRequest>'],
    ['a byte order mark', '\ufeff<SmsRequest><to>1</to></SmsRequest>'],
    ['comments', '<!-- a --><SmsRequest><!-- b --><to><!-- c -->1<!-- d --></to></SmsRequest><!-- e -->'],
    ['CDATA', '<SmsRequest><to><![CDATA[1]]></to></SmsRequest>'],
  ])('parses a bare request with %s', (_what, xml) => {
    expect(parseSmsRequest(xml)).toEqual({ fields: { to: '1' }, envelope: 'none' });
    expect(parseSmsRequest(Buffer.from(xml))).toEqual({ fields: { to: '1' }, envelope: 'none' });
  });

  it('keeps unknown elements for the validation, even if they are repeated', () => {
    expect(fieldsOf('<x><y/></x><x/><To>2</To><to>1</to>')).toEqual({ x: '', To: '2', to: '1' });
  });

  it.each(['soap11', 'soap12'] as const)(
    'parses a request in a %s envelope and ignores the SOAP header',
    (envelope) => {
      const uri = SOAP_NAMESPACES[envelope];
      const body = '<e:Body><SmsRequest xmlns="urn:x"><to>1</to></SmsRequest></e:Body>';
      expect(parseSmsRequest(enveloped(uri, body))).toEqual({ fields: { to: '1' }, envelope });
      const header = '<e:Header><a xmlns="urn:a"><to>2</to><SmsRequest/></a></e:Header>';
      expect(parseSmsRequest(enveloped(uri, header + body))).toEqual({ fields: { to: '1' }, envelope });
    },
  );

  it('preserves text: CDATA, character references, comments and normalized line endings', () => {
    expect(fieldsOf('<message>a<![CDATA[<b> & ]]>c<!-- x -->d</message>')).toEqual({ message: 'a<b> & cd' });
    expect(fieldsOf('<message>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;&#13;</message>')).toEqual({
      message: '&<>"\'A😀\r',
    });
    expect(fieldsOf('<message>a\r\nb\rc</message>')).toEqual({ message: 'a\nb\nc' });
    expect(fieldsOf('<message>   </message>')).toEqual({ message: '   ' });
    expect(fieldsOf('<variables><a>  </a><b/><c></c></variables>').variables).toEqual(
      new Map([
        ['a', '  '],
        ['b', ''],
        ['c', ''],
      ]),
    );
  });

  it('accepts any element name as a token without prototype pollution', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '_', 'cdata', '__text__', 'length'];
    const tokens = names.map((name) => `<${name}>${name}<![CDATA[!]]></${name}>`).join('');
    expect(fieldsOf(`<variables>${tokens}</variables>`).variables).toEqual(
      new Map(names.map((name) => [name, `${name}!`])),
    );
    const polluted = fieldsOf('<__proto__><to>1</to></__proto__><constructor/>');
    expect([Object.keys(polluted), polluted.to]).toEqual([['__proto__', 'constructor'], undefined]);
  });

  it('treats xsi:nil as null', () => {
    const nil = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"';
    expect(fieldsOf(`<to ${nil}/><phone>1</phone><variables ${nil}/><flash ${nil}/>`)).toEqual({ to: '1' });
    expect(fieldsOf(`<variables><otp ${nil}/></variables>`).variables).toEqual(new Map([['otp', null]]));
    expect(fieldsOf('<to nil="true">1</to>')).toEqual({ to: '1' });
  });

  it('returns elements inside a value as non-text, and text among tokens as non-map', () => {
    expect(fieldsOf('<variables><otp><b>1</b></otp></variables>').variables).toEqual(new Map([['otp', new Map()]]));
    expect(fieldsOf('<to><b>1</b></to>').to).not.toEqual(expect.any(String));
    expect(fieldsOf('<variables>{"otp":"1"}</variables>')).toEqual({ variables: '{"otp":"1"}' });
    expect(fieldsOf('<variables> \n </variables>')).toEqual({ variables: new Map() });
  });

  it('returns a non-boolean flash as text', () => {
    expect(fieldsOf('<flash> 1 </flash>')).toEqual({ flash: true });
    expect(fieldsOf('<flash>maybe</flash>')).toEqual({ flash: 'maybe' });
  });

  it('marks invalid UTF-8 only in the affected field', () => {
    const xml = Buffer.concat([Buffer.from('<SmsRequest><to>1</to><message>'), Buffer.from([0xff]), Buffer.from('</message></SmsRequest>')]); // prettier-ignore
    expect(parseSmsRequest(xml).fields).toEqual({ to: '1', message: '\ud800' });
    expect(fieldsOf('<to>\0</to>')).toEqual({ to: '\ud800' });
    expect(fieldsOf('<message>\ufdd0</message>')).toEqual({ message: '\ufdd0' });
  });

  it.each([
    ['a field', '<to>1</to><to>1</to>'],
    ['an alias', '<to>1</to><phone>1</phone><phone>1</phone>'],
    ['a field with two prefixes', '<a:to xmlns:a="urn:a">1</a:to><to>1</to>'],
    ['a variables element', '<variables/><variables/>'],
    ['a token', '<variables><a>1</a><a>2</a></variables>'],
  ])('rejects %s that is repeated', (_what, inner) => {
    expect(errorOf(`<SmsRequest>${inner}</SmsRequest>`).reason).toBe('REPEATED');
  });

  const request = '<SmsRequest><to>1</to></SmsRequest>';
  it.each([
    ['an empty document', ''],
    ['white space', ' \n '],
    ['JSON', '{"to":"1"}'],
    ['form fields', 'to=1'],
    ['another root element', '<SmsResponse/>'],
    ['a root element with other upper and lower case', '<smsrequest/>'],
    ['only an XML declaration', '<?xml version="1.0"?>'],
    ['a truncated document', '<SmsRequest><to>1</to>'],
    ['a truncated tag', '<SmsRequest><to'],
    ['a truncated CDATA', '<SmsRequest><to><![CDATA[1'],
    ['a wrong closing tag', '<SmsRequest><to>1</too></SmsRequest>'],
    ['text after the root', `${request}junk`],
    ['an element after the root', `${request}<a/>`],
    ['a second request', request + request],
    ['a second request, with both empty', '<SmsRequest/><SmsRequest/>'],
    ['text before the root', `junk${request}`],
    ['an unbound prefix', '<a:SmsRequest/>'],
    ['an unquoted attribute', '<SmsRequest a=1/>'],
    ['a repeated attribute', '<SmsRequest a="1" a="2"/>'],
    ['a less-than sign in an attribute', '<SmsRequest a="<"/>'],
    ['the end of CDATA in text', '<SmsRequest><to>]]></to></SmsRequest>'],
    ['a bare ampersand', '<SmsRequest><to>a & b</to></SmsRequest>'],
    ['an unsupported encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${request}`],
    ['an envelope of an unknown version', enveloped('urn:soap', `<e:Body>${request}</e:Body>`)],
    ['an envelope without a body', enveloped(SOAP_NAMESPACES.soap11, request)],
    ['an empty body', enveloped(SOAP_NAMESPACES.soap11, '<e:Body/>')],
    ['a body of another SOAP version', enveloped(SOAP_NAMESPACES.soap11, `<f:Body xmlns:f="${SOAP_NAMESPACES.soap12}">${request}</f:Body>`)], // prettier-ignore
    ['two requests', enveloped(SOAP_NAMESPACES.soap11, `<e:Body>${request}${request}</e:Body>`)],
    ['two bodies', enveloped(SOAP_NAMESPACES.soap11, `<e:Body>${request}</e:Body><e:Body>${request}</e:Body>`)],
    ['a SmsRequest root in the SOAP namespace', `<e:SmsRequest xmlns:e="${SOAP_NAMESPACES.soap11}"/>`],
    ['an empty DOCTYPE', `<!DOCTYPE SmsRequest>${request}`],
    ['a lower-case DOCTYPE', `<!doctype SmsRequest>${request}`],
    ['an external DTD', `<!DOCTYPE SmsRequest SYSTEM "http://127.0.0.1/x.dtd">${request}`],
    ['a DOCTYPE inside the root element', '<SmsRequest><!DOCTYPE a><to>1</to></SmsRequest>'],
    ['a DOCTYPE after the root', `${request}<!DOCTYPE a>`],
    ['an unterminated DOCTYPE', '<!DOCTYPE SmsRequest [ <!ENTITY a "b"'],
    [
      'an external entity',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><SmsRequest><to>&x;</to></SmsRequest>',
    ],
    ['a parameter entity', '<!DOCTYPE r [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]><SmsRequest/>'],
    ['an XML declaration inside the document', '<SmsRequest><!ENTITY a "b"><to>1</to></SmsRequest>'],
    ['an HTML entity', '<SmsRequest><to>&nbsp;</to></SmsRequest>'],
    ['an HTML entity in an attribute', '<SmsRequest a="&eacute;"/>'],
    ['an upper-case entity', '<SmsRequest><to>&AMP;</to></SmsRequest>'],
    ['an entity named like a method', '<SmsRequest><to>&constructor;&toString;</to></SmsRequest>'],
    ['a reference to NUL', '<SmsRequest><to>&#0;</to></SmsRequest>'],
    ['a reference to a surrogate', '<SmsRequest><to>&#xD800;</to></SmsRequest>'],
    ['a reference beyond Unicode', '<SmsRequest><to>&#x110000;</to></SmsRequest>'],
  ])('rejects %s', (_what, xml) => expect(errorOf(xml).reason).toBe('MALFORMED'));

  it('reports the envelope of a rejected request as far as it was parsed', () => {
    const open = `<e:Envelope xmlns:e="${SOAP_NAMESPACES.soap12}"><e:Body>`;
    expect(errorOf(`${open}<SmsRequest><to>`).envelope).toBe('soap12');
    expect(errorOf(enveloped(SOAP_NAMESPACES.soap11, '<e:Body/>')).envelope).toBe('soap11');
    expect(errorOf('<SmsRequest>').envelope).toBe('none');
  });

  /** Arbitrary text of the characters that XML 1.0 allows. */
  const xmlText = fc
    .string({ unit: anyCodePoint })

    .map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, ''));

  it('parses every escaped text back to the original', () => {
    const hostile = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", ']]>', '\r', '\n', ' ', 'a', '&amp;') });
    fc.assert(
      fc.property(fc.oneof(xmlText, hostile), (text) => {
        const { fields } = parseSmsRequest(
          `<SmsRequest><message>${escapeXml(text)}</message><variables><v a="${escapeXml(text)}">${escapeXml(text)}</v></variables></SmsRequest>`,
        );
        expect(fields).toEqual({ message: text, variables: new Map([['v', text]]) });
      }),
      { numRuns: 500 },
    );
  });
});
