import type { AccountFixture, Tenant } from './account-fixture';

interface CreditAnswer extends Record<string, unknown> {
  status: number | string;
  code: string;
  fields?: { field: string }[];
  data: Record<string, unknown>[];
}

/** Calls of `/api/v1/credits` by one tenant. */
export class CreditCalls {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
  ) {}

  call(method: string, path: string, body?: unknown, key = this.tenant.key, headers = {}): Promise<CreditAnswer> {
    return this.fixture.v1(method, `/api/v1/credits${path}`, { key, headers, body });
  }

  /** Returns the HTTP status, which a body field with the same name hides in `call`. */
  async statusOf(method: string, path: string, body?: unknown, key = this.tenant.key): Promise<number> {
    const response = await fetch(`${this.fixture.service.url}/api/v1/credits${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.status;
  }
}
