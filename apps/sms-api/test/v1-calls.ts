import { OpenApiCheck, V1Client, type V1Fields } from '@heliograph/testing';
import { SmsFixture, type SmsTenant } from './sms-fixture';

export type Fields = V1Fields;
export const SCHEDULED = '2099-01-01T10:00:00+02:00';

/** Sends requests to the v1 API of the SMS service. */
export class V1Calls extends V1Client {
  private constructor(
    readonly sms: SmsFixture,
    openApi: OpenApiCheck,
    /** The tenant of calls without an explicit key. */
    readonly tenant: SmsTenant,
  ) {
    super(sms.url, '/api/v1/sms', ['delivery', 'campaigns'], openApi, tenant.key);
  }

  /** `given`: a service of its own; default: the shared service. */
  static async start(given?: SmsFixture): Promise<V1Calls> {
    const sms = given ?? (await SmsFixture.shared());
    return new V1Calls(sms, await OpenApiCheck.read(sms.service.url), await sms.tenant());
  }

  async balanceOf(workspaceId: string): Promise<number> {
    const rows = await this.sms.database.query<{ balance: string }>(
      `SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = 'sms'`,
      [workspaceId],
    );
    return Number(rows[0]?.balance);
  }
}
