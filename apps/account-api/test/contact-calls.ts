import { unique } from '@heliograph/testing';
import type { AccountFixture, Answer, Tenant } from './account-fixture';

export interface Contact {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string | null;
  attributes: Record<string, unknown>;
  groups: { id: string; name: string }[];
  consent: Record<string, string>;
  created_at: string;
  updated_at: string;
}

export interface List<T> {
  data: T[];
  next_cursor?: string;
}

interface Refusal {
  code: string;
  message: string;
  fields?: { field: string; message: string }[];
  contact_id?: string;
}

export type Body = Record<string, unknown>;

export const PLACE = '/api/v1/contacts';
let numbers = 0;
/** Returns an email address and a phone number that no other contact has. */
export const someone = () => ({
  email: `ann-${unique()}@example.com`.toLowerCase(),
  phone: `+9198${String(10_000_000 + numbers++)}`,
});

/** Calls of `/api/v1/contacts` by one tenant. */
export class ContactCalls {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
  ) {}

  call<T>(method: string, path: string, body?: Body, headers: Record<string, string> = {}) {
    const options = { key: this.tenant.key, headers, ...(body === undefined ? {} : { body }) };
    return this.fixture.v1<Answer & T & Refusal>(method, `${PLACE}${path}`, options);
  }

  create(body: Body, query = '') {
    return this.call<Contact>('POST', query, body);
  }

  list(query: string) {
    return this.call<List<Contact>>('GET', query);
  }

  /** Creates a group and returns its id. */
  async group(name = unique()): Promise<string> {
    return (await this.call<{ id: string }>('POST', '/groups', { name })).id;
  }
}
