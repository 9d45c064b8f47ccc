import { Injectable } from '@nestjs/common';
import { RollupCounter } from '@heliograph/analytics-analytics';
import {
  creditsAdjusted,
  creditsCharged,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { COUNTING } from './counting';

/** The reference of a charge or refund begins with the channel and the id of the message. */
const MESSAGE = /^(sms|email|chatapp):([0-9a-f-]{36})(?::|$)/;

/**
 * Counts entries of the ledger and the messages that they pay for. A charge is the first event of a message, and a
 * refund can be the last event.
 */
@Injectable()
export class CreditCountsConsumer {
  constructor(private readonly rollups: RollupCounter) {}

  @Consumes(creditsCharged, COUNTING)
  countCharged({ data }: EventOf<typeof creditsCharged>): Promise<void> {
    return this.count(data);
  }

  @Consumes(creditsRefunded, COUNTING)
  countRefunded({ data }: EventOf<typeof creditsRefunded>): Promise<void> {
    return this.count(data);
  }

  @Consumes(creditsToppedUp, COUNTING)
  countToppedUp({ data }: EventOf<typeof creditsToppedUp>): Promise<void> {
    return this.count(data);
  }

  @Consumes(creditsTransferred, COUNTING)
  countTransferred({ data }: EventOf<typeof creditsTransferred>): Promise<void> {
    return this.count(data);
  }

  @Consumes(creditsAdjusted, COUNTING)
  countAdjusted({ data }: EventOf<typeof creditsAdjusted>): Promise<void> {
    return this.count(data);
  }

  private async count({ entryId, reference }: { entryId: string; reference: string }): Promise<void> {
    const [, channel, messageId] = MESSAGE.exec(reference) ?? [];
    await Promise.all([
      this.rollups.count('credits', entryId),
      ...(messageId === undefined ? [] : [this.rollups.count(channel as 'sms' | 'email' | 'chatapp', messageId)]),
    ]);
  }
}
