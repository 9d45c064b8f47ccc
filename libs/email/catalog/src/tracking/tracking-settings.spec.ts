import { ApiKey, ApiKeysService, ApiKeyUse, generateKey } from '@heliograph/auth';
import { newId } from '@heliograph/database';
import { TenancyService } from '@heliograph/tenancy';
import { unique } from '@heliograph/testing';
import { EmailCatalogFixture, refused } from '../email-catalog.fixture';
import { TrackingSettings, type TrackingSubject } from './tracking-settings';

let fixture: EmailCatalogFixture;
beforeAll(async () => {
  fixture = await EmailCatalogFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.newOrganization());

describe('tracking', () => {
  const settings = new TrackingSettings();
  const subjects = async (): Promise<TrackingSubject[]> => {
    const tenancy = new TenancyService();
    const keys = new ApiKeysService(
      fixture.dataSource.getRepository(ApiKey),
      fixture.dataSource.getRepository(ApiKeyUse),
    );
    const slug = `tracked-${unique()}`;
    const { id: of } = await tenancy.putOrganization(fixture.dataSource.manager, { slug, name: slug, ipAllowlist: [] });
    fixture.organizationId = of;
    const workspace = await fixture.write((t) =>
      tenancy.putWorkspace(t, of, {
        slug,
        displayName: slug,
        plan: 'free',
        status: 'active',
        billingCustomer: null,
      }),
    );
    const details = {
      name: slug,
      scopes: [],
      role: 'owner',
      workspaceId: null,
      expiresAt: null,
      revoked: false,
    } as const;
    const { id: keyId } = (
      await keys.put(fixture.dataSource.manager, of, { ...details, scopes: [] }, undefined, () => generateKey('t'))
    ).key;
    return [
      { kind: 'workspace', id: workspace.id },
      { kind: 'key', id: keyId },
    ];
  };
  const get = (subject: TrackingSubject, of = fixture.organizationId) =>
    settings.get(fixture.dataSource.manager, of, subject);

  it('is enabled by default and can be changed for a workspace and for a key', async () => {
    for (const subject of await subjects()) {
      expect(await get(subject)).toEqual({ opens: true, clicks: true });
      const put = (change: { opens?: boolean; clicks?: boolean }) =>
        fixture.write((t) => settings.put(t, fixture.organizationId, subject, change));
      expect(await put({ opens: false })).toEqual({
        before: { opens: true, clicks: true },
        after: { opens: false, clicks: true },
      });
      expect((await put({ clicks: false })).after).toEqual({ opens: false, clicks: false });
      expect(await get(subject)).toEqual({ opens: false, clicks: false });
    }
  });

  it('is NOT_FOUND for another organization, another kind and an invalid id', async () => {
    const [workspace, key] = await subjects();
    const foreign: [TrackingSubject, string][] = [
      [workspace!, newId()],
      [key!, newId()],
      [{ kind: 'key', id: workspace!.id }, fixture.organizationId],
      [{ kind: 'workspace', id: key!.id }, fixture.organizationId],
      [{ kind: 'workspace', id: 'nonsense' }, fixture.organizationId],
    ];
    for (const [subject, of] of foreign) {
      await expect(get(subject, of)).rejects.toEqual(refused('NOT_FOUND'));
      await expect(fixture.write((t) => settings.put(t, of, subject, { opens: false }))).rejects.toEqual(
        refused('NOT_FOUND'),
      );
    }
    expect(await get(workspace!)).toEqual({ opens: true, clicks: true });
  });
});
