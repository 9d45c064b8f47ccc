/** A request body that is as expensive as its size allows. */
export interface HostileBody {
  name: string;
  type: string;
  bytes: Buffer;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Values of a few bytes each, and the size of a body with about the maximum number of values. */
const SMALL_VALUES = new Set(['numbers', 'strings', 'arrays', 'objects', 'members', 'nested']);
const MANY_VALUES = 40_000;
/** Paths that accept many values. */
const BULK = /\/bulk$/;

/** Fills `size` bytes with repetitions of `item`, separated by commas. */
const repeated = (item: string, size: number): string =>
  `${item},`.repeat(Math.max(1, Math.floor(size / (item.length + 1)))).slice(0, -1);

const members = (size: number): string => {
  const count = Math.floor(size / 12);
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
};

/** JSON texts of expensive values of about `size` bytes. */
const VALUES: Readonly<Record<string, (size: number) => string>> = {
  text: (size) => `"${'x'.repeat(size)}"`,
  spaces: (size) => `"${' '.repeat(size)}"`,
  escapes: (size) => `"${'\\u0041'.repeat(size / 6)}"`,
  multibyte: (size) => `"${'ü€'.repeat(size / 5)}"`,
  digits: (size) => `"${'1'.repeat(size)}"`,
  dots: (size) => `"a@${'a.'.repeat(size / 2)}"`,
  placeholders: (size) => `"${'{{a}}'.repeat(size / 5)}"`,
  openings: (size) => `"${'{{'.repeat(size / 2)}"`,
  links: (size) => `"${'<a href=http://a.b/c>'.repeat(size / 21)}"`,
  tags: (size) => `"${'<'.repeat(size)}"`,
  numbers: (size) => `[${repeated('1', size)}]`,
  strings: (size) => `[${repeated('"a"', size)}]`,
  addresses: (size) => `[${repeated('"a@b.example"', size)}]`,
  arrays: (size) => `[${repeated('[]', size)}]`,
  objects: (size) => `[${repeated('{}', size)}]`,
  members: (size) => `{${members(size)}}`,
  nested: (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
};

const json = (name: string, text: string): HostileBody => ({ name, type: JSON_TYPE, bytes: Buffer.from(text) });

/** Bodies of about `size` bytes that are expensive to parse for any operation. */
export function unreadableBodies(size: number): HostileBody[] {
  const invalid = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(size, 0xff), Buffer.from('"}')]);
  return [
    ...Object.entries(VALUES).map(([name, value]) => json(`unknown field, ${name}`, `{"a":${value(size)}}`)),
    json('unknown fields', `{${members(size)}}`),
    json('repeated field', `{${repeated('"a":1', size)}}`),
    json('cut off', `{"a":[${repeated('{}', size)}`),
    { name: 'broken UTF-8', type: JSON_TYPE, bytes: invalid },
    { name: 'form', type: FORM_TYPE, bytes: Buffer.from('a=%41&'.repeat(size / 6)) },
    { name: 'form of names', type: FORM_TYPE, bytes: Buffer.from(formOf(size)) },
    { name: 'form, broken UTF-8', type: FORM_TYPE, bytes: Buffer.from('a=%ff&'.repeat(size / 6)) },
    { name: 'XML', type: 'text/xml', bytes: Buffer.from(`<a>${'<b c="&amp;"/>'.repeat(size / 14)}</a>`) },
    { name: 'multipart', type: 'multipart/form-data; boundary=b', bytes: Buffer.from(multipartOf(size)) },
  ];
}

/** Bodies of about `size` bytes with expensive values of equal length in all fields, or in one field. */
export function invalidBodies(fields: readonly string[], size: number): HostileBody[] {
  if (fields.length === 0) return [];
  // Not more values than a body may have, so that the values are validated.
  const most = (name: string, part: number) =>
    SMALL_VALUES.has(name) ? Math.min(part, MANY_VALUES / fields.length) : part;
  return Object.entries(VALUES).map(([name, value]) => {
    const part = Math.floor(most(name, size / fields.length));
    return json(
      `all fields, ${name}`,
      `{${fields.map((field) => `${JSON.stringify(field)}:${value(part)}`).join(',')}}`,
    );
  });
}

const bulkOf = (content: object, value: (size: number) => string): string =>
  `${JSON.stringify(content).slice(0, -1)},"recipients":[{"to":"x","variables":${value(2_000_000)}}]}`;

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `reader-${index}@elsewhere.example`);
const variables = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`v${index}`, 'x'.repeat(200)]));
const links = (count: number): string => '<a href=http://a.b/c>x</a>'.repeat(count);

/** Bodies that an operation accepts, as large as its limits allow. */
const LARGEST_ACCEPTED: Readonly<Record<string, (sender: string) => Record<string, object>>> = {
  '/email/send': (from) => ({
    '150,000 links': { from, to: addresses(1)[0], subject: 'x', html: links(150_000) },
    '1,000 recipients': { from, to: addresses(1_000), subject: 'x', html: links(1_000) },
  }),
  '/api/v1/email/bulk': (from) => ({
    '1,000 recipients': {
      from,
      subject: '{{ v0 }}',
      html: `${links(200)}{{ v1 }}`,
      text: '{{ v2 }} '.repeat(500),
      recipients: addresses(1_000).map((to) => ({ to, variables })),
    },
  }),
  '/api/v1/sms/bulk': () => ({
    '1,000 recipients': {
      sender_id: 'BENCHS',
      message: 'Your code is 123456',
      recipients: addresses(1_000).map((_, index) => ({ to: `+9198765${10_000 + index}`, variables })),
    },
  }),
};

/** The largest bodies that are accepted by an operation. */
export function acceptedBodies(path: string, sender: string): HostileBody[] {
  const accepted = LARGEST_ACCEPTED[path]?.(sender) ?? {};
  return [
    ...Object.entries(accepted).map(([name, body]) => json(name, JSON.stringify(body))),
    ...Object.entries(VALUES)
      .filter(([name]) => BULK.test(path) && SMALL_VALUES.has(name))
      .map(([name, value]) => json(`one recipient, ${name}`, bulkOf({ from: sender }, value))),
  ];
}

const formOf = (size: number): string => Array.from({ length: size / 10 }, (_, index) => `k${index}=1`).join('&');

const multipartOf = (size: number): string =>
  `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(size / 52)}--b--\r\n`;
