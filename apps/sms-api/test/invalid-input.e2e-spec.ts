import { call, codeOf, postForm, postJson, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('invalid input', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 10_000 });
  });

  const valid = (): Record<string, unknown> => ({ from: tenant.sender.header, to: sms.recipient(), message: 'x' });
  const expectRefusal = (answer: Answer, code = 'INVALID_REQUEST') => {
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    expect(answer.body).toEqual({ code, message: expect.any(String) as string });
  };

  describe('in JSON', () => {
    it.each([
      ['an empty body', ''],
      ['white space', '   '],
      ['an incomplete object', '{"from":'],
      ['a trailing comma', '{"from":"x",}'],
      ['text', '"from"'],
      ['a number', '7'],
      ['null', 'null'],
      ['true', 'true'],
      ['an array', '[{"from":"x"}]'],
      ['two objects', '{}{}'],
      ['a comment', '{/* */}'],
      ['NaN', '{"from":NaN}'],
    ])('%s gets INVALID_REQUEST', async (_what, body) => expectRefusal(await postJson(sms, tenant.key, body)));

    it.each([
      ['from', 'INVALID_SENDER'],
      ['to', 'INVALID_RECIPIENT'],
      ['template', 'INVALID_TEMPLATE'],
      ['message', 'INVALID_REQUEST'],
    ])('a field %s that is not text gets %s', async (field, code) => {
      for (const wrong of [7, 919876543210, true, {}, [], ['x'], { toString: 'x' }]) {
        expectRefusal(await postJson(sms, tenant.key, { ...valid(), [field]: wrong }), code);
      }
    });

    it.each([
      ['from', 'INVALID_SENDER'],
      ['to', 'INVALID_RECIPIENT'],
      ['template', 'INVALID_TEMPLATE'],
      ['message', 'INVALID_REQUEST'],
      ['flash', 'INVALID_REQUEST'],
      ['scheduledAt', 'INVALID_SCHEDULED_AT'],
    ])('an object with property names of prototypes as %s gets %s', async (field, code) => {
      for (const hostile of ['{"constructor":1}', '{"__proto__":{"polluted":1}}', '{"prototype":1}']) {
        const body = JSON.stringify({ ...valid(), [field]: 0 }).replace(`"${field}":0`, `"${field}":${hostile}`);
        const answer = await postJson(sms, tenant.key, body);
        expectRefusal(answer, code);
        expect((answer.body as { message: string }).message).toContain(field);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it.each(['true', 'false', 1, 0, '', {}, []])('the value %j of flash gets INVALID_REQUEST', async (flash) => {
      expectRefusal(await postJson(sms, tenant.key, { ...valid(), flash }));
    });

    it.each([
      ['from', 'INVALID_SENDER'],
      ['to', 'INVALID_RECIPIENT'],
      ['template', 'INVALID_TEMPLATE'],
      ['message', 'INVALID_REQUEST'],
    ])('NUL and unpaired surrogates in %s get %s', async (field, code) => {
      for (const wrong of ['a\u0000b', '\ud800', 'x\udc00', '\udc00\ud800']) {
        expectRefusal(await postJson(sms, tenant.key, { ...valid(), [field]: wrong }), code);
      }
    });

    it('invalid UTF-8 gets the error code of its field', async () => {
      const { from, to } = valid();
      const body = (field: string) =>
        Buffer.concat([
          Buffer.from(`{"from":"${String(from)}","to":"${String(to)}","${field}":"a`),
          Buffer.from([0xc3, 0x28, 0xff]),
          Buffer.from('"}'),
        ]);
      expectRefusal(await postJson(sms, tenant.key, body('message')));
      expectRefusal(await postJson(sms, tenant.key, body('template')), 'INVALID_TEMPLATE');
      expectRefusal(await postJson(sms, tenant.key, body('unknown')));
    });

    it('null is treated as absent', async () => {
      const fields = { ...valid(), template: null, variables: null, flash: null, scheduledAt: null };
      expect((await postJson(sms, tenant.key, fields)).body).toMatchObject({ ok: true, flash: false });
      expectRefusal(await postJson(sms, tenant.key, { ...valid(), from: null }), 'INVALID_SENDER');
    });

    it.each([{ balance: -1 }, { workspaceId: 'x' }, { organizationId: {} }, { creditsCost: 0 }, { ok: [[]] }])(
      'the unknown field %j gets INVALID_REQUEST',
      async (field) => expectRefusal(await postJson(sms, tenant.key, { ...valid(), ...field })),
    );

    it('__proto__ and constructor are refused like other unknown fields', async () => {
      const body = JSON.stringify(valid());
      const polluted = `${body.slice(0, -1)},"__proto__":{"flash":true,"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
      expectRefusal(await postJson(sms, tenant.key, polluted));
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      const alone = '{"__proto__":{"from":"x","to":"y"}}';
      expectRefusal(await postJson(sms, tenant.key, alone));
    });

    it.each([33, 1_000, 100_000])('%i levels of nesting get INVALID_REQUEST', async (depth) => {
      const body = `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      expectRefusal(await postJson(sms, tenant.key, body));
    });

    it.each(['text/plain', 'application/octet-stream', 'x', 'application/json; charset=latin1'])(
      'the Content-Type %s gets INVALID_REQUEST',
      async (type) => {
        const answer = await call(sms, '/sms/send', {
          method: 'POST',
          key: tenant.key,
          headers: { 'Content-Type': type },
          body: '{}',
        });
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      },
    );

    it('a byte order mark is accepted', async () => {
      expect((await postJson(sms, tenant.key, `\ufeff${JSON.stringify(valid())}`)).body).toMatchObject({ ok: true });
    });
  });

  describe.each(['form', 'GET'])('as %s', (style) => {
    const send = (body: string) =>
      style === 'form' ? postForm(sms, tenant.key, body) : call(sms, `/sms/send?${body}`, { key: tenant.key });
    const encoded = () => `from=${tenant.sender.header}&to=${encodeURIComponent(sms.recipient())}&message=x`;

    it.each([
      'from=a',
      'to=a',
      'message=y',
      'message=x',
      'template=a&template=a',
      'var.a=1&var.a=2',
      'flash=1&flash=1',
    ])('a repeated field (%s) gets INVALID_REQUEST', async (again) =>
      expectRefusal(await send(`${encoded()}&${again}`)),
    );

    it('a field and its alias are not a repetition', async () => {
      expect((await send(`${encoded()}&text=y&body=z`)).body).toMatchObject({ ok: true });
    });

    it.each([
      ['message', '%00', 'INVALID_REQUEST'],
      ['template', 'a%00b', 'INVALID_TEMPLATE'],
      ['template', '%ff%fe', 'INVALID_TEMPLATE'],
      ['template', '%ed%a0%80', 'INVALID_TEMPLATE'],
      ['template', '%c0%af', 'INVALID_TEMPLATE'],
      ['var.code', '%ff', 'INVALID_VARIABLES'],
      ['scheduledAt', '%00', 'INVALID_SCHEDULED_AT'],
    ])('%s=%s gets %s', async (field, value, code) => {
      const base = `from=${tenant.sender.header}&to=${encodeURIComponent(sms.recipient())}`;
      expectRefusal(await send(`${base}&${field}=${value}`), code);
    });

    it('brackets and prototype names have no special meaning', async () => {
      const { body } = await send(`${encoded()}&__proto__[flash]=true&constructor.prototype=1&var.__proto__=1&to[]=x`);
      expect(body).toMatchObject({ ok: true, flash: false });
    });

    it('more than 1,000 fields get INVALID_REQUEST', async () => {
      expectRefusal(await send(`${encoded()}&${'a&'.repeat(1_001)}`));
    });
  });

  it('an empty form gets INVALID_SENDER', async () => {
    expectRefusal(await postForm(sms, tenant.key, ''), 'INVALID_SENDER');
  });

  it('is not charged', async () => {
    const own = await sms.tenant({ credits: 3 });
    await postJson(sms, own.key, { from: own.sender.header, to: 'x', message: 'x' });
    await postJson(sms, own.key, '{');
    expect((await call(sms, '/sms/balance', { key: own.key })).body['balance']).toBe(3);
  });
});
