import { Injectable } from '@nestjs/common';
import { BotDirectory, type AvailableBot } from '@heliograph/bot-catalog';
import type { QuestionRow, TurnRow } from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import { Backlog } from '@heliograph/messaging';
import { isStorableText } from '@heliograph/service-kit';
import { hashToken } from '@heliograph/secrets';
import { botUnavailable } from '../turns/bot-unavailable';
import { clientContext } from './client-context';
import { composeTurn, saidMessage } from '../turns/compose-turn';
import { newConversationToken } from '../visitors/conversation-token';
import { FormFieldRecord, ReplyRecord } from '../messages/message.dto';
import { ReplyService } from '../turns/reply.service';
import { BotRecord, type StartRequest, type StartResponse } from './start.dto';
import { TurnMetrics } from '../turns/turn-metrics';
import { TurnWriter } from '../turns/turn-writer';

export interface StartOrigin {
  userAgent: string | undefined;
  correlationId: string;
  clientAddress: string | null;
}

/** Starts conversations. */
@Injectable()
export class StartService {
  constructor(
    private readonly directory: BotDirectory,
    private readonly replies: ReplyService,
    private readonly writer: TurnWriter,
    private readonly backlog: Backlog,
    private readonly metrics: TurnMetrics,
  ) {}

  /** Commits the reply to the first message, if there is one, together with the start. Throws BOT_UNAVAILABLE. */
  async start(request: StartRequest, origin: StartOrigin): Promise<StartResponse> {
    const startedAt = performance.now();
    const bot = isStorableText(request.botId) ? await this.directory.available(request.botId) : null;
    if (!bot) throw botUnavailable();
    this.backlog.assertRoom(null);
    const token = newConversationToken();
    const row = await this.compose(bot, request, { token, ...origin });
    const outcome = await this.writer.record(row);
    if (outcome !== 'recorded') throw new Error(`unexpected outcome of a start: ${outcome}`);
    this.metrics.took(stepOf(row), performance.now() - startedAt);
    const { conversation_id: id, reply, at } = row;
    return {
      conversation: { id, status: 'open', channel: request.channel },
      conversationToken: token,
      bot: BotRecord.of(bot),
      greeting: bot.branding.welcome,
      shortcuts: bot.shortcuts.map(({ id: shortcutId, label, command, description, type, displayOrder }) => ({
        id: shortcutId,
        label,
        command,
        description,
        type,
        displayOrder,
      })),
      forms: bot.forms.map(({ id: formId, title, fields }) => ({
        id: formId,
        title,
        fields: fields.map((field) => FormFieldRecord.of(field)),
      })),
      ...(reply ? { reply: ReplyRecord.of(saidMessage('assistant', reply, at)) } : {}),
    };
  }

  private async compose(
    bot: AvailableBot,
    { message, channel, client }: StartRequest,
    call: StartOrigin & { token: string },
  ): Promise<TurnRow> {
    const input = { kind: 'message', text: message ?? '', action: null, isOpening: true } as const;
    const replied = message === undefined ? null : await this.replies.reply(input, bot, {}, { conversationId: null });
    const question: QuestionRow | null =
      message === undefined ? null : { id: newId(), content: message, content_type: 'text', metadata: {} };
    const { organizationId, workspaceId, publicId } = bot;
    return composeTurn({
      source: {
        conversationId: newId(),
        organizationId,
        workspaceId,
        botId: publicId,
        channel,
        correlationId: call.correlationId,
        occurredAt: new Date().toISOString(),
      },
      clientAddress: call.clientAddress,
      start: {
        organization_id: organizationId,
        workspace_id: workspaceId,
        bot_id: bot.id,
        version_id: bot.version.id,
        token_hash: hashToken(call.token).toString('hex'),
        channel,
        client: clientContext(channel, client, call.userAgent),
      },
      expected: null,
      question,
      replied,
      submission: null,
      contact: null,
      claim: null,
    });
  }
}

function stepOf({ reply }: TurnRow) {
  const via = (reply?.metadata as { via?: Parameters<TurnMetrics['took']>[0] } | undefined)?.via;
  return via ?? 'start';
}
