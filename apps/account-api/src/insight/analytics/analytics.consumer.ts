import { Injectable } from '@nestjs/common';
import { RollupCounter } from '@heliograph/analytics';
import {
  botConversationChanged,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappMessageChanged,
  chatappRead,
  chatappSent,
  creditsAdjusted,
  creditsCharged,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailOpened,
  emailSent,
  emailUnsubscribed,
  leadCaptured,
  smsDelivered,
  smsFailed,
  smsSent,
  type EventEnvelope,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';

/** The concurrency limits the size of a batch. */
const QUEUE = { queue: 'account-api.analytics', concurrency: 500 } as const;
/** The reference of a charge or refund begins with the channel and the id of the message. */
const MESSAGE = /^(sms|email|chatapp):([0-9a-f-]{36})(?::|$)/;

type MessageEvent = EventEnvelope<{ messageId: string }>;
type ConversationEvent = EventEnvelope<{ conversationId: string }>;
type LedgerEvent = EventEnvelope<{ entryId: string; reference: string }>;

/** Counts messages, conversations with bots and entries of the ledger when an event reports a change of them. */
@Injectable()
export class AnalyticsConsumer {
  constructor(private readonly rollups: RollupCounter) {}

  @Consumes([smsSent, smsDelivered, smsFailed], QUEUE)
  countSms({ data }: MessageEvent): Promise<void> {
    return this.rollups.count('sms', data.messageId);
  }

  @Consumes(
    [emailSent, emailDelivered, emailOpened, emailClicked, emailBounced, emailComplained, emailUnsubscribed],
    QUEUE,
  )
  countEmail({ data }: MessageEvent): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(
    [chatappMessageChanged, chatappSent, chatappDelivered, chatappRead, chatappFailed, chatappInboundReceived],
    QUEUE,
  )
  countChat({ data }: MessageEvent): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(
    [botConversationStarted, botMessageReceived, botHandoffRequested, botConversationChanged, leadCaptured],
    QUEUE,
  )
  countConversation({ data }: ConversationEvent): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }

  /** Counts the ledger entry and its message: a charge can be the first event of a message, and a refund the last. */
  @Consumes([creditsCharged, creditsRefunded, creditsToppedUp, creditsTransferred, creditsAdjusted], QUEUE)
  async countEntry({ data: { entryId, reference } }: LedgerEvent): Promise<void> {
    const [, channel, messageId] = MESSAGE.exec(reference) ?? [];
    await Promise.all([
      this.rollups.count('credits', entryId),
      ...(messageId === undefined ? [] : [this.rollups.count(channel as 'sms' | 'email' | 'chatapp', messageId)]),
    ]);
  }
}
