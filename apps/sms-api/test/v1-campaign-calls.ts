import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import type { Fields, V1Calls } from './v1-calls';

export interface Campaign extends Fields {
  id: string;
  status: string;
  counts: Record<string, number>;
  skipped_reasons: Record<string, number>;
  credits_spent: number;
  error: { code: string } | null;
}

/** Creates contacts and campaigns of the current tenant, and reads the campaigns. */
export class V1CampaignCalls {
  tenant!: SmsTenant;
  /** The group of new contacts, and the audience of new campaigns. */
  groupId!: string;

  constructor(private readonly v1: V1Calls) {}

  private get sms(): SmsFixture {
    return this.v1.sms;
  }

  /** Replaces the current tenant and its group by new ones. */
  async newTenant(options: Parameters<SmsFixture['tenant']>[0] = {}): Promise<SmsTenant> {
    this.tenant = await this.sms.tenant(options);
    this.groupId = await this.group();
    return this.tenant;
  }

  async group(): Promise<string> {
    const id = newId();
    const values = [id, this.tenant.organizationId, id];
    await this.sms.database.query(
      'INSERT INTO contacts.groups (id, organization_id, name) VALUES ($1, $2, $3)',
      values,
    );
    return id;
  }

  async contact(fields: Fields = {}, groups: string[] = [this.groupId]): Promise<{ id: string; phone: string }> {
    const { organizationId } = this.tenant;
    const row: Fields = {
      id: newId(),
      organization_id: organizationId,
      phone: this.sms.recipient(),
      source: 'api',
      ...fields,
    };
    const columns = Object.keys(row);
    await this.sms.database.query(
      `INSERT INTO contacts.contacts (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
    for (const id of groups) {
      await this.sms.database.query('INSERT INTO contacts.memberships VALUES ($1, $2)', [id, row['id']]);
    }
    return row as { id: string; phone: string };
  }

  async contacts(count: number, fields: Fields = {}): Promise<{ id: string; phone: string }[]> {
    const made: { id: string; phone: string }[] = [];
    for (let n = 0; n < count; n++) made.push(await this.contact(fields));
    return made;
  }

  request(fields: Fields = {}): Fields {
    const { sender, template } = this.tenant;
    return {
      name: 'Spring',
      sender_id: sender.id,
      template_id: template.id,
      variables: { code: '{{ first_name | default: "there" }}' },
      audience: { group_ids: [this.groupId] },
      ...fields,
    };
  }

  async post(path: string, body: unknown = {}, headers = {}) {
    const answer = await this.v1.post(`/campaigns${path}`, body, this.tenant.key, headers);
    return { status: answer.status, body: answer.body as Campaign & { code: string; fields?: { field: string }[] } };
  }

  async create(fields: Fields = {}): Promise<Campaign> {
    const { status, body } = await this.post('', this.request(fields));
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  async read(id: string): Promise<Campaign> {
    return (await this.v1.get(`/campaigns/${id}`, this.tenant.key)).body as Campaign;
  }

  reached(id: string, status: string) {
    return until(status, async () => (await this.read(id)).status === status);
  }

  messagesOf(id: string) {
    return this.sms.database.query<{ recipient: string; body: string; credits_cost: number }>(
      'SELECT recipient, body, credits_cost FROM sms.messages WHERE campaign_id = $1 ORDER BY id',
      [id],
    );
  }
}
