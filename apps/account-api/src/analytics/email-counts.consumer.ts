import { Injectable } from '@nestjs/common';
import { RollupCounter } from '@heliograph/analytics-analytics';
import {
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailOpened,
  emailSent,
  emailUnsubscribed,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { COUNTING } from './counting';

/** Counts the events of emails. */
@Injectable()
export class EmailCountsConsumer {
  constructor(private readonly rollups: RollupCounter) {}

  @Consumes(emailSent, COUNTING)
  countSent({ data }: EventOf<typeof emailSent>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailDelivered, COUNTING)
  countDelivered({ data }: EventOf<typeof emailDelivered>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailOpened, COUNTING)
  countOpened({ data }: EventOf<typeof emailOpened>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailClicked, COUNTING)
  countClicked({ data }: EventOf<typeof emailClicked>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailBounced, COUNTING)
  countBounced({ data }: EventOf<typeof emailBounced>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailComplained, COUNTING)
  countComplained({ data }: EventOf<typeof emailComplained>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }

  @Consumes(emailUnsubscribed, COUNTING)
  countUnsubscribed({ data }: EventOf<typeof emailUnsubscribed>): Promise<void> {
    return this.rollups.count('email', data.messageId);
  }
}
