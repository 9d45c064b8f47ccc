import { unique, type HttpResponse } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';
import { FORM_TYPE, formOf } from './media-upload';

describe('the limits of an organization', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    const environment = { LIMITS_CHATAPP_TEMPLATES: '2', LIMITS_CHATAPP_MEDIA: '2', LIMITS_CHATAPP_CONSENTS: '2' };
    chatapp = await (await ChatappFixture.shared()).beside(environment);
  });
  afterAll(() => chatapp.service.stop());

  const CREATIONS: Record<string, (tenant: ChatappTenant) => Promise<HttpResponse>> = {
    LIMITS_CHATAPP_TEMPLATES: ({ key }) =>
      chatapp.post(key, '/chatapp/templates', {
        name: `t_${unique()}`,
        language: 'en_US',
        category: 'utility',
        components: [{ type: 'BODY', text: 'Hello' }],
      }),
    LIMITS_CHATAPP_MEDIA: ({ key }) =>
      chatapp.call('/chatapp/media', {
        method: 'POST',
        key,
        headers: { 'Content-Type': FORM_TYPE },
        body: formOf([{ bytes: unique() }]),
      }),
    LIMITS_CHATAPP_CONSENTS: ({ key }) => chatapp.post(key, '/chatapp/consents', { number: newNumber() }),
  };

  it.each(Object.keys(CREATIONS))(
    '%s applies to concurrent calls, which get 409 LIMIT_REACHED above the limit',
    async (setting) => {
      const one = await chatapp.tenant();
      const other = await chatapp.tenant();
      const create = CREATIONS[setting]!;
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(one)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
      expect((await create(one)).body).toEqual({
        code: 'LIMIT_REACHED',
        message: expect.stringContaining(`raise ${setting}`) as string,
      });
      expect((await create(other)).status).toBe(200);
    },
  );

  it('allow an organization to change an existing consent', async () => {
    const { key } = await chatapp.tenant();
    const numbers = [newNumber(), newNumber()];
    const record = (number: string, status: string) => chatapp.post(key, '/chatapp/consents', { number, status });
    for (const number of numbers) expect((await record(number, 'opted_in')).status).toBe(200);
    expect((await record(newNumber(), 'opted_out')).status).toBe(409);
    expect((await record(numbers[0]!, 'opted_out')).status).toBe(200);
  });
});
