import { Injectable } from '@nestjs/common';
import { RollupCounter } from '@heliograph/analytics-analytics';
import {
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappMessageChanged,
  chatappRead,
  chatappSent,
  smsDelivered,
  smsFailed,
  smsSent,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { COUNTING } from './counting';

/** Counts the events of SMS and chat-app messages. CreditCountsConsumer counts their charges and refunds. */
@Injectable()
export class MessageCountsConsumer {
  constructor(private readonly rollups: RollupCounter) {}

  @Consumes(smsSent, COUNTING)
  countSmsSent({ data }: EventOf<typeof smsSent>): Promise<void> {
    return this.rollups.count('sms', data.messageId);
  }

  @Consumes(smsDelivered, COUNTING)
  countSmsDelivered({ data }: EventOf<typeof smsDelivered>): Promise<void> {
    return this.rollups.count('sms', data.messageId);
  }

  @Consumes(smsFailed, COUNTING)
  countSmsFailed({ data }: EventOf<typeof smsFailed>): Promise<void> {
    return this.rollups.count('sms', data.messageId);
  }

  @Consumes(chatappMessageChanged, COUNTING)
  countChatappChanged({ data }: EventOf<typeof chatappMessageChanged>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(chatappSent, COUNTING)
  countChatappSent({ data }: EventOf<typeof chatappSent>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(chatappDelivered, COUNTING)
  countChatappDelivered({ data }: EventOf<typeof chatappDelivered>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(chatappRead, COUNTING)
  countChatappRead({ data }: EventOf<typeof chatappRead>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(chatappFailed, COUNTING)
  countChatappFailed({ data }: EventOf<typeof chatappFailed>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }

  @Consumes(chatappInboundReceived, COUNTING)
  countChatappInbound({ data }: EventOf<typeof chatappInboundReceived>): Promise<void> {
    return this.rollups.count('chatapp', data.messageId);
  }
}
