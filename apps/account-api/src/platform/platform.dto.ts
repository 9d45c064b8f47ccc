import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CREDIT_TYPES, ROLES, SCOPES, type CreditType, type Role } from '@heliograph/contracts';
import { MAX_AMOUNT } from '@heliograph/credits';
import type { Rate } from '@heliograph/sms-catalog';
import { WORKSPACE_STATUSES, type Organization, type Workspace, type WorkspaceStatus } from '@heliograph/tenancy';
import { IsPassword } from '../auth/auth.dto';
import {
  IsCreditType,
  IsFilledText,
  IsFutureMoment,
  IsOneOf,
  IsRole,
  IsText,
  IsTextList,
  IsWhole,
  MayBeAbsent,
  MayBeEmpty,
  rule,
} from '../http/rules';
import { OnboardingRecord } from '../sms/sms.dto';
import { IsSlug, WorkspaceRecord } from '../workspaces/workspaces.dto';

const optionalText = { type: String, nullable: true } as const;

export class OrganizationAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ type: [String], description: 'Empty: any address' })
  ipAllowlist: string[];
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, slug, name, ipAllowlist, createdAt }: Organization): OrganizationAnswer {
    return { id, slug, name, ipAllowlist, createdAt: createdAt.toISOString() };
  }
}

export class OneOrganizationAnswer {
  @ApiProperty()
  organization: OrganizationAnswer;
}

export class OrganizationList {
  @ApiProperty({ type: [OrganizationAnswer] })
  organizations: OrganizationAnswer[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateOrganizationRequest {
  @ApiProperty({ example: 'acme' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme' })
  @IsFilledText(200)
  name: string;
}

export class AddUserRequest {
  @ApiProperty({ example: 'owner@acme.example' })
  @IsFilledText(254)
  email: string;
  @ApiProperty({ enum: ROLES })
  @IsRole()
  role: Role;
  @ApiPropertyOptional({ description: 'For somebody who has no account yet' })
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;
  @ApiPropertyOptional({ description: 'For somebody who has no account yet' })
  @MayBeAbsent()
  @IsPassword()
  password?: string;
}

export class AddedUser {
  @ApiProperty({ format: 'uuid' })
  userId: string;
  @ApiProperty()
  email: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
}

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

export class OneOperatorWorkspace {
  @ApiProperty()
  workspace: OperatorWorkspace;
}

export class OperatorWorkspaceList {
  @ApiProperty({ type: [OperatorWorkspace] })
  workspaces: OperatorWorkspace[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

const IsStatus = () => IsOneOf(WORKSPACE_STATUSES);

export class AddWorkspaceRequest {
  @ApiProperty({ example: 'acme-main' })
  @IsSlug()
  slug: string;
  @ApiProperty({ example: 'Acme Main' })
  @IsFilledText(200)
  displayName: string;
  @ApiPropertyOptional({ default: 'free' })
  @MayBeAbsent()
  @IsFilledText(100)
  plan: string = 'free';
  @ApiPropertyOptional({ enum: WORKSPACE_STATUSES, default: 'active' })
  @MayBeAbsent()
  @IsStatus()
  status: WorkspaceStatus = 'active';
  @ApiPropertyOptional({ ...optionalText, example: 'cus_acme' })
  @MayBeEmpty()
  @IsFilledText(255)
  billingCustomer: string | null = null;
}

export class SetWorkspaceRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsSlug()
  slug?: string;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(200)
  displayName?: string;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(100)
  plan?: string;
  @ApiPropertyOptional({ enum: WORKSPACE_STATUSES })
  @MayBeAbsent()
  @IsStatus()
  status?: WorkspaceStatus;
  @ApiPropertyOptional(optionalText)
  @MayBeEmpty()
  @IsFilledText(255)
  billingCustomer?: string | null;
}

const IsGrant = () =>
  rule(
    'isGrant',
    `must be a whole number other than 0, at most ${MAX_AMOUNT} either way`,
    (value) => Number.isSafeInteger(value) && value !== 0 && Math.abs(value as number) <= MAX_AMOUNT,
  );

export class GrantRequest {
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsCreditType()
  creditType: CreditType;
  @ApiProperty({ type: 'integer', description: 'Above 0: a top-up. Below: an adjustment that takes credits' })
  @IsGrant()
  amount: number;
  @ApiPropertyOptional({ description: 'Your name for it: the same one moves credits once', example: 'order-4711' })
  @MayBeAbsent()
  @IsFilledText(200)
  reference?: string;
  @ApiPropertyOptional({ description: 'Why; for the audit log' })
  @MayBeAbsent()
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
  @ApiProperty({ description: 'What the ledger names it' })
  reference: string;
  @ApiProperty({ type: 'integer' })
  balance: number;
  @ApiProperty({ description: 'The reference was there already: nothing was moved' })
  repeated: boolean;
}

export class OneGrant {
  @ApiProperty()
  grant: Granted;
}

export class OperatorKeyRequest {
  @ApiProperty({ example: 'first' })
  @IsFilledText(200)
  name: string;
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, description: 'Null: a key of nobody' })
  @MayBeEmpty()
  @IsFilledText(100)
  organizationId: string | null = null;
  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: [] })
  @MayBeAbsent()
  @IsTextList(SCOPES.length, 50)
  scopes: string[] = [];
  @ApiPropertyOptional({ enum: ROLES, default: 'owner' })
  @MayBeAbsent()
  @IsRole()
  role: Role = 'owner';
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @MayBeEmpty()
  @IsFilledText(100)
  workspaceId: string | null = null;
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @MayBeEmpty()
  @IsFutureMoment()
  expiresAt: string | null = null;
}

export class OperatorOnboarding extends OnboardingRecord {
  @ApiProperty({ format: 'uuid' })
  organizationId: string;
}

export class OneOperatorOnboarding {
  @ApiProperty()
  onboarding: OperatorOnboarding;
}

export class OperatorOnboardingList {
  @ApiProperty({ type: [OperatorOnboarding] })
  onboardings: OperatorOnboarding[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class ApproveRequest {
  @ApiPropertyOptional({ description: 'When the register gave another one than was submitted' })
  @MayBeAbsent()
  @IsFilledText(100)
  dltEntityId?: string;
}

export class RejectRequest {
  @ApiProperty({ description: 'What the organization has to change' })
  @IsFilledText(1_000)
  reason: string;
}

export class RateRecord {
  @ApiProperty({ example: 'DE' })
  country: string;
  @ApiProperty({ type: 'integer', description: 'Credits a segment; 1 for countries that are not listed' })
  rate: number;

  static of({ country, rate }: Rate): RateRecord {
    return { country, rate };
  }
}

export class Rates {
  @ApiProperty({ type: [RateRecord] })
  rates: RateRecord[];
}

export class OneRate {
  @ApiProperty()
  rate: RateRecord;
}

export class RateRequest {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1_000_000 })
  @IsWhole(0, 1_000_000)
  rate: number;
}
