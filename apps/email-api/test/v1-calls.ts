import { OpenApiCheck } from '@heliograph/testing';
import { call, type Answer, type CallOptions } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

export type Fields = Record<string, unknown>;
export const SCHEDULED = '2099-01-01T10:00:00+02:00';

/** Sends requests to the v1 API. Each response is validated against the OpenAPI document. */
export class V1Calls {
  private constructor(
    readonly email: EmailFixture,
    private readonly openApi: OpenApiCheck,
    /** The tenant of calls without an explicit key. */
    readonly tenant: EmailTenant,
  ) {}

  static async start(): Promise<V1Calls> {
    const email = await EmailFixture.shared();
    return new V1Calls(email, await OpenApiCheck.read(email.url), await email.tenant());
  }

  get(path: string, key = this.tenant.key): Promise<Answer> {
    return this.request('GET', path, { key });
  }

  post(path: string, body: unknown, key: string | null = this.tenant.key, headers: Record<string, string> = {}) {
    return this.write('POST', path, body, key, headers);
  }

  put(path: string, body: unknown, key: string | null = this.tenant.key) {
    return this.write('PUT', path, body, key, {});
  }

  private write(
    method: 'POST' | 'PUT',
    path: string,
    body: unknown,
    key: string | null,
    headers: Record<string, string>,
  ) {
    const options = { key, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
    return this.request(method, path, options);
  }

  /** Returns the entries of a list. */
  async listed(path: string, key = this.tenant.key): Promise<Fields[]> {
    return (await this.get(path, key)).body['data'] as Fields[];
  }

  private async request(method: 'GET' | 'POST' | 'PUT', path: string, options: CallOptions): Promise<Answer> {
    const answer = await call(this.email, `/api/v1/email${path}`, { ...options, method });
    const described = `/api/v1/email${path.replace(/\?.*/, '').replace(/^(\/(?:messages|campaigns)\/)(?!estimate)[^/]+/, '$1{id}')}`;
    const type = answer.headers.get('content-type');
    expect(this.openApi.problems(method.toLowerCase(), described, answer.status, type, answer.body)).toBeNull();
    return answer;
  }
}
