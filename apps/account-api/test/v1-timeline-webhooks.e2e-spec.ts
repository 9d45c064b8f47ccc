import { botHandoffRequested, leadCaptured } from '@heliograph/contracts';
import { recordTurns, type TurnRow } from '@heliograph/bot-conversations';
import { newId, poolOf } from '@heliograph/database';
import { composeEvent } from '@heliograph/messaging';
import { unique, until } from '@heliograph/testing';
import { WebhooksFixture } from './webhooks-fixture';

interface TimelineEvent {
  at: string;
  type: string;
  summary: string;
  details: Record<string, unknown>;
}

const AT = '2026-11-24T10:00:00.000Z';

describe('GET /api/v1/messages/:id/timeline, with webhooks', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
  });
  afterAll(() => fixture.receiver.stop());

  const read = (id: string, tenant = fixture.tenant) =>
    fixture.call<{
      status: string;
      channel: string;
      events: TimelineEvent[];
    }>('GET', `messages/${id}/timeline`, undefined, tenant);
  const webhooksOf = async (id: string) => (await read(id)).events.filter(({ type }) => type.startsWith('webhook_'));
  const settled = (id: string, type: string, count = 1) =>
    until(`${count} of ${type}`, async () => {
      const events = (await webhooksOf(id)).filter((event) => event.type === type);
      return events.length === count && events;
    });

  it('lists the deliveries of the events of a message, and their repetitions', async () => {
    const webhook = await fixture.create('/ok', ['sms.delivered']);
    const id = await fixture.publish();
    const [delivered] = await settled(id, 'webhook_delivered');
    expect(delivered).toMatchObject({
      summary: 'The event sms.delivered was delivered to a webhook.',
      details: {
        webhook_id: webhook.id,
        url: webhook.url,
        event_type: 'sms.delivered',
        attempts: 1,
        status_code: 200,
        event_id: expect.stringMatching(/^evt_/) as string,
        error: null,
        next_attempt_at: null,
      },
    });
    const from = new Date(Date.now() - 60_000).toISOString();
    await fixture.call('POST', `webhooks/${webhook.id}/replay`, { from });
    await settled(id, 'webhook_delivered', 2);
    const other = await fixture.publish();
    expect((await settled(other, 'webhook_delivered')).map(({ details }) => details['event_id'])).not.toContain(
      delivered?.details['event_id'],
    );
  });

  it('shows why a delivery has not succeeded yet', async () => {
    fixture.receiver.status('/broken', 500);
    const webhook = await fixture.create('/broken', ['sms.delivered']);
    const id = await fixture.publish();
    const [pending] = await until('the first attempt', async () => {
      const events = await webhooksOf(id);
      const tried = events.filter(({ details }) => details['webhook_id'] === webhook.id && details['attempts'] === 1);
      return tried.length === 1 && tried;
    });
    expect(pending).toMatchObject({
      type: 'webhook_pending',
      details: { status_code: 500, next_attempt_at: expect.any(String) as string },
    });
  });

  describe('of a bot', () => {
    let bot: string;
    let versionId: string;
    beforeAll(async () => {
      bot = `bot_${unique()}`;
      versionId = newId();
      await fixture.account.call('POST', `/api/workspaces/${fixture.tenant.workspace.id}/bots`, {
        key: fixture.tenant.key,
        body: { id: bot, name: 'Help' },
      });
    });

    /** Starts a conversation with a turn, as the runtime records it. */
    const begin = async (parts: (conversationId: string) => Partial<TurnRow>): Promise<TurnRow> => {
      const { organizationId, workspace } = fixture.tenant;
      const pool = poolOf(fixture.account.factory.dataSource);
      const [found] = await fixture.account.database.query<{ id: string }>(
        'SELECT id FROM bots.bots WHERE public_id = $1',
        [bot],
      );
      const id = newId();
      const row: TurnRow = {
        conversation_id: id,
        start: {
          organization_id: organizationId,
          workspace_id: workspace.id,
          bot_id: found!.id,
          version_id: versionId,
          token_hash: Buffer.from(newId()).toString('hex'),
          channel: 'web',
          client: {},
        },
        expected_seq: null,
        expected_revision: null,
        at: AT,
        state: null,
        is_handoff: false,
        correlation_id: 'request-7',
        client_address: '203.0.113.9',
        question: { id: newId(), content: 'Question', content_type: 'text', metadata: {} },
        reply: replyOf('faq', { faqId: 'hours' }),
        submission: null,
        contact: null,
        question_events: [],
        reply_events: [],
        endpoint: null,
        idempotency_key: null,
        fingerprint: null,
        ...parts(id),
      };
      expect(await recordTurns(pool, [row])).toEqual(['recorded']);
      return row;
    };
    const replyOf = (via: string, more: object = {}): TurnRow['reply'] => ({
      id: newId(),
      content: 'Reply',
      content_type: 'text',
      metadata: { author: 'bot', via, ...more },
      quick_replies: null,
      form: null,
    });
    const about = () => ({
      organizationId: fixture.tenant.organizationId,
      workspaceId: fixture.tenant.workspace.id,
      correlationId: null,
    });

    it('contains the steps of a bot reply but not its text', async () => {
      const { question, reply } = await begin(() => ({}));
      for (const [id, status] of [
        [question!.id, 'answered'],
        [reply!.id, 'sent'],
      ] as const) {
        const timeline = await read(id);
        expect(timeline).toMatchObject({
          id,
          channel: 'bots',
          status,
          events: [
            {
              at: AT,
              type: 'received',
              details: {
                message_id: question!.id,
                bot_id: bot,
                channel: 'web',
                request_id: 'request-7',
                client_address: '203.0.113.9',
                key_id: null,
                key_name: null,
              },
            },
            {
              at: '2026-11-24T10:00:00.001Z',
              type: 'answered',
              summary: 'The bot answered.',
              details: { message_id: reply!.id, request_id: 'request-7', via: 'faq', faq_id: 'hours' },
            },
          ],
        });
        expect(JSON.stringify(timeline)).not.toContain('Question');
      }
      expect(await read(question!.id, await fixture.account.tenant())).toMatchObject({ code: 'NOT_FOUND' });
    });

    it('contains the hand-off request, its webhook delivery and the reply of the agent', async () => {
      await fixture.create('/handoff', ['bot.handoff.requested']);
      const { question, conversation_id: conversationId } = await begin((id) => {
        const handoffQuestion = { id: newId(), content: 'A person', content_type: 'text' as const, metadata: {} };
        const data = {
          conversationId: id,
          botId: bot,
          channel: 'web',
          messageId: handoffQuestion.id,
          content: handoffQuestion.content,
        };
        return {
          question: handoffQuestion,
          reply: replyOf('handoff'),
          is_handoff: true,
          reply_events: [composeEvent(botHandoffRequested, { ...about(), data: { ...data, occurredAt: AT } })],
        };
      });
      await settled(question!.id, 'webhook_delivered');
      expect((await read(question!.id)).events.map(({ type }) => type)).toEqual([
        'received',
        'handoff_requested',
        'answered',
        'webhook_delivered',
      ]);
      const place = `/api/workspaces/${fixture.tenant.workspace.id}/conversations/${conversationId}/messages`;
      const body = { message: 'Hello, this is Ann.' };
      const sent = await fixture.account.call('POST', place, { key: fixture.tenant.key, body });
      const { message } = sent.data as { message: { id: string } };
      expect(await read(message.id)).toMatchObject({
        status: 'sent',
        events: [
          {
            type: 'answered',
            summary: 'An agent answered.',
            details: {
              agent: 'Help',
              request_id: sent.headers.get('x-request-id'),
              client_address: '127.0.0.1',
              key_id: expect.any(String) as string,
              key_name: expect.any(String) as string,
            },
          },
        ],
      });
    });

    it('contains the captured lead and its webhook delivery', async () => {
      await fixture.create('/lead', ['lead.captured']);
      const submission = { id: newId(), form_id: 'lead', form_title: 'Details', answers: [] };
      const { reply } = await begin((conversationId) => {
        const data = { submissionId: submission.id, conversationId, botId: bot, formId: 'lead', contactId: null };
        return {
          question: null,
          reply: replyOf('form'),
          submission,
          question_events: [composeEvent(leadCaptured, { ...about(), data: { ...data, answers: [], occurredAt: AT } })],
        };
      });
      await settled(reply!.id, 'webhook_delivered');
      expect((await read(reply!.id)).events).toMatchObject([
        { at: AT, type: 'lead_captured', details: { submission_id: submission.id, form_id: 'lead' } },
        { type: 'answered' },
        { type: 'webhook_delivered', details: { event_type: 'lead.captured' } },
      ]);
    });
  });
});
