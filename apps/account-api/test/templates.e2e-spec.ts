import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { OneTemplate, TemplatePage } from '../src/channels/sms/sms.dto';
import type { Preview } from '../src/channels/sms/template-preview.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const TEMPLATES = '/api/organization/sms/templates';

describe('an SMS template', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let onboardingId: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    const body = { name: 'india', country: 'IN' };
    const path = '/api/organization/sms/onboardings';
    const { data } = await fixture.call<{ onboarding: { id: string } }>('POST', path, { key: tenant.key, body });
    onboardingId = data.onboarding.id;
  });

  const create = (body: object) =>
    fixture.call<OneTemplate>('POST', TEMPLATES, {
      key: tenant.key,
      body: { name: `otp-${unique()}`, onboardingId, body: 'Your code is {{code}}', ...body },
    });
  const change = (id: string, body: object) =>
    fixture.call<OneTemplate>('PATCH', `${TEMPLATES}/${id}`, { key: tenant.key, body });
  const preview = (body: object) => fixture.call<Preview>('POST', `${TEMPLATES}/preview`, { key: tenant.key, body });

  it('is created active and lists its variables', async () => {
    const name = `otp-${unique()}`;
    const { status, data } = await create({ name, body: '{{ a }} {#var#} {{b}} {{a}} {#var#}' });
    const { id, body, createdAt } = data.template;
    expect(status).toBe(201);
    expect(data.template).toEqual({
      id,
      name,
      onboardingId,
      body,
      variables: ['a', 'var1', 'b', 'var2'],
      dltTemplateId: null,
      isActive: true,
      createdAt,
    });
    expect((await fixture.call('GET', `${TEMPLATES}/${id}`, { key: tenant.key })).data).toEqual(data);
  });

  it('can be updated in body, name and DLT id, and deactivated', async () => {
    const { template } = (await create({ dltTemplateId: '1107' })).data;
    const changes = { body: 'Hello {{name}}', name: `new-${unique()}`, dltTemplateId: null, isActive: false };
    expect((await change(template.id, changes)).data.template).toEqual({
      ...template,
      ...changes,
      variables: ['name'],
    });
    expect((await change(template.id, { isActive: true })).data.template).toMatchObject({ ...changes, isActive: true });
    expect((await change(template.id, { onboardingId: newId() })).status).toBe(422);
  });

  it.each([
    ['name', { name: '' }],
    ['body', { body: '' }],
    ['body', { body: ' \n' }],
    ['body', { body: 'a\0b' }],
    ['body', { body: '\ud83d' }],
    ['body', { body: 'x'.repeat(39_016) }],
    ['body', { body: '{{a}}'.repeat(101) }],
    ['body', { body: 7 }],
    ['dltTemplateId', { dltTemplateId: 'x' }],
    ['isActive', { isActive: 1 }],
  ])('is rejected with a message about %s', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
    const { template } = (await create({})).data;
    expect((await change(template.id, body)).status).toBe(422);
  });

  it('has a name that is unique in its onboarding, and requires an existing onboarding', async () => {
    const { template } = (await create({})).data;
    const taken = { status: 409, error: { code: 'NAME_TAKEN' } };
    expect(await create({ name: template.name })).toMatchObject(taken);
    expect(await change((await create({})).data.template.id, { name: template.name })).toMatchObject(taken);
    expect(await create({ onboardingId: newId() })).toMatchObject({ status: 404 });
  });

  it('is listed by state', async () => {
    const { template } = (await create({ isActive: false })).data;
    const list = async (isActive: boolean) => {
      const query = `?limit=100&onboardingId=${onboardingId}&isActive=${isActive}`;
      const { data } = await fixture.call<TemplatePage>('GET', `${TEMPLATES}${query}`, { key: tenant.key });
      return data.templates.map(({ id }) => id);
    };
    expect([(await list(false)).includes(template.id), (await list(true)).includes(template.id)]).toEqual([
      true,
      false,
    ]);
  });

  describe('in a preview', () => {
    beforeAll(() => fixture.call('PUT', '/api/platform/sms/rates/DE', { operator: true, body: { rate: 3 } }));

    // Capacity of a single segment and of segments of a long message: 3GPP TS 23.038 and 23.040.
    it.each([
      ['gsm-7', 'a', 1, 1, 1, 159],
      ['gsm-7', 'a', 160, 1, 160, 0],
      ['gsm-7', 'a', 161, 2, 8, 145],
      ['gsm-7', 'a', 306, 2, 153, 0],
      ['gsm-7', 'a', 307, 3, 1, 152],
      ['gsm-7', '€', 80, 1, 160, 0],
      ['gsm-7', '€', 81, 2, 10, 143],
      ['ucs-2', 'न', 70, 1, 70, 0],
      ['ucs-2', 'न', 71, 2, 4, 63],
      ['ucs-2', 'न', 134, 2, 67, 0],
      ['ucs-2', 'न', 135, 3, 1, 66],
      ['ucs-2', '😀', 35, 1, 70, 0],
      ['ucs-2', '😀', 36, 2, 6, 61],
    ])(
      'uses %s: "%s" repeated %d times needs %d segments, the last with %d used and %d remaining units',
      async (encoding, letter, times, segments, unitsUsed, unitsLeft) => {
        const { status, data } = await preview({ body: '{{text}}', variables: { text: letter.repeat(times) } });
        expect(status).toBe(200);
        expect(data).toEqual({
          body: letter.repeat(times),
          encoding,
          segments,
          unitsUsed,
          unitsLeft,
          creditsCost: segments,
          missing: [],
        });
      },
    );

    it('uses the rate of the country, and 1 credit per segment by default', async () => {
      const body = 'a'.repeat(161);
      expect((await preview({ body, country: 'DE' })).data.creditsCost).toBe(6);
      expect((await preview({ body, country: 'FR' })).data.creditsCost).toBe(2);
      for (const country of ['de', 'XX', '', null]) expect((await preview({ body, country })).status).toBe(422);
    });

    it('lists missing variables and shows them as placeholders', async () => {
      const { data } = await preview({ body: 'Hi {{name}}, {{code}} {#var#}', variables: { code: 7, other: 'x' } });
      expect(data).toMatchObject({ body: 'Hi {{name}}, 7 {{var}}', missing: ['name', 'var'] });
      const filled = await preview({ body: '{{a}}{{b}}', variables: { a: true, b: '' } });
      expect(filled.data).toMatchObject({ body: 'true', missing: [] });
    });

    it.each([
      ['variables', { variables: { a: null } }],
      ['variables', { variables: { a: {} } }],
      ['variables', { variables: ['a'] }],
      ['variables', { variables: null }],
      ['variables', { variables: { a: '\ud800' } }],
      ['variables', { body: '{{a}}', variables: { a: ' ' } }],
      ['variables', { body: '{{a}}', variables: { a: 'x'.repeat(50_000) } }],
      ['body', { body: '' }],
    ])('is rejected with a message about %s: %#', async (field, given) => {
      const { status, error } = await preview({ body: 'x {{a}}', ...given });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(new RegExp(`^${field}: `));
    });

    it('treats property names of prototypes as ordinary variables', async () => {
      const body = '{{constructor}} {{__proto__}} {{toString}}';
      expect((await preview({ body })).data.missing).toEqual(['constructor', '__proto__', 'toString']);
      const text = `{"body": "${body}", "variables": {"constructor": "a", "__proto__": "b", "toString": "c"}}`;
      const { data } = await fixture.call<Preview>('POST', `${TEMPLATES}/preview`, { key: tenant.key, body: text });
      expect(data).toMatchObject({ body: 'a b c', missing: [] });
    });

    it('stores nothing', async () => {
      const count = async () => (await fixture.database.query('SELECT FROM audit.entries')).length;
      const before = await count();
      await preview({ body: 'x' });
      expect(await count()).toBe(before);
    });
  });
});
