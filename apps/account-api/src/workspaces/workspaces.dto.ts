import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SLUG, WORKSPACE_STATUSES, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { IsNonBlankText, Optional, createRule } from '../http/rules';

export const IsSlug = () =>
  createRule(
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

export class WorkspaceList {
  @ApiProperty({ type: [WorkspaceRecord] })
  workspaces: WorkspaceRecord[];
  @ApiPropertyOptional({ description: 'Present if there are more results' })
  nextCursor?: string;
}

export class OneWorkspace {
  @ApiProperty()
  workspace: WorkspaceRecord;
}

export class CreateWorkspaceRequest {
  @ApiProperty({ example: 'acme-main', description: 'Unique across all organizations' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme Main' })
  @IsNonBlankText(200)
  displayName: string;
}

export class ChangeWorkspaceRequest {
  @ApiPropertyOptional()
  @Optional()
  @IsSlug()
  slug?: string;
  @ApiPropertyOptional()
  @Optional()
  @IsNonBlankText(200)
  displayName?: string;
}
