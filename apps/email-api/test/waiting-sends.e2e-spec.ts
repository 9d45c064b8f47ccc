import { until } from '@heliograph/testing';
import { EmailFixture, type EmailTenant } from './email-fixture';
import { V1Calls } from './v1-calls';

const SENDS = 12;
const RECIPIENTS = 150;
/** The slices of all sends, and of those in progress. If sends kept their slots, more than 1,000 mails would precede. */
const FEW = 25 * (SENDS + 8);

describe('an organization whose sends to many recipients use all slots of the worker', () => {
  let email: EmailFixture;
  let v1: V1Calls;
  let busy: EmailTenant;
  let neighbour: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.start({ environment: { EMAIL_SEND_CONCURRENCY: '4', EMAIL_SMTP_CONNECTIONS: '2' } });
    v1 = await V1Calls.start(email);
    busy = await email.tenant({ credits: 10_000 });
    neighbour = await email.tenant();
  });
  afterAll(() => email.stop());

  const sendToMany = async (name: string, count: number): Promise<void> => {
    const to = Array.from({ length: count }, (_, index) => `${name}-${index}@example.com`);
    expect((await v1.post('/send', { to, subject: 'Hi', text: 'Hi' }, busy.key)).status).toBe(202);
  };
  const sentTo = (prefix: string): string[] => {
    const recipients = email.mailbox.mails().flatMap(({ envelope }) => envelope.to);
    return recipients.filter((address) => address.startsWith(prefix));
  };

  it('gets each recipient one mail, although its sends return to their lane', async () => {
    for (let send = 0; send < 6; send += 1) await sendToMany(`few-${send}`, 60);
    await until('all mails are sent', () => sentTo('few-').length >= 360);
    await until('all sends have ended', async () => {
      const open = await email.rows(`SELECT FROM email.messages WHERE status <> 'sent' OR lease_until IS NOT NULL`);
      return open.length === 0;
    });
    expect(new Set(sentTo('few-')).size).toBe(360);
    expect(sentTo('few-')).toHaveLength(360);
    expect(await email.balance(busy.workspaceId)).toBe(10_000 - 360);
  });

  it('does not delay the single email of its neighbour until they are sent', async () => {
    for (let send = 0; send < SENDS; send += 1) await sendToMany(`many-${send}`, RECIPIENTS);
    await until('mails of the first organization are sent', () => sentTo('many-').length > 20);
    const to = email.recipient();
    expect((await v1.post('/send', { to: [to], subject: 'Hi', text: 'Hi' }, neighbour.key)).status).toBe(202);
    const before = email.mailbox.mails().length;
    await until('the email of the neighbour is sent', () => email.mailbox.mails(to).length > 0);
    const place = email.mailbox.mails().findIndex(({ envelope }) => envelope.to.includes(to)) - before;
    expect(place).toBeLessThan(FEW);
    expect(new Set(sentTo('many-')).size).toBe(sentTo('many-').length);
  });
});
