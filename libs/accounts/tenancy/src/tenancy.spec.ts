import { ChangeFeed } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, TenantFactory, unique, until, type TestDatabase } from '@heliograph/testing';
import { tenancyMigrations } from './migration-set';
import { TenancyService, type OrganizationDetails } from './tenancy.service';
import { WorkspaceDirectory } from './workspace-directory';
import { Workspace } from './workspace.entity';

describe('organizations and workspaces', () => {
  let database: TestDatabase;
  let factory: TenantFactory;
  let tenancy: TenancyService;
  let feed: ChangeFeed;
  let directory: WorkspaceDirectory;
  beforeAll(async () => {
    database = await createTestDatabase([tenancyMigrations, messagingMigrations]);
    factory = await TenantFactory.connect(database.url);
    tenancy = new TenancyService();
    feed = new ChangeFeed({ connectionString: database.url });
    directory = new WorkspaceDirectory(factory.dataSource.getRepository(Workspace), feed);
    await until('the feed is live', () => feed.live);
  });
  afterAll(async () => {
    await feed.stop();
    await factory.close();
    await database.drop();
  });

  const organization = () => factory.organization();

  it('are updated if their slug exists', async () => {
    const slug = unique();
    const put = (details: OrganizationDetails) =>
      factory.dataSource.transaction((transaction) => tenancy.putOrganization(transaction, details));
    const first = await put({ slug, name: 'One', ipAllowlist: [] });
    const again = await put({ slug, name: 'Two', ipAllowlist: ['10.0.0.0/8'] });
    expect(again).toMatchObject({ id: first.id, name: 'Two', ipAllowlist: ['10.0.0.0/8'] });
    const workspace = await factory.workspace(first.id, { slug });
    expect(await factory.workspace(first.id, { slug, plan: 'free' })).toMatchObject({ id: workspace.id, plan: 'free' });
  });

  it('are not moved to another organization that uses the slug of a workspace', async () => {
    const mine = await organization();
    const theirs = await organization();
    const { slug } = await factory.workspace(theirs.id);
    await expect(factory.workspace(mine.id, { slug, plan: 'stolen' })).rejects.toThrow('another organization');
  });

  it('send from the oldest workspace that is not locked', async () => {
    const { id: organizationId } = await organization();
    await factory.workspace(organizationId, { status: 'locked' });
    const second = await factory.workspace(organizationId, { status: 'past_due' });
    await factory.workspace(organizationId);
    expect(await directory.sending({ organizationId, workspaceId: null })).toMatchObject({ id: second.id });
  });

  it('send only from the bound workspace, and never from a workspace of another organization', async () => {
    const { id: organizationId } = await organization();
    await factory.workspace(organizationId);
    const bound = await factory.workspace(organizationId);
    const foreign = await factory.workspace((await organization()).id);
    expect(await directory.sending({ organizationId, workspaceId: bound.id })).toMatchObject({ id: bound.id });
    await expect(directory.sending({ organizationId, workspaceId: foreign.id })).rejects.toMatchObject({
      code: 'NO_WORKSPACE',
    });
  });

  it('use a locked workspace for reading if there is no other, and reject a request without any workspace', async () => {
    const { id: organizationId } = await organization();
    const owner = { organizationId, workspaceId: null };
    await expect(directory.reading(owner)).rejects.toMatchObject({ code: 'NO_WORKSPACE' });
    const locked = await factory.workspace(organizationId, { status: 'locked' });
    await until('the change is effective', async () => (await directory.reading(owner)).id === locked.id);
    await expect(directory.sending(owner)).rejects.toMatchObject({ code: 'NO_WORKSPACE' });
    const active = await factory.workspace(organizationId);
    await until('the change is effective', async () => (await directory.reading(owner)).id === active.id);
  });
});
