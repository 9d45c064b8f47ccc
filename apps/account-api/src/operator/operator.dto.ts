import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { CREDIT_TYPES, ROLES, SCOPES, type CreditType, type Role } from '@heliograph/contracts';
import { MAX_AMOUNT } from '@heliograph/credits';
import type { Onboarding, Rate } from '@heliograph/sms-catalog';
import { WORKSPACE_STATUSES, type Organization, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
import { optionalText, optionalTimestamp } from '../http/schemas';
import {
  IsText,
  IsNonBlankText,
  Optional,
  OptionalNullable,
  IsInteger,
  IsTextArray,
  IsFutureTimestamp,
  IsRole,
  IsCreditType,
  IsOneOf,
} from '../http/rules';
import { IsPassword } from '../auth/auth.dto';
import { MemberRecord } from '../members/members.dto';
import { OnboardingRecord } from '../sms/sms.dto';
import { IsSlug, WorkspaceRecord } from '../workspaces/workspaces.dto';

export class OrganizationAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ type: [String], description: 'IP allow-list for API keys. An empty list allows every address' })
  ipAllowlist: string[];
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, slug, name, ipAllowlist, createdAt }: Organization): OrganizationAnswer {
    return { id, slug, name, ipAllowlist, createdAt: createdAt.toISOString() };
  }
}

export class OneOrganizationAnswer extends One('organization', OrganizationAnswer) {}

export class OrganizationList extends ListOf('organizations', OrganizationAnswer) {}

export class CreateOrganizationRequest {
  @ApiProperty({ example: 'acme' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme' })
  @IsNonBlankText(200)
  name: string;
}

export class AddUserRequest {
  @ApiProperty({ example: 'owner@acme.example' })
  @IsNonBlankText(254)
  email: string;
  @ApiProperty({ enum: ROLES })
  @IsRole()
  role: Role;
  @ApiPropertyOptional({ description: 'Required if the user does not exist yet' })
  @Optional()
  @IsNonBlankText(200)
  name?: string;
  @ApiPropertyOptional({ description: 'Required if the user does not exist yet' })
  @Optional()
  @IsPassword()
  password?: string;
}

export class AddedUser extends PickType(MemberRecord, ['userId', 'email', 'name', 'role']) {}

export class OneAddedUser {
  @ApiProperty()
  member: AddedUser;
}

export class OperatorWorkspace extends WorkspaceRecord {
  @ApiProperty({ format: 'uuid' })
  organizationId: string;
  @ApiProperty(optionalText)
  billingCustomer: string | null;

  static override of(workspace: Workspace): OperatorWorkspace {
    const { organizationId, billingCustomer } = workspace;
    return { ...WorkspaceRecord.of(workspace), organizationId, billingCustomer };
  }
}

export class OneOperatorWorkspace extends One('workspace', OperatorWorkspace) {}

export class OperatorWorkspaceList extends ListOf('workspaces', OperatorWorkspace) {}

const IsStatus = () => IsOneOf(WORKSPACE_STATUSES);

export class AddWorkspaceRequest {
  @ApiProperty({ example: 'acme-main' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme Main' })
  @IsNonBlankText(200)
  displayName: string;
  @ApiPropertyOptional({ default: 'free' })
  @Optional()
  @IsNonBlankText(100)
  plan: string = 'free';
  @ApiPropertyOptional({ enum: WORKSPACE_STATUSES, default: 'active' })
  @Optional()
  @IsStatus()
  status: WorkspaceStatus = 'active';
  @ApiPropertyOptional({ ...optionalText, example: 'cus_acme' })
  @OptionalNullable()
  @IsNonBlankText(255)
  billingCustomer: string | null = null;
}

export class SetWorkspaceRequest extends ChangesOf(AddWorkspaceRequest, [
  'slug',
  'displayName',
  'plan',
  'status',
  'billingCustomer',
]) {}

const IsGrant = () =>
  rule(
    'isGrant',
    `must be an integer other than 0, from -${MAX_AMOUNT} to ${MAX_AMOUNT}`,
    (value) => Number.isSafeInteger(value) && value !== 0 && Math.abs(value as number) <= MAX_AMOUNT,
  );

export class GrantRequest {
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsCreditType()
  creditType: CreditType;
  @ApiProperty({
    type: 'integer',
    description: 'A positive amount is a top-up. A negative amount is an adjustment that removes credits.',
  })
  @IsGrant()
  amount: number;
  @ApiPropertyOptional({
    description: 'Your own identifier of the movement. Credits are moved only once for each reference.',
    example: 'order-4711',
  })
  @Optional()
  @IsNonBlankText(200)
  reference?: string;
  @ApiPropertyOptional({ description: 'Reason that is stored in the audit log' })
  @Optional()
  @IsText(1_000)
  note?: string;
}

export class Granted {
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ type: 'integer' })
  amount: number;
  @ApiProperty({ description: 'Reference of the ledger entry' })
  reference: string;
  @ApiProperty({ type: 'integer' })
  balance: number;
  @ApiProperty({ description: 'True if the reference was already used. In this case, no credits were moved' })
  repeated: boolean;
}

export class OneGrant {
  @ApiProperty()
  grant: Granted;
}

export class OperatorKeyRequest {
  @ApiProperty({ example: 'first' })
  @IsNonBlankText(200)
  name: string;
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Organization to which the key belongs; `null` for an unbound key',
  })
  @OptionalNullable()
  @IsNonBlankText(100)
  organizationId: string | null = null;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: [] })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes: string[] = [];
  @ApiPropertyOptional({ enum: ROLES, default: 'owner' })
  @Optional()
  @IsRole()
  role: Role = 'owner';
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @OptionalNullable()
  @IsNonBlankText(100)
  workspaceId: string | null = null;
  @ApiPropertyOptional(optionalTimestamp)
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt: string | null = null;
}

export class OperatorOnboarding extends OnboardingRecord {
  @ApiProperty({ format: 'uuid' })
  organizationId: string;

  static override of(onboarding: Onboarding): OperatorOnboarding {
    return { ...OnboardingRecord.of(onboarding), organizationId: onboarding.organizationId };
  }
}

export class OneOperatorOnboarding extends One('onboarding', OperatorOnboarding) {}

export class OperatorOnboardingList extends ListOf('onboardings', OperatorOnboarding) {}

export class ApproveRequest {
  @ApiPropertyOptional({ description: 'Entity id that the registry assigned, if it differs from the submitted id' })
  @Optional()
  @IsNonBlankText(100)
  dltEntityId?: string;
}

export class RejectRequest {
  @ApiProperty({ description: 'Reason for the rejection. It is shown to the organization' })
  @IsNonBlankText(1_000)
  reason: string;
}

export class RateRecord {
  @ApiProperty({ example: 'DE' })
  country: string;
  @ApiProperty({
    type: 'integer',
    description: 'Credits per segment. Countries that are not listed cost 1 credit per segment',
  })
  rate: number;

  static of({ country, rate }: Rate): RateRecord {
    return { country, rate };
  }
}

export class Rates {
  @ApiProperty({ type: [RateRecord] })
  rates: RateRecord[];
}

export class OneRate extends One('rate', RateRecord) {}

export class RateRequest {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1_000_000 })
  @IsInteger(0, 1_000_000)
  rate: number;
}
