import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Contact as Lead } from '@heliograph/bot-conversations';
import {
  applyConsent,
  ContactsService,
  publishContactRecords,
  publishContacts,
  readContactField,
  restoreConsent,
  type ChannelConsent,
} from '@heliograph/contacts';
import {
  chatappConsentChanged,
  emailComplained,
  emailResubscribed,
  emailUnsubscribed,
  leadCaptured,
  type EventEnvelope,
  type EventOf,
} from '@heliograph/contracts';
import { clientOf } from '@heliograph/database';
import { MARKETING } from '@heliograph/email-catalog';
import { Consumes } from '@heliograph/messaging';
import { Erasures, readPersonAddress } from '@heliograph/tenancy';
import { DataSource, Repository } from 'typeorm';

const QUEUE = 'account-api.contacts';
const CONCURRENCY = 4;
/** The source of the consent that an unsubscribe withdraws. */
const UNSUBSCRIBE = 'unsubscribe';

/** Updates the contacts of an organization with leads of bots and with consents that persons give or withdraw on a channel. */
@Injectable()
export class ContactEventsConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contacts: ContactsService,
    private readonly erasures: Erasures,
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
  ) {}

  /**
   * A lead only fills empty fields and changes no consent, because the identity of visitors is not verified. The lead of a person who
   * was erased in the meantime is ignored.
   */
  @Consumes(leadCaptured, { queue: QUEUE, concurrency: CONCURRENCY })
  async addLead({ organizationId, time, correlationId, data }: EventOf<typeof leadCaptured>): Promise<void> {
    if (organizationId === null || data.contactId === null) return;
    const lead = await this.leads.findOneBy({ id: data.contactId, organizationId });
    if (!lead) return;
    const email = readContactField('email', lead.email);
    const phone = readContactField('phone', lead.phone);
    if (email === null && phone === null) return;
    const [firstName = null, lastName = null] = namesOf(lead.name);
    const details = { email, phone, firstName, lastName, language: null, country: null, timeZone: null };
    await this.dataSource.transaction(async (transaction) => {
      for (const address of [email, phone]) {
        const person = address === null ? null : readPersonAddress(address);
        if (person && (await this.erasures.isErasedSince(transaction, organizationId, person, new Date(time)))) return;
      }
      const evidence = { source: 'bot', text: null, occurredAt: new Date(time) };
      const { before, after } = await this.contacts.fill(transaction, organizationId, details, evidence);
      if (before === after) return;
      const change = before ? 'updated' : 'created';
      await publishContactRecords(await clientOf(transaction), change, [after], correlationId);
    });
  }

  /** Only an unsubscribe from marketing changes the consent. A person who unsubscribes from a list still receives other mail. */
  @Consumes(emailUnsubscribed, { queue: QUEUE, concurrency: CONCURRENCY })
  async unsubscribe(event: EventOf<typeof emailUnsubscribed>): Promise<void> {
    if (event.data.scope === MARKETING) await this.optOut(event, UNSUBSCRIBE);
  }

  /** Restores the consent that the person had before the unsubscribe, unless it has changed since. */
  @Consumes(emailResubscribed, { queue: QUEUE, concurrency: CONCURRENCY })
  async resubscribe(event: EventOf<typeof emailResubscribed>): Promise<void> {
    const { organizationId, correlationId, data } = event;
    if (organizationId === null || data.scope !== MARKETING) return;
    await this.dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const changed = await restoreConsent(
        client,
        { organizationId, channel: 'email', address: data.recipient },
        UNSUBSCRIBE,
        { source: 'resubscribe', text: null, occurredAt: new Date(event.time) },
      );
      await publishContacts(client, organizationId, 'updated', changed, correlationId);
    });
  }

  @Consumes(emailComplained, { queue: QUEUE, concurrency: CONCURRENCY })
  complain(event: EventOf<typeof emailComplained>): Promise<void> {
    return this.optOut(event, 'complaint');
  }

  /** Ignores consents that are only implied by a send, because they are not evidence. */
  @Consumes(chatappConsentChanged, { queue: QUEUE, concurrency: CONCURRENCY })
  async changeChatappConsent(event: EventOf<typeof chatappConsentChanged>): Promise<void> {
    const { number: address, status, source, text = null, occurredAt } = event.data;
    if (status === 'pending' || source === 'send') return;
    const evidence = { source, text, occurredAt: new Date(occurredAt) };
    await this.apply(event, { channel: 'chatapp', address, status }, evidence);
    const person = status === 'opted_in' && event.organizationId !== null ? readPersonAddress(address) : null;
    if (!person) return;
    const { organizationId } = event;
    await this.dataSource.transaction((transaction) =>
      this.erasures.unblock(transaction, organizationId ?? '', person, 'chatapp'),
    );
  }

  private async optOut(event: EventOf<typeof emailComplained>, source: string): Promise<void> {
    const { recipient: address } = event.data;
    const evidence = { source, text: null, occurredAt: new Date(event.time) };
    await this.apply(event, { channel: 'email', address, status: 'opted_out' }, evidence);
  }

  private async apply(
    { organizationId, correlationId }: EventEnvelope,
    consent: Omit<ChannelConsent, 'organizationId'>,
    evidence: Parameters<typeof applyConsent>[2],
  ): Promise<void> {
    if (organizationId === null) return;
    await this.dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const given = { ...consent, organizationId };
      const changed = await applyConsent(client, given, evidence);
      await publishContacts(client, organizationId, 'updated', changed, correlationId);
    });
  }
}

/** Splits a name into first and last name. The first word is the first name. */
function namesOf(name: string | null): string[] {
  const [first, ...rest] = (name ?? '').trim().split(/\s+/);
  return [first, rest.join(' ')].filter((part): part is string => Boolean(part));
}
