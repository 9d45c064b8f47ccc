import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ChangeFeed, ChangeNotice } from '@heliograph/database';
import { Pool } from 'pg';

const QUEUE = 'webhooks.queue';

/** Notifies the delivering processes when another process has added deliveries. They also poll, so notifications may be lost. */
@Injectable()
export class DeliveryNotifications implements OnApplicationShutdown {
  private readonly notice: ChangeNotice;

  constructor(
    pool: Pool,
    private readonly feed: ChangeFeed,
  ) {
    this.notice = new ChangeNotice((text, values) => pool.query(text, values), QUEUE);
  }

  subscribe(listener: () => void): void {
    this.feed.subscribe((change) => {
      if (change === 'unknown' || change.table === QUEUE) listener();
    });
  }

  /** There are new deliveries. */
  notifyOthers(): void {
    this.notice.notify();
  }

  onApplicationShutdown(): void {
    this.notice.stop();
  }
}
