import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { readEnvelope } from './read-envelope';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;
const METADATA = { display_phone_number: '15550783881', phone_number_id: '106' };

const read = (body: unknown, product = 'chatapp') => readEnvelope(body, product, NOW);
const envelope = (value: unknown) => ({
  object: 'chatapp_business_account',
  entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
});
const message = (more: object = {}) => ({
  id: 'wamid.1',
  from: '919876543210',
  timestamp: String(SECONDS),
  type: 'text',
  text: { body: 'hi' },
  ...more,
});
const readMessage = (more: object, metadata: unknown = METADATA) =>
  read(envelope({ metadata, messages: [message(more)] })).inbound[0];
const status = (more: object = {}) => ({ id: 'wamid.1', status: 'sent', timestamp: String(SECONDS), ...more });
const readStatus = (more: object) => read(envelope({ statuses: [status(more)] })).statuses[0];

describe('an envelope', () => {
  it.each([
    ['the neutral name', 'chatapp_business_account', 'chatapp', 1],
    ["the product's own name", 'whatsapp_business_account', 'whatsapp', 1],
    ['the neutral name of another product', 'chatapp_business_account', 'whatsapp', 1],
    ["another product's name", 'whatsapp_business_account', 'chatapp', 0],
    ['the name of a page', 'page', 'chatapp', 0],
    ['missing', undefined, 'chatapp', 0],
  ])('is parsed or ignored if its object is %s', (_what, object, product, count) => {
    expect(read({ ...envelope({ messages: [message()] }), object }, product).inbound).toHaveLength(count);
  });

  it.each([null, true, 7, 'text', [], {}, [[]], { object: 'chatapp_business_account' }].map((body) => [body]))(
    'contains nothing if it is %j',
    (body) => {
      expect(read(body)).toMatchObject({ inbound: [], statuses: [] });
    },
  );

  it('is parsed without its invalid parts', () => {
    const value = {
      metadata: METADATA,
      messages: [null, 7, [], {}, message({ id: '' }), message({ from: 'ann' }), message()],
      statuses: ['x', {}, status({ id: 7.5 }), status({ status: 'played' }), status({ status: 7 }), status()],
    };
    const body = {
      object: 'chatapp_business_account',
      entry: [
        null,
        'x',
        { changes: 'none' },
        { changes: [3, { field: 'calls', value }, { field: 'messages' }, { field: 'messages', value }] },
      ],
    };
    const { inbound, statuses, skipped } = read(body);
    expect([inbound.length, statuses.length]).toEqual([1, 1]);
    expect(skipped).toEqual({
      message: { ignored: 0, malformed: 6 },
      status: { ignored: 2, malformed: 3 },
      change: { ignored: 1, malformed: 3 },
    });
  });

  it('is parsed or ignored for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (one, two, three) => {
        const messages = [message({ id: one, from: two, type: three }), message({ timestamp: one, text: two }), three];
        const statuses = [status({ id: one, errors: two }), status({ timestamp: three, errors: [one] }), two];
        for (const body of [one, envelope(one), envelope({ metadata: one, messages, statuses })]) {
          const { inbound } = read(body);
          for (const row of inbound) {
            expect(row.sender).toMatch(/^\+\d{1,20}$/);
            expect(new Date(row.occurred_at).getTime()).toBeLessThanOrEqual(NOW.getTime() + 86_400_000);
          }
        }
      }),
    );
  });

  it('contains nothing and causes no stack overflow when it is nested as deeply as four megabytes allow', () => {
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(read(deep(2_000_000))).toMatchObject({ inbound: [], statuses: [] });
    const { inbound, skipped } = read(
      envelope({ metadata: deep(100_000), messages: [message({ text: deep(1_000_000) }), message()] }),
    );
    expect([inbound.length, skipped.message.malformed]).toEqual([1, 1]);
  });

  it('is parsed in time proportional to its size', () => {
    const make = (size: number) =>
      envelope({ metadata: METADATA, messages: Array.from({ length: size }, (_, n) => message({ id: `wamid.${n}` })) });
    expectLinear(40_000, make, read);
  });
});

describe('a message', () => {
  it('is parsed into the common fields, and stored completely', () => {
    const { id, ...row } = readMessage({ image: { id: '42' }, type: 'image' })!;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(row).toEqual({
      upstream_id: 'wamid.1',
      phone_number_id: '106',
      sender: '+919876543210',
      recipient: '+15550783881',
      type: 'image',
      occurred_at: NOW.toISOString(),
      media_id: '42',
      keyword_status: null,
      keyword_source: null,
      keyword_text: null,
      payload: message({ image: { id: '42' }, type: 'image' }),
    });
  });

  it.each([
    ['+1 555-078-3881', '+15550783881'],
    ['15550783881', '+15550783881'],
    ['(+1) 555.078.3881', '+15550783881'],
    [15550783881, '+15550783881'],
    ['', '106'],
    [undefined, '106'],
    ['1'.repeat(21), '106'],
    ['text', '106'],
  ])('with the displayed number %j belongs to %s', (displayed, recipient) => {
    expect(readMessage({}, { ...METADATA, display_phone_number: displayed })?.recipient).toBe(recipient);
  });

  it.each([[null], ['x'], [[]], [{}]])('with metadata %j has an unknown recipient', (metadata) => {
    expect(readMessage({}, metadata)).toMatchObject({ phone_number_id: '', recipient: '' });
  });

  it.each([
    [{ from: '919876543210' }, '+919876543210'],
    [{ from: '+919876543210' }, '+919876543210'],
    [{ from: 919876543210 }, '+919876543210'],
    [{ from: '919876543210', from_user_id: 'IN.1' }, '+919876543210'],
    [{ from: undefined, from_user_id: 'IN.13491208655' }, 'IN.13491208655'],
    [{ from: undefined, from_user_id: 'in 1' }, undefined],
    [{ from: undefined }, undefined],
    [{ from: '' }, undefined],
    [{ from: '1'.repeat(21) }, undefined],
    [{ from: '91 98765' }, undefined],
    [{ from: '٩١٩٨٧' }, undefined],
  ])('from %j has the sender %s', (who, sender) => {
    expect(readMessage(who)?.sender).toBe(sender);
  });

  it.each([
    [String(SECONDS - 60), -60],
    [SECONDS - 60, -60],
    [SECONDS + 86_400, 86_400],
    [SECONDS + 86_401, 0],
    [NOW.getTime(), 0],
    ['0', 0],
    ['-1', 0],
    ['1e9', 0],
    ['yesterday', 0],
    [946_684_799, 0],
    [undefined, 0],
    [null, 0],
    [NaN, 0],
    ['9'.repeat(400), 0],
  ])('with the timestamp %j has a time %i seconds from now', (timestamp, offset) => {
    expect(readMessage({ timestamp })?.occurred_at).toBe(new Date((SECONDS + offset) * 1000).toISOString());
  });

  it.each([
    ['reaction', 'reaction'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['x'.repeat(41), 'unknown'],
    ['__proto__', '__proto__'],
    ['', 'unknown'],
    [undefined, 'unknown'],
    [{}, 'unknown'],
  ])('with type %j is stored as %s', (type, kept) => {
    expect(readMessage({ type })?.type).toBe(kept);
  });

  it('has no id longer than 300 characters', () => {
    expect(readMessage({ id: 'x'.repeat(300) })?.upstream_id).toHaveLength(300);
    expect(readMessage({ id: 'x'.repeat(301) })).toBeUndefined();
    expect(readMessage({ type: 'image', image: { id: 'x'.repeat(301) } })?.media_id).toBeNull();
  });

  it('replaces characters that PostgreSQL cannot store', () => {
    const row = readMessage({ id: 'a\0b', text: { body: 'a\0b\ud800', 'k\0': ['\udc00', '👋'] } })!;
    expect(row.upstream_id).toBe('a\ufffdb');
    expect(row.payload['text']).toEqual({ body: 'a\ufffdb\ufffd', 'k\ufffd': ['\ufffd', '👋'] });
  });

  it('treats names of prototype properties as plain names', () => {
    const body = JSON.stringify(envelope({ messages: [message()] })).replace(
      '"text":{',
      '"__proto__":{"polluted":1},"constructor":{"prototype":{}},"text":{',
    );
    const row = read(JSON.parse(body)).inbound[0]!;
    expect(JSON.stringify(row.payload)).toContain('"__proto__":{"polluted":1},"constructor":{"prototype":{}}');
    expect('polluted' in {}).toBe(false);
  });
});

describe('a keyword', () => {
  const keyword = (body: unknown, more: object = {}) => readMessage({ text: { body }, ...more })?.keyword_source;

  it.each(['stop', 'unsubscribe', 'cancel', 'end', 'quit'])('for opt-out is %s', (word) => {
    expect(keyword(word)).toBe('keyword_stop');
    expect(readMessage({ text: { body: word } })?.keyword_status).toBe('opted_out');
  });

  it.each(['start', 'unstop', 'subscribe'])('for opt-in is %s', (word) => {
    expect(keyword(word)).toBe('keyword_start');
    expect(readMessage({ text: { body: word } })?.keyword_status).toBe('opted_in');
  });

  it.each(['STOP', 'Stop', 'sToP', '  stop  ', '\n\tstop\r\n', '\u00a0stop\u3000', '\ufeffstop'])(
    'matches in any case and with surrounding spaces: %j',
    (body) => {
      expect(keyword(body)).toBe('keyword_stop');
    },
  );

  it.each(['stop it', 'please stop', 'stop.', 'stopp', 'st op', 'stop stop', '"stop"', 'halt', '', ' ', 'no'])(
    'does not match %j',
    (body) => {
      expect(keyword(body)).toBeNull();
    },
  );

  it.each([
    ['the text of a button', { type: 'button', button: { text: 'Stop', payload: 'P-1' } }],
    ['the payload of a button', { type: 'button', button: { text: 'No more of this', payload: 'STOP' } }],
    ['the title of a reply', { type: 'interactive', interactive: { button_reply: { id: '1', title: ' STOP ' } } }],
    ['the id of a reply', { type: 'interactive', interactive: { button_reply: { id: 'stop', title: 'No thanks' } } }],
    ['the title of a row', { type: 'interactive', interactive: { list_reply: { id: '1', title: 'Unsubscribe' } } }],
  ])('matches as %s', (_what, more) => {
    const row = readMessage({ text: undefined, ...more });
    expect(row?.keyword_source).toBe('keyword_stop');
    expect(row?.keyword_text).toMatch(/stop|unsubscribe/i);
  });

  it.each([
    ['a part of a title', { type: 'interactive', interactive: { button_reply: { id: '1', title: 'Stop now' } } }],
    ['the result of a flow', { type: 'interactive', interactive: { nfm_reply: { response_json: '{"a":"stop"}' } } }],
    ['a caption', { type: 'image', image: { id: '1', caption: 'stop' } }],
    ['a text field of another type', { type: 'reaction' }],
    ['a body that is not text', { text: { body: ['stop'] } }],
    ['a text that is not an object', { text: 'stop' }],
  ])('does not match in %s', (_what, more) => {
    expect(keyword('stop', more)).toBeNull();
  });
});

describe('a status', () => {
  const CALLBACK = '0198f0a0-1111-7222-8333-444455556666';

  it('is parsed with its error and the id of the service', () => {
    const errors = [
      { code: 131_026, title: 'Undeliverable', message: 'longer', error_data: { details: 'x' } },
      { code: 1, title: 'second' },
    ];
    expect(readStatus({ status: 'failed', errors, biz_opaque_callback_data: CALLBACK })).toEqual({
      upstream_id: 'wamid.1',
      callback_id: CALLBACK,
      status: 'failed',
      occurred_at: NOW.toISOString(),
      error: 'Undeliverable',
      error_code: 131_026,
    });
  });

  it.each(['sent', 'delivered', 'read', 'failed'])('can be %s', (known) => {
    expect(readStatus({ status: known })?.status).toBe(known);
  });

  it.each(['played', 'deleted', 'warning', 'SENT', ' sent', '', null, 7, ['sent'], '__proto__'])(
    'is ignored when it is %j',
    (unknown) => {
      const { statuses, skipped } = read(envelope({ statuses: [status({ status: unknown })] }));
      expect([statuses, skipped.status]).toEqual([[], { ignored: 1, malformed: 0 }]);
    },
  );

  it.each([
    [[{ message: 'only this', code: 5 }], 'only this', 5],
    [[{ title: '', message: 'then this' }], 'then this', null],
    [[{ title: 7, code: '5' }], null, null],
    [[{ title: 'x'.repeat(2_000), code: 1e300 }], 'x'.repeat(1_000), null],
    [[{ title: `${'x'.repeat(999)}👋` }], `${'x'.repeat(999)}\ufffd`, null],
    [[], null, null],
    [null, null, null],
    ['x', null, null],
    [[null], null, null],
  ])('with the errors %j uses the first one', (errors, error, code) => {
    const row = readStatus({ errors });
    expect(row?.error_code).toBe(code);
    expect(row?.error).toBe(error);
  });

  it.each(['campaign', '', 7, null, `${CALLBACK}x`, [CALLBACK]])('ignores %j as callback data', (data) => {
    expect(readStatus({ biz_opaque_callback_data: data })?.callback_id).toBeNull();
  });
});
