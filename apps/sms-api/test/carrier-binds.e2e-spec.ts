import { until } from '@heliograph/testing';
import { CarrierSimulator } from '@heliograph/simulators';
import { call, postJson } from './calls';
import { carrierAccount, SmsFixture } from './sms-fixture';

describe('the binds of carriers', () => {
  const carrier = new CarrierSimulator({ bindTypes: ['transmitter', 'receiver'] });
  let sms: SmsFixture;
  beforeAll(async () => {
    await carrier.start();
    const { smppPort } = carrier;
    sms = await SmsFixture.start({
      carriers: () => [
        carrierAccount(smppPort, { name: 'paired', bindType: 'transmitter+receiver' }),
        carrierAccount(smppPort, { name: 'refused', bindType: 'transceiver', countries: ['ZW'] }),
      ],
    });
  });
  afterAll(async () => {
    await sms.stop();
    await carrier.stop();
  });

  it('row 23: a transmitter and a receiver bind together send messages and receive receipts', async () => {
    const tenant = await sms.tenant();
    const to = sms.recipient();
    const { body } = await postJson(sms, tenant.key, { from: tenant.sender.header, to, message: 'x' });
    await until('the message is delivered', async () => {
      const status = await call(sms, `/sms/status?id=${String(body['messageId'])}`, { key: tenant.key });
      return status.body['status'] === 'delivered';
    });
    expect(carrier.messages(to)).toHaveLength(1);
  });

  it('row 23: a refused bind degrades the readiness with a reason, and is counted', async () => {
    const { status, body } = await until('the pairs are bound', async () => {
      const answer = await call(sms, '/health/ready');
      return (answer.body['checks'] as Record<string, string>)['carrier paired'] === 'ok' && answer;
    });
    expect([status, body['status']]).toEqual([200, 'degraded']);
    expect(body['checks']).toMatchObject({
      'carrier refused': 'down: the carrier refused the transceiver bind: 0x0000000d (bind failed)',
    });
    const metrics = (await call(sms, '/metrics')).text;
    expect(metrics).toMatch(
      /^sms_carrier_bind_refusals_total\{carrier="refused",status="0x0000000d \(bind failed\)".*\} [1-9]/m,
    );
    expect(metrics).toMatch(/^sms_carrier_receivers_up\{carrier="paired".*\} 2$/m);
  });
});
