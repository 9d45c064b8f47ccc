import { wrongAnswersToHostileRequests } from '@heliograph/testing';
import { AccountFixture } from './account-fixture';

describe('hostile requests to the v1 API', () => {
  it('receive an error in the format of the API, and change nothing', async () => {
    const fixture = await AccountFixture.shared();
    const { key, organizationId } = await fixture.tenant();
    const { url } = fixture.service;
    const { document } = fixture.openApi;
    expect(await wrongAnswersToHostileRequests({ url, document, prefix: '/api/v1/', key })).toEqual([]);
    const contacts = await fixture.database.query('SELECT FROM contacts.contacts WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(contacts).toEqual([]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  }, 180_000);
});
