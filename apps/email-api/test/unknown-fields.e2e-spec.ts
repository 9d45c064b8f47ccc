import { send as sendMail } from './calls';
import { V1Calls } from './v1-calls';

describe('a name that no field of an email call has', () => {
  let v1: V1Calls;
  beforeAll(async () => {
    v1 = await V1Calls.start();
  });

  const mail = { to: 'ann@example.com', subject: 'Hi', text: 'Hi' };
  const send = (fields: object) => sendMail(v1.email, v1.tenant.key, { ...mail, ...fields });

  it.each([
    ['attachments', [], '`attachments` is a field of POST /api/v1/email/send.'],
    ['headers', {}, '`headers` is a field of POST /api/v1/email/send.'],
    ['tags', [], '`tags` is a field of POST /api/v1/email/send.'],
    ['from_name', 'Ann', 'Did you mean fromName?'],
    ['template_id', 'x', 'Did you mean template?'],
    ['scheduled_at', '2099-01-01T10:00:00Z', 'Did you mean scheduledAt?'],
    ['body', 'Hi', 'Its fields are '],
  ])('such as %s refuses POST /email/send and is explained', async (name, value, advice) => {
    const answer = await send({ [name]: value });
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body['message']).toContain(`${name} is not a field of this call. `);
    expect(answer.body['message']).toContain(advice);
  });

  it.each([{ cc: 'eve@example.com' }, { bcc: ['eve@example.com'] }])('such as %j is not dropped', async (field) => {
    expect(await send(field)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('is refused in an object of the API, with its path', async () => {
    const answer = await send({ tracking: { open: false } });
    expect(answer.body['message']).toBe('tracking.open is not a field of this call. Did you mean tracking.opens?');
    const attachment = { filename: 'a.txt', content: '', contentType: 'text/plain' };
    const { body } = await v1.post('/send', { ...mail, attachments: [attachment] });
    expect(body.fields).toMatchObject([{ field: 'attachments[0].contentType' }]);
  });

  it('may be any name in a map of the caller', async () => {
    const { status } = await v1.post('/send', {
      ...mail,
      variables: { scheduledAt: 'x', deep: { any: 1 } },
      headers: { 'X-Any': 'x' },
    });
    expect(status).toBe(202);
  });

  it('refuses the whole bulk if one recipient has it', async () => {
    const recipients = [{ to: 'ann@example.com' }, { to: 'bob@example.com', varaibles: {} }];
    const { status, body } = await v1.post('/bulk', { subject: 'Hi', text: 'Hi', recipients });
    expect([status, body.fields]).toMatchObject([400, [{ field: 'recipients[1].varaibles' }]]);
  });

  it('refuses a list of v1', async () => {
    const { status, body } = await v1.get('/messages?page=2');
    expect([status, body.fields]).toMatchObject([400, [{ field: 'page' }]]);
  });
});
