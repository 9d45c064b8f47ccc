import { OpenApiCheck, V1Client, type V1Fields } from '@heliograph/testing';
import { EmailFixture, type EmailTenant } from './email-fixture';

export type Fields = V1Fields;
export const SCHEDULED = '2099-01-01T10:00:00+02:00';

/** Sends requests to the v1 API of the email service. */
export class V1Calls extends V1Client {
  private constructor(
    readonly email: EmailFixture,
    openApi: OpenApiCheck,
    /** The tenant of calls without an explicit key. */
    readonly tenant: EmailTenant,
  ) {
    super(email.url, '/api/v1/email', ['messages', 'campaigns'], openApi, tenant.key);
  }

  /** `given`: a service of its own; default: the shared service. */
  static async start(given?: EmailFixture): Promise<V1Calls> {
    const email = given ?? (await EmailFixture.shared());
    return new V1Calls(email, await OpenApiCheck.read(email.url), await email.tenant());
  }
}
