import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { isMachineVisit } from './machine-visits';
import { MailsRepository } from './mails.repository';

export interface TrackedVisit {
  ref: RecipientRef;
  type: 'opened' | 'clicked';
  /** Target of a click; otherwise null. */
  url: string | null;
  userAgent: string | undefined;
}

/** Maximum time that a response is delayed by recording. */
const MAX_WAIT_MS = 1_500;
/** Above this limit the database is overloaded, and further visits are not recorded. */
const MAX_CONCURRENT = 2_000;

/** Records opens and clicks. */
@Injectable()
export class VisitsService {
  private inProgress = 0;
  private readonly lost: Counter;

  constructor(
    private readonly events: RecipientEvents,
    private readonly mails: MailsRepository,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.lost = new Counter({
      name: 'email_visits_lost_total',
      help: 'Opens and clicks that could not be recorded',
      registers: [registry],
    });
  }

  /** Resolves when the visit is recorded or the maximum wait has passed. Never rejects. */
  async record(visit: TrackedVisit): Promise<void> {
    if (this.inProgress >= MAX_CONCURRENT) {
      this.lost.inc();
      return;
    }
    this.inProgress++;
    const written = this.write(visit, new Date())
      .catch((error: unknown) => {
        this.lost.inc();
        this.log.warn({ err: error, messageId: visit.ref.messageId }, `failed to record a visit: ${visit.type}`);
      })
      .finally(() => this.inProgress--);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_WAIT_MS)));
    await Promise.race([written, timeout]);
    clearTimeout(timer);
  }

  private async write({ ref, type, url, userAgent }: TrackedVisit, occurredAt: Date): Promise<void> {
    const mail = await this.mails.findAcrossTenants(ref);
    if (!mail) return;
    const secondsSinceSent = (occurredAt.getTime() - mail.sentAt.getTime()) / 1000;
    // The contract defines no reason for clicks.
    const isMachine = type === 'opened' && isMachineVisit({ userAgent, secondsSinceSent });
    const reason = isMachine ? 'machine' : null;
    await this.events.record({ ...ref, type, url, reason, occurredAt, suppresses: false });
  }
}
