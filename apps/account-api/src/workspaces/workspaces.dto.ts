import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SLUG, WORKSPACE_STATUSES, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { IsFilledText, MayBeAbsent, rule } from '../http/rules';

export const IsSlug = () =>
  rule(
    'isSlug',
    'must be 3 to 63 lower-case letters, digits and inner hyphens',
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

export class WorkspaceList {
  @ApiProperty({ type: [WorkspaceRecord] })
  workspaces: WorkspaceRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class OneWorkspace {
  @ApiProperty()
  workspace: WorkspaceRecord;
}

export class CreateWorkspaceRequest {
  @ApiProperty({ example: 'acme-main', description: 'Unique over all organizations' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme Main' })
  @IsFilledText(200)
  displayName: string;
}

export class ChangeWorkspaceRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsSlug()
  slug?: string;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(200)
  displayName?: string;
}
