import { loggableBody, MAX_BODY_LENGTH } from './loggable-body';

describe('the body of a call in the request log', () => {
  const shown = (body: unknown): unknown => JSON.parse(loggableBody(body));

  it('contains no secrets, one-time codes, full telephone numbers or email addresses', () => {
    const body = {
      to: ['+919876543210', '98765 43210', '(0049) 170-555-0199'],
      number: 919876543210,
      from: 'Ann Field <ann.field@example.com>',
      message: 'Dear Ann, your code is 482913. Call 080-2345-6789.',
      variables: { otp: 'ab12', newPassword: 'long enough', 'a@b.example': 1 },
      secret: 'whsec_1',
      key: 'msg_test_0123456789abcdefghijABCDEFGHIJ0123456789',
      text: 'Signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.',
      api_key: 'sms_live_1',
    };
    expect(shown(body)).toEqual({
      to: ['…3210', '…3210', '(…0199'],
      number: '…3210',
      from: 'Ann Field <…@example.com>',
      message: 'Dear Ann, your code is …. Call …6789.',
      variables: { otp: '…', newPassword: '…', '…@b.example': 1 },
      secret: '…',
      key: '…',
      text: 'Signed with ….',
      api_key: '…',
    });
  });

  it('contains what explains an error: ids, timestamps, small numbers, flags and empty values', () => {
    const body = {
      template_id: '0192f3d4-5a6b-7c8d-9e0f-123456789abc',
      dlt_template_id: '1207161234567890123',
      scheduled_at: '2026-11-20T10:12:28.000Z',
      limit: 101,
      dry_run: true,
      group: null,
      list: [],
    };
    expect(shown({ ...body, absent: undefined })).toEqual(body);
  });

  it('is short for a large or deep body', () => {
    const recipients = Array.from({ length: 100_000 }, (_, index) => ({ to: `name${index}@example.com`, n: index }));
    expect(loggableBody({ recipients }).length).toBeLessThan(2 * MAX_BODY_LENGTH);
    expect(loggableBody({ html: 'x'.repeat(1_000_000) }).length).toBeLessThan(2 * MAX_BODY_LENGTH);
    let deep: object = {};
    for (let depth = 0; depth < 10_000; depth++) deep = { deep };
    expect(loggableBody(deep).length).toBeLessThan(2 * MAX_BODY_LENGTH);
  });
});
