import { OpenApiCheck, wrongAnswersToHostileRequests } from '@heliograph/testing';
import { SmsFixture } from './sms-fixture';

describe('hostile requests to the v1 API', () => {
  it('receive an error in the format of the API, and send nothing', async () => {
    const sms = await SmsFixture.shared();
    const { key, organizationId } = await sms.tenant();
    const { document } = await OpenApiCheck.read(sms.url);
    expect(await wrongAnswersToHostileRequests({ url: sms.url, document, prefix: '/api/v1/', key })).toEqual([]);
    const sent = await sms.database.query('SELECT FROM sms.messages WHERE organization_id = $1', [organizationId]);
    expect(sent).toEqual([]);
  }, 180_000);
});
