import { until } from '@heliograph/testing';
import { carrierAccount, SmsFixture, type SmsTenant } from './sms-fixture';
import { V1Calls } from './v1-calls';

const CALLS = 3;
const RECIPIENTS = 1_000;
const CONCURRENCY = 20;
/** The messages that the worker holds, and those of the window in the broker. Without a window, more than 2,000 would precede. */
const FEW = CONCURRENCY + 500;

describe('an organization whose messages wait for the carrier', () => {
  let sms: SmsFixture;
  let v1: V1Calls;
  let busy: SmsTenant;
  let neighbour: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.start({
      environment: { SMS_SEND_CONCURRENCY: String(CONCURRENCY) },
      carriers: (port) => [carrierAccount(port, { binds: 1, windowSize: 1 })],
    });
    v1 = await V1Calls.start(sms);
    busy = await sms.tenant({ credits: 10_000 });
    neighbour = await sms.tenant();
  });
  afterAll(() => sms.stop());

  const fields = ({ sender, template }: SmsTenant) => ({ sender_id: sender.id, template_id: template.id });

  it('does not delay the single message of its neighbour until they are sent', async () => {
    for (let call = 0; call < CALLS; call += 1) {
      const recipients = Array.from({ length: RECIPIENTS }, () => ({ to: sms.recipient(), variables: { code: '1' } }));
      const response = await v1.post('/bulk', { ...fields(busy), recipients }, busy.key);
      expect(response).toMatchObject({ status: 202, body: { accepted: RECIPIENTS } });
    }
    await until('messages of the first organization are sent', () => sms.carrier.messages().length > 50);
    const to = sms.recipient();
    const single = await v1.post('/send', { ...fields(neighbour), to, variables: { code: '1' } }, neighbour.key);
    expect(single.status).toBe(202);
    const before = sms.carrier.messages().length;
    await until('the message of the neighbour is sent', () => sms.carrier.messages(to).length > 0);
    const place = sms.carrier.messages().findIndex(({ destination }) => `+${destination}` === to) - before;
    expect(place).toBeLessThan(FEW);
    const destinations = sms.carrier.messages().map(({ destination }) => destination);
    expect(new Set(destinations).size).toBe(destinations.length);
  });
});
