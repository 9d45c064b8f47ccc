import { ApiProperty } from '@nestjs/swagger';
import { SLUG, WORKSPACE_STATUSES, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
import { IsNonBlankText } from '../http/rules';

export const IsSlug = () =>
  rule(
    'isSlug',
    'must be 3 to 63 lower-case letters, digits and hyphens, without a leading or trailing hyphen',
    (value) => typeof value === 'string' && SLUG.test(value),
  );

export class WorkspaceRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  displayName: string;
  @ApiProperty({ example: 'pro' })
  plan: string;
  @ApiProperty({ enum: WORKSPACE_STATUSES })
  status: WorkspaceStatus;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, slug, displayName, plan, status, createdAt }: Workspace): WorkspaceRecord {
    return { id, slug, displayName, plan, status, createdAt: createdAt.toISOString() };
  }
}

export class WorkspaceList extends ListOf('workspaces', WorkspaceRecord) {}

export class OneWorkspace extends One('workspace', WorkspaceRecord) {}

export class CreateWorkspaceRequest {
  @ApiProperty({ example: 'acme-main', description: 'Slug of the workspace, unique across all organizations' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme Main' })
  @IsNonBlankText(200)
  displayName: string;
}

export class ChangeWorkspaceRequest extends ChangesOf(CreateWorkspaceRequest, ['slug', 'displayName']) {}
