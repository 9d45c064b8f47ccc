import { randomUUID } from 'node:crypto';
import { benchKey } from '@heliograph/bench-data';
import type { Client } from 'pg';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';
import { FeedReader } from './feed-reader';
import type { WebhookReceiver } from './webhook-receiver';

const LANES = 4;
const PAUSE_MS = 60;
const CREATED_SHARE = 0.5;
const REPEATED_SHARE = 0.1;
/** Endpoints of each organization, by the first part of the path. */
const KINDS = ['healthy', 'flapping'] as const;

interface Contact {
  id: string;
}

/** A subscription that gets every event of its organization. */
export interface Subscribed {
  id: string;
  organization: number;
  path: string;
}

export interface WebhookTarget {
  accountUrl: string;
  organizations: number;
  receiver: WebhookReceiver;
}

/** Organizations that subscribe to all events, change contacts all the time, and read their feed. */
export class WebhookWorkload extends Workload implements LoadSource {
  readonly subscriptions: Subscribed[] = [];
  readonly feeds: FeedReader[] = [];
  /** Every event that is stored later is delivered to all endpoints of its organization. */
  subscribedAt = new Date();
  private number = 0;
  private changes = 0;
  private readonly contactsOfLane: Contact[][] = Array.from({ length: LANES }, () => []);

  private constructor(private readonly target: WebhookTarget) {
    super();
  }

  /** Subscribes before anything happens. */
  static async start(target: WebhookTarget): Promise<WebhookWorkload> {
    const workload = new WebhookWorkload(target);
    for (let organization = 0; organization < target.organizations; organization++) {
      for (const kind of KINDS) await workload.subscribe(organization, `/${kind}/${organization}`);
      workload.feeds.push(new FeedReader(target.accountUrl, organization).start());
    }
    workload.subscribedAt = new Date();
    return workload.start(LANES);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.feeds.map((feed) => feed.stop()));
  }

  summary(): string {
    return `${this.changes} changes of contacts, ${this.target.receiver.total} events at endpoints`;
  }

  /** The ids of the organizations, in their order. */
  async organizationIds(database: Client): Promise<string[]> {
    const { rows } = await database.query<{ organization_id: string }>(
      'SELECT s.organization_id FROM unnest($1::uuid[]) WITH ORDINALITY AS o (id, place) JOIN webhooks.subscriptions AS s USING (id) ORDER BY place',
      [this.subscriptions.filter(({ path }) => path.startsWith(`/${KINDS[0]}/`)).map(({ id }) => id)],
    );
    return rows.map(({ organization_id: id }) => id);
  }

  protected async runOnce(lane: number): Promise<void> {
    const { accountUrl, organizations } = this.target;
    const bearerToken = benchKey(lane % organizations);
    const contacts = this.contactsOfLane[lane] ?? [];
    const number = this.number++;
    const contact = Math.random() < CREATED_SHARE ? undefined : contacts[Math.floor(Math.random() * contacts.length)];
    const url = `${accountUrl}/api/v1/contacts`;
    if (contact) {
      const body = { last_name: `Change ${number}` };
      const call = {
        name: 'a change of a contact',
        url: `${url}/${contact.id}`,
        method: 'PUT',
        bearerToken,
        body,
      } as const;
      await callUntilAnswered<Contact>(call, this);
    } else {
      const body = { email: `webhook-${lane}-${number}@chaos.example`, first_name: `Contact ${number}` };
      const call = { name: 'a new contact', url, bearerToken, body, idempotencyKey: randomUUID() };
      const created = await this.callAndRepeat<Contact>(call, { share: REPEATED_SHARE });
      if (created) contacts.push(created);
    }
    this.changes++;
    await this.pause(PAUSE_MS);
  }

  private async subscribe(organization: number, path: string): Promise<void> {
    const { accountUrl, receiver } = this.target;
    const body = { url: `${receiver.url}${path}`, events: ['*'] };
    const answer = await callUntilAnswered<{ id: string; secret: string }>(
      { name: 'a new webhook', url: `${accountUrl}/api/v1/webhooks`, bearerToken: benchKey(organization), body },
      this,
    );
    if (!answer) return;
    receiver.expect(path, answer.secret);
    this.subscriptions.push({ id: answer.id, organization, path });
  }
}
