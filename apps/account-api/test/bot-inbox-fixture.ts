import { randomBytes } from 'node:crypto';
import { Bot, BotDirectory, BotFaq, BotForm, BotShortcut, BotVersion } from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { ChangeFeed, createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { unique, until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

export interface StoredLead {
  conversationId: string;
  contactId: string;
  submissionId: string;
}

interface ConversationDetails {
  status?: string;
  takenOver?: boolean;
  handoffRequestedAt?: Date | null;
  lastMessageAt?: Date;
  client?: object;
  contactId?: string | null;
  /** Pairs of the author (`visitor`, `bot` or `agent`) and the text. */
  messages?: [author: string, content: string][];
}

/** Provides the shared service, and for each test a tenant with a bot and a logged-in owner. */
export function botOwnerTests() {
  const at = {} as { fixture: AccountFixture; tenant: Tenant; cookie: string; bot: string };
  beforeAll(async () => {
    at.fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    at.tenant = await at.fixture.tenant();
    at.cookie = await at.fixture.login(at.tenant.owner.email);
    at.bot = await botOf('help');
  });
  const place = () => `/api/workspaces/${at.tenant.workspace.id}`;
  async function botOf(slug: string): Promise<string> {
    const body = { id: `bot_${unique()}`, name: 'Help', slug };
    await at.fixture.call('POST', `${place()}/bots`, { key: at.tenant.key, body });
    return body.id;
  }
  const home = () => ({ organizationId: at.tenant.organizationId, workspaceId: at.tenant.workspace.id });
  /** Sends a request of the owner to a path of the workspace. */
  const call = <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    at.fixture.call<T>(method, `${place()}/${path}`, {
      cookie: at.cookie,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  return { at, place, botOf, home, call };
}

/** Stores a conversation in the same way as bot-runtime. Returns its id. */
export async function storeConversation(
  { database }: AccountFixture,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string },
  publicBotId: string,
  details: ConversationDetails = {},
): Promise<string> {
  const { status = 'open', takenOver = false, handoffRequestedAt = null, lastMessageAt = new Date() } = details;
  const { client = {}, contactId = null, messages = [] } = details;
  const id = newId();
  await database.query(
    `INSERT INTO bots.conversations (id, organization_id, workspace_id, bot_id, version_id, token_hash, status, channel,
       is_taken_over, handoff_requested_at, last_seq, client, contact_id, last_message_at)
     SELECT $1, $2, $3, b.id, $4, $5, $6, 'web', $7, $8, $9, $10, $11, $12 FROM bots.bots AS b WHERE b.public_id = $13`,
    [
      id,
      organizationId,
      workspaceId,
      newId(),
      randomBytes(32),
      status,
      takenOver,
      handoffRequestedAt,
      messages.length,
      client,
      contactId,
      lastMessageAt,
      publicBotId,
    ],
  );
  for (const [index, [author, content]] of messages.entries()) {
    await database.query(
      `INSERT INTO bots.messages (conversation_id, seq, id, role, content, content_type, metadata, created_at)
       VALUES ($1, $2, $3, $4, $5, 'text', $6, now())`,
      [
        id,
        index + 1,
        newId(),
        author === 'visitor' ? 'user' : 'assistant',
        content,
        author === 'visitor' ? {} : { author, ...(author === 'agent' ? { agentName: 'Ann' } : {}) },
      ],
    );
  }
  return id;
}

/** Stores a lead in the same way as bot-runtime. */
export async function storeLead(
  fixture: AccountFixture,
  home: { organizationId: string; workspaceId: string },
  publicBotId: string,
  {
    email = 'lead@theirs.example',
    formId = 'lead',
    answers = [{ key: 'email', label: 'Email', value: email }],
  }: { email?: string; formId?: string; answers?: { key: string; label: string; value: string | number }[] } = {},
): Promise<StoredLead> {
  const contactId = newId();
  const submissionId = newId();
  await fixture.database.query(
    'INSERT INTO bots.contacts (id, organization_id, workspace_id, name, email) VALUES ($1, $2, $3, $4, $5)',
    [contactId, home.organizationId, home.workspaceId, 'Lead', email],
  );
  const conversationId = await storeConversation(fixture, home, publicBotId, { contactId });
  await fixture.database.query(
    `INSERT INTO bots.submissions (id, organization_id, workspace_id, bot_id, conversation_id, contact_id, form_id,
       form_title, answers)
     SELECT $1, $2, $3, b.id, $4, $5, $6, 'Leave your details', $7 FROM bots.bots AS b WHERE b.public_id = $8`,
    [
      submissionId,
      home.organizationId,
      home.workspaceId,
      conversationId,
      contactId,
      formId,
      JSON.stringify(answers),
      publicBotId,
    ],
  );
  return { conversationId, contactId, submissionId };
}

/** A bot directory with its own connections and change feed, as in bot-runtime. */
export async function connectDirectory(
  databaseUrl: string,
): Promise<{ directory: BotDirectory; close(): Promise<void> }> {
  const settings = databaseConfigSchema.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'bot directory', botEntities).initialize();
  const changes = new ChangeFeed({ connectionString: databaseUrl });
  const directory = new BotDirectory(
    dataSource.getRepository(Bot),
    dataSource.getRepository(BotVersion),
    dataSource.getRepository(BotFaq),
    dataSource.getRepository(BotShortcut),
    dataSource.getRepository(BotForm),
    changes,
  );
  await until('the change feed is live', () => changes.live);
  return {
    directory,
    close: async () => {
      await changes.stop();
      await dataSource.destroy();
    },
  };
}
