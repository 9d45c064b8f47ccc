import { ApiProperty, PickType } from '@nestjs/swagger';
import { CREDIT_TYPES, ROLES, SCOPES, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { MAX_AMOUNT } from '@heliograph/credits';
import type { Onboarding, Rate } from '@heliograph/sms-catalog';
import { WORKSPACE_STATUSES, type Organization, type Workspace } from '@heliograph/tenancy';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ChangesOf } from '../http/changes-of';
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
import { IsPassword } from '../identity/auth/auth.dto';
import { MemberRecord } from '../identity/members/members.dto';
import { OnboardingRecord } from '../channels/sms/sms.dto';
import { IsSlug, WorkspaceRecord } from '../identity/workspaces/workspaces.dto';

export class OrganizationAnswer {
  id: Uuid;
  slug: string;
  name: string;
  /** IP allow-list for API keys. An empty list allows every address. */
  ipAllowlist: string[];
  createdAt: Timestamp;

  static of({ id, slug, name, ipAllowlist, createdAt }: Organization): OrganizationAnswer {
    return { id, slug, name, ipAllowlist, createdAt: createdAt.toISOString() };
  }
}

export class OneOrganizationAnswer extends One('organization', OrganizationAnswer) {}

export class OrganizationList extends ListOf('organizations', OrganizationAnswer) {}

export class CreateOrganizationRequest {
  /** @example acme */
  @IsSlug()
  slug: string;
  /** @example Acme */
  @IsNonBlankText(200)
  name: string;
}

export class AddUserRequest {
  /** @example owner@acme.example */
  @IsNonBlankText(254)
  email: string;
  @IsRole()
  role: (typeof ROLES)[number];
  /** Required if the user does not exist yet. */
  @Optional()
  @IsNonBlankText(200)
  name?: string;
  /** Required if the user does not exist yet. */
  @Optional()
  @IsPassword()
  password?: string;
}

export class AddedUser extends PickType(MemberRecord, ['userId', 'email', 'name', 'role']) {}

export class OneAddedUser {
  member: AddedUser;
}

export class OperatorWorkspace extends WorkspaceRecord {
  organizationId: Uuid;
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
  /** @example acme-main */
  @IsSlug()
  slug: string;
  /** @example Acme Main */
  @IsNonBlankText(200)
  displayName: string;
  /** @default free */
  @Optional()
  @IsNonBlankText(100)
  plan: string = 'free';
  /** @default active */
  @Optional()
  @IsStatus()
  status: (typeof WORKSPACE_STATUSES)[number] = 'active';
  /** @example cus_acme */
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
  @IsCreditType()
  creditType: (typeof CREDIT_TYPES)[number];
  /** A positive amount is a top-up. A negative amount is an adjustment that removes credits. */
  @IsGrant()
  amount: Integer;
  /**
   * Your own identifier of the movement. Credits are moved only once for each reference.
   * @example order-4711
   */
  @Optional()
  @IsNonBlankText(200)
  reference?: string;
  /** Reason that is stored in the audit log. */
  @Optional()
  @IsText(1_000)
  note?: string;
}

export class Granted {
  workspaceId: Uuid;
  creditType: (typeof CREDIT_TYPES)[number];
  amount: Integer;
  /** Reference of the ledger entry. */
  reference: string;
  balance: Integer;
  /** True if the reference was already used. In this case, no credits were moved. */
  repeated: boolean;
}

export class OneGrant {
  grant: Granted;
}

export class OperatorKeyRequest {
  /** @example first */
  @IsNonBlankText(200)
  name: string;
  /** Organization to which the key belongs; `null` for an unbound key. */
  @OptionalNullable()
  @IsNonBlankText(100)
  organizationId: Uuid | null = null;
  /** @default [] */
  @ApiProperty({ enum: SCOPES, isArray: true })
  @Optional()
  @IsTextArray(SCOPES.length, 50)
  scopes: string[] = [];
  /** @default owner */
  @Optional()
  @IsRole()
  role: (typeof ROLES)[number] = 'owner';
  @OptionalNullable()
  @IsNonBlankText(100)
  workspaceId: Uuid | null = null;
  @OptionalNullable()
  @IsFutureTimestamp()
  expiresAt: Timestamp | null = null;
}

export class OperatorOnboarding extends OnboardingRecord {
  organizationId: Uuid;

  static override of(onboarding: Onboarding): OperatorOnboarding {
    return { ...OnboardingRecord.of(onboarding), organizationId: onboarding.organizationId };
  }
}

export class OneOperatorOnboarding extends One('onboarding', OperatorOnboarding) {}

export class OperatorOnboardingList extends ListOf('onboardings', OperatorOnboarding) {}

export class ApproveRequest {
  /** Entity id that the registry assigned, if it differs from the submitted id. */
  @Optional()
  @IsNonBlankText(100)
  dltEntityId?: string;
}

export class RejectRequest {
  /** Reason for the rejection. It is shown to the organization. */
  @IsNonBlankText(1_000)
  reason: string;
}

export class RateRecord {
  /** @example DE */
  country: string;
  /** Credits per segment. Countries that are not listed cost 1 credit per segment. */
  rate: Integer;

  static of({ country, rate }: Rate): RateRecord {
    return { country, rate };
  }
}

export class Rates {
  rates: RateRecord[];
}

export class OneRate extends One('rate', RateRecord) {}

export class RateRequest {
  @ApiProperty({ minimum: 0, maximum: 1_000_000 })
  @IsInteger(0, 1_000_000)
  rate: Integer;
}
