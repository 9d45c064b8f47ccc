import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Contact as Lead } from '@heliograph/bot-conversations';
import { applyConsent, ContactsService, readContactField } from '@heliograph/contacts';
import {
  chatappConsentChanged,
  emailComplained,
  emailUnsubscribed,
  leadCaptured,
  type EventOf,
} from '@heliograph/contracts';
import { MARKETING } from '@heliograph/email-catalog';
import { Consumes } from '@heliograph/messaging';
import { Pool } from 'pg';
import { DataSource, Repository } from 'typeorm';

const QUEUE = 'account-api.contacts';
const CONCURRENCY = 4;

/** Brings leads of bots, and consents given or withdrawn on a channel, into the contacts of the organization. */
@Injectable()
export class ContactEventsConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly contacts: ContactsService,
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
  ) {}

  /** Visitors are not verified, so a lead fills empty fields only and changes no consent. */
  @Consumes(leadCaptured, { queue: QUEUE, concurrency: CONCURRENCY })
  async addLead({ organizationId, time, data }: EventOf<typeof leadCaptured>): Promise<void> {
    if (organizationId === null || data.contactId === null) return;
    const lead = await this.leads.findOneBy({ id: data.contactId, organizationId });
    if (!lead) return;
    const [email, phone] = [readContactField('email', lead.email), readContactField('phone', lead.phone)];
    if (email === null && phone === null) return;
    const [firstName = null, lastName = null] = namesOf(lead.name);
    const details = { email, phone, firstName, lastName, language: null, country: null, timeZone: null };
    await this.dataSource.transaction((transaction) =>
      this.contacts.fill(transaction, organizationId, details, {
        ...{ source: 'bot', text: null, occurredAt: new Date(time) },
      }),
    );
  }

  /** Who leaves a list still gets other mail, so that the consent of the channel stays. */
  @Consumes(emailUnsubscribed, { queue: QUEUE, concurrency: CONCURRENCY })
  async unsubscribe(event: EventOf<typeof emailUnsubscribed>): Promise<void> {
    if (event.data.scope === MARKETING) await this.optOut(event, 'unsubscribe');
  }

  @Consumes(emailComplained, { queue: QUEUE, concurrency: CONCURRENCY })
  complain(event: EventOf<typeof emailComplained>): Promise<void> {
    return this.optOut(event, 'complaint');
  }

  /** A consent that is only implied by a send is no evidence. */
  @Consumes(chatappConsentChanged, { queue: QUEUE, concurrency: CONCURRENCY })
  async changeChatappConsent({ organizationId, data }: EventOf<typeof chatappConsentChanged>): Promise<void> {
    const { number: address, status, source, occurredAt } = data;
    if (organizationId === null || status === 'pending' || source === 'send') return;
    await applyConsent(
      this.pool,
      { organizationId, channel: 'chatapp', address, status },
      { source, text: null, occurredAt: new Date(occurredAt) },
    );
  }

  private async optOut({ organizationId, time, data }: EventOf<typeof emailComplained>, source: string): Promise<void> {
    if (organizationId === null) return;
    await applyConsent(
      this.pool,
      { organizationId, channel: 'email', address: data.recipient, status: 'opted_out' },
      { source, text: null, occurredAt: new Date(time) },
    );
  }
}

/** The first word is the first name. */
function namesOf(name: string | null): string[] {
  const [first, ...rest] = (name ?? '').trim().split(/\s+/);
  return [first, rest.join(' ')].filter((part): part is string => Boolean(part));
}
