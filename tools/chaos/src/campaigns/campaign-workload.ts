import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { benchKey, upTo } from '@heliograph/bench-data';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';

/** Each lane has its own organization. */
const LANES = 2;
const POLL_MS = 400;
const PAUSE_MS = 500;
const MIN_CONTACTS = 60;
const MORE_CONTACTS = 180;
const OPTED_OUT = 30;
/** The first rows of a file have no valid address. */
const INVALID_ROWS = 15;
const PAUSED_SHARE = 0.3;
const CANCELED_SHARE = 0.2;
const REPEATED_SHARE = 0.3;
/** Leases of killed workers expire within this time. */
const TIMEOUT_MS = 150_000;

export const CHANNELS = ['sms', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/** An accepted import with its expected result. */
export interface AcceptedImport {
  id: string;
  groupId: string;
  rows: number;
  invalid: number;
}

/** An accepted campaign with its expected result. */
export interface AcceptedCampaign {
  id: string;
  channel: Channel;
  audience: number;
  optedOut: number;
  /** Whether its cancellation was acknowledged. */
  canceled: boolean;
}

export interface CampaignTarget {
  accountUrl: string;
  /** The URL at which campaigns of a channel are created. */
  urls: Readonly<Record<Channel, string>>;
}

/** An import or a campaign. Campaigns have the other fields. */
interface Resource {
  id: string;
  status: string;
  started_at?: string | null;
  counts?: { audience: number; queued: number; skipped: number };
}

const CONTENT: Readonly<Record<Channel, (name: string) => object>> = {
  sms: () => ({ sender_id: 'BENCHS', template_id: 'otp', variables: { code: '{{ attributes.code }}' } }),
  // The subject identifies the email, together with its recipient, at the mail server.
  email: (name) => ({ subject: name, text: 'Hello {{ first_name }}' }),
};

/** Clients that import contacts into a new group and write to the group over both channels. */
export class CampaignWorkload extends Workload implements LoadSource {
  /** Ids of groups whose creation was acknowledged. */
  readonly groups: string[] = [];
  readonly imports: AcceptedImport[] = [];
  readonly campaigns: AcceptedCampaign[] = [];
  private number = 0;
  private contacts = 0;

  constructor(private readonly target: CampaignTarget) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  summary(): string {
    return `${this.contacts} contacts imported, ${this.campaigns.length} campaigns`;
  }

  protected async runOnce(lane: number): Promise<void> {
    const key = benchKey(lane);
    const url = `${this.target.accountUrl}/api/v1/contacts/groups`;
    const group = await this.create(key, url, { name: `Group ${this.number++}` });
    if (group) {
      this.groups.push(group.id);
      const audience = await this.importContacts(key, group.id, MIN_CONTACTS + upTo(MORE_CONTACTS), {});
      const optedOut = await this.importContacts(key, group.id, OPTED_OUT, { sms: 'opted_out', email: 'opted_out' });
      const sizes = { audience: audience + optedOut, optedOut };
      await Promise.all(CHANNELS.map((channel) => this.runCampaign(key, channel, group.id, sizes)));
    }
    await this.pause(PAUSE_MS);
  }

  /** Returns the number of contacts that the import must have created. */
  private async importContacts(key: string, groupId: string, count: number, consent: object): Promise<number> {
    const url = `${this.target.accountUrl}/api/v1/contacts/import`;
    const invalid = Array.from({ length: INVALID_ROWS }, (_, index) => ({ first_name: `Nobody ${index}` }));
    const contacts = Array.from({ length: count }, () => contactOf(this.contacts++));
    const body = { contacts: [...invalid, ...contacts], options: { group_ids: [groupId], consent } };
    const accepted = await this.create(key, url, body);
    if (!accepted) return 0;
    this.imports.push({ id: accepted.id, groupId, rows: INVALID_ROWS + count, invalid: INVALID_ROWS });
    await this.untilStatus(key, `${url}/${accepted.id}`, ['completed', 'failed']);
    return count;
  }

  private async runCampaign(
    key: string,
    channel: Channel,
    groupId: string,
    sizes: Pick<AcceptedCampaign, 'audience' | 'optedOut'>,
  ): Promise<void> {
    const url = `${this.target.urls[channel]}/api/v1/${channel}/campaigns`;
    const name = `Campaign ${this.number++}`;
    const campaign = await this.create(key, url, {
      ...CONTENT[channel](name),
      name,
      audience: { group_ids: [groupId] },
    });
    if (!campaign) return;
    const accepted: AcceptedCampaign = { id: campaign.id, channel, ...sizes, canceled: false };
    this.campaigns.push(accepted);
    if (Math.random() < PAUSED_SHARE) {
      await this.change(key, `${url}/${campaign.id}/pause`);
      await this.pause(PAUSE_MS);
      await this.change(key, `${url}/${campaign.id}/resume`);
    }
    if (Math.random() < CANCELED_SHARE) {
      await this.pause(PAUSE_MS);
      accepted.canceled = (await this.change(key, `${url}/${campaign.id}/cancel`)) !== null;
    }
    await this.untilAccepted(key, `${url}/${campaign.id}`);
  }

  private create(bearerToken: string, url: string, body: object): Promise<Resource | null> {
    return this.callAndRepeat<Resource>(
      { name: `POST ${url}`, url, bearerToken, idempotencyKey: randomUUID(), body },
      { share: REPEATED_SHARE, compare: ({ id }) => id },
    );
  }

  /** Resolves with null if the campaign has ended already, or a repeated call found the change already made. */
  private change(bearerToken: string, url: string): Promise<Resource | null> {
    return callUntilAnswered<Resource>(
      { name: `POST ${url}`, url, bearerToken, idempotencyKey: randomUUID(), mayRefuse: /INVALID_TRANSITION/ },
      this,
    );
  }

  private untilStatus(bearerToken: string, url: string, statuses: readonly string[]): Promise<void> {
    return this.untilTrue(bearerToken, url, statuses.join(' or '), ({ status }) => statuses.includes(status));
  }

  /** A deferred email can delay the completion for minutes. At the end of the run, retries are due immediately. */
  private untilAccepted(bearerToken: string, url: string): Promise<void> {
    return this.untilTrue(bearerToken, url, 'accepted or ended', ({ status, started_at: startedAt, counts }) => {
      if (['completed', 'failed', 'canceled'].includes(status)) return true;
      return Boolean(startedAt && counts && counts.queued + counts.skipped === counts.audience);
    });
  }

  private async untilTrue(
    bearerToken: string,
    url: string,
    what: string,
    condition: (resource: Resource) => boolean,
  ): Promise<void> {
    const call = { name: `GET ${url}`, url, method: 'GET', bearerToken } as const;
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(POLL_MS)) {
      const resource = await callUntilAnswered<Resource>(call, this);
      if (!resource || condition(resource)) return;
    }
    this.problems.push(`${url} did not become ${what} within ${TIMEOUT_MS / 1_000} s`);
  }
}

function contactOf(number: number): object {
  return {
    phone: `+9197${String(number).padStart(8, '0')}`,
    email: `contact-${number}@readers.example`,
    first_name: `Contact ${number}`,
    attributes: { code: String(number) },
  };
}
