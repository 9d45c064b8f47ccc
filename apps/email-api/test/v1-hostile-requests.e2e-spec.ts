import { OpenApiCheck, wrongAnswersToHostileRequests } from '@heliograph/testing';
import { EmailFixture } from './email-fixture';

describe('hostile requests to the v1 API', () => {
  it('receive an error in the format of the API, and send nothing', async () => {
    const email = await EmailFixture.shared();
    const { key, organizationId } = await email.tenant();
    const { document } = await OpenApiCheck.read(email.url);
    expect(await wrongAnswersToHostileRequests({ url: email.url, document, prefix: '/api/v1/', key })).toEqual([]);
    const sent = await email.rows('SELECT FROM email.messages WHERE organization_id = $1', [organizationId]);
    expect(sent).toEqual([]);
  }, 180_000);
});
