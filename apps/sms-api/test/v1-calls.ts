import { OpenApiCheck } from '@heliograph/testing';
import { call, type Answer, type CallOptions } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

export type Fields = Record<string, unknown>;
export const SCHEDULED = '2099-01-01T10:00:00+02:00';

/** Sends requests to the v1 API. Each response is validated against the OpenAPI document. */
export class V1Calls {
  private constructor(
    readonly sms: SmsFixture,
    private readonly openApi: OpenApiCheck,
    /** The tenant of calls without an explicit key. */
    readonly tenant: SmsTenant,
  ) {}

  static async start(): Promise<V1Calls> {
    const sms = await SmsFixture.shared();
    return new V1Calls(sms, await OpenApiCheck.read(sms.service.url), await sms.tenant());
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

  async balanceOf(workspaceId: string): Promise<number> {
    const rows = await this.sms.database.query<{ balance: string }>(
      `SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = 'sms'`,
      [workspaceId],
    );
    return Number(rows[0]?.balance);
  }

  private async request(method: 'GET' | 'POST' | 'PUT', path: string, options: CallOptions): Promise<Answer> {
    const answer = await call(this.sms, `/api/v1/sms${path}`, { ...options, method });
    const described = `/api/v1/sms${path.replace(/\?.*/, '').replace(/^(\/(?:delivery|campaigns)\/)(?!estimate)[^/]+/, '$1{id}')}`;
    const type = answer.headers.get('content-type');
    expect(this.openApi.problems(method.toLowerCase(), described, answer.status, type, answer.body)).toBeNull();
    return answer;
  }
}
