import type { Timestamp, Uuid } from '@heliograph/contracts';
import type { Organization } from '@heliograph/tenancy';
import { One } from '../../http/answers';
import { IsNonBlankText, Optional } from '../../http/rules';

export class OrganizationRecord {
  id: Uuid;
  slug: string;
  name: string;
  createdAt: Timestamp;

  static of({ id, slug, name, createdAt }: Organization): OrganizationRecord {
    return { id, slug, name, createdAt: createdAt.toISOString() };
  }
}

export class OneOrganization extends One('organization', OrganizationRecord) {}

export class ChangeOrganizationRequest {
  /** @example Acme */
  @Optional()
  @IsNonBlankText(200)
  name?: string;
}
