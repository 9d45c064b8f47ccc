import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { Counter, type Registry } from 'prom-client';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { isMachineVisit } from './machine-visits';
import { MailsRepository } from './mails.repository';

export interface TrackedVisit {
  ref: RecipientRef;
  type: 'opened' | 'clicked';
  /** Of a click. */
  url: string | null;
  userAgent: string | undefined;
}

/** Readers wait for a page, not for our books. */
const LONGEST_WAIT_MS = 1_500;
/** Past this the database is in trouble, and a reader more is not worth the memory. */
const MOST_AT_ONCE = 2_000;

/** Records what readers open and click. */
@Injectable()
export class VisitsService {
  private underWay = 0;
  private readonly lost: Counter;

  constructor(
    @Inject(RecipientEvents) private readonly events: RecipientEvents,
    @Inject(MailsRepository) private readonly mails: MailsRepository,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.lost = new Counter({
      name: 'email_visits_lost_total',
      help: 'Opens and clicks that could not be recorded',
      registers: [registry],
    });
  }

  /** Resolves when the visit is recorded, or when there is no waiting for it any longer. Never rejects. */
  async record(visit: TrackedVisit): Promise<void> {
    if (this.underWay >= MOST_AT_ONCE) {
      this.lost.inc();
      return;
    }
    this.underWay++;
    const written = this.write(visit, new Date())
      .catch((error: unknown) => {
        this.lost.inc();
        this.log.warn({ err: error, messageId: visit.ref.messageId }, `a visit is lost: ${visit.type}`);
      })
      .finally(() => this.underWay--);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_WAIT_MS)));
    await Promise.race([written, patience]);
    clearTimeout(timer);
  }

  private async write({ ref, type, url, userAgent }: TrackedVisit, occurredAt: Date): Promise<void> {
    const mail = await this.mails.findAcrossTenants(ref);
    if (!mail) return;
    const secondsSinceSent = (occurredAt.getTime() - mail.sentAt.getTime()) / 1000;
    // Of clicks the contract knows no reason.
    const isMachine = type === 'opened' && isMachineVisit({ userAgent, secondsSinceSent });
    const reason = isMachine ? 'machine' : null;
    await this.events.record({ ...ref, type, url, reason, occurredAt, suppresses: false });
  }
}
