import { Injectable } from '@nestjs/common';
import { RollupCounter } from '@heliograph/analytics-analytics';
import {
  botConversationChanged,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  leadCaptured,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { COUNTING } from './counting';

/** Counts conversations with bots. */
@Injectable()
export class BotCountsConsumer {
  constructor(private readonly rollups: RollupCounter) {}

  @Consumes(botConversationStarted, COUNTING)
  countStarted({ data }: EventOf<typeof botConversationStarted>): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }

  @Consumes(botMessageReceived, COUNTING)
  countMessage({ data }: EventOf<typeof botMessageReceived>): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }

  @Consumes(botHandoffRequested, COUNTING)
  countHandoff({ data }: EventOf<typeof botHandoffRequested>): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }

  @Consumes(botConversationChanged, COUNTING)
  countChanged({ data }: EventOf<typeof botConversationChanged>): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }

  @Consumes(leadCaptured, COUNTING)
  countLead({ data }: EventOf<typeof leadCaptured>): Promise<void> {
    return this.rollups.count('bots', data.conversationId);
  }
}
