import type { Timestamp, Uuid } from '@heliograph/contracts';
import { SLUG, WORKSPACE_STATUSES, type Workspace } from '@heliograph/tenancy';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../../http/answers';
import { ChangesOf } from '../../http/changes-of';
import { IsNonBlankText } from '../../http/rules';

export const IsSlug = () =>
  rule(
    'isSlug',
    'must be 3 to 63 lower-case letters, digits and hyphens, without a leading or trailing hyphen',
    (value) => typeof value === 'string' && SLUG.test(value),
  );

export class WorkspaceRecord {
  id: Uuid;
  slug: string;
  displayName: string;
  /** @example pro */
  plan: string;
  status: (typeof WORKSPACE_STATUSES)[number];
  createdAt: Timestamp;

  static of({ id, slug, displayName, plan, status, createdAt }: Workspace): WorkspaceRecord {
    return { id, slug, displayName, plan, status, createdAt: createdAt.toISOString() };
  }
}

export class WorkspaceList extends ListOf('workspaces', WorkspaceRecord) {}

export class OneWorkspace extends One('workspace', WorkspaceRecord) {}

export class CreateWorkspaceRequest {
  /**
   * Slug of the workspace, unique across all organizations.
   * @example acme-main
   */
  @IsSlug()
  slug: string;
  /** @example Acme Main */
  @IsNonBlankText(200)
  displayName: string;
}

export class ChangeWorkspaceRequest extends ChangesOf(CreateWorkspaceRequest, ['slug', 'displayName']) {}
