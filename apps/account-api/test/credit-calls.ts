import type { AccountFixture, Tenant } from './account-fixture';

/** Calls of `/api/v1/credits` by one tenant. */
export class CreditCalls {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
  ) {}

  async call(method: string, path: string, body?: unknown, key = this.tenant.key, headers = {}) {
    return (await this.fixture.call(method, `/api/v1/credits${path}`, {
      key,
      headers,
      ...(body ? { body } : {}),
    })) as unknown as Record<string, unknown> & {
      status: number | string;
      code: string;
      fields?: { field: string }[];
      data: Record<string, unknown>[];
    };
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
