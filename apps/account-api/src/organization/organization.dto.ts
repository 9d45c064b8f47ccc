import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Organization } from '@heliograph/tenancy';
import { IsFilledText, MayBeAbsent } from '../http/rules';

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

export class OneOrganization {
  @ApiProperty()
  organization: OrganizationRecord;
}

export class ChangeOrganizationRequest {
  @ApiPropertyOptional({ example: 'Acme' })
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;
}
