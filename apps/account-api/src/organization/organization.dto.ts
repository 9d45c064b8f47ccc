import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Organization } from '@heliograph/tenancy';
import { One } from '../http/answers';
import { IsNonBlankText, Optional } from '../http/rules';

export class OrganizationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, slug, name, createdAt }: Organization): OrganizationRecord {
    return { id, slug, name, createdAt: createdAt.toISOString() };
  }
}

export class OneOrganization extends One('organization', OrganizationRecord) {}

export class ChangeOrganizationRequest {
  @ApiPropertyOptional({ example: 'Acme' })
  @Optional()
  @IsNonBlankText(200)
  name?: string;
}
