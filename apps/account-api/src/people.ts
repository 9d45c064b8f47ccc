import type { Provider, Type } from '@nestjs/common';
import { AllowlistController } from './allowlist/allowlist.controller';
import { AllowlistService } from './allowlist/allowlist.service';
import { AuditLogController } from './audit-log/audit-log.controller';
import { AuditLogService } from './audit-log/audit-log.service';
import { InvitationManagementService } from './invitations/invitation-management.service';
import { InvitationsController } from './invitations/invitations.controller';
import { JoiningController } from './invitations/joining.controller';
import { JoiningService } from './invitations/joining.service';
import { MemberManagementService } from './members/member-management.service';
import { MembersController } from './members/members.controller';
import { OrganizationController } from './organization/organization.controller';
import { OrganizationService } from './organization/organization.service';
import { PasswordResetsController } from './self-service/password-resets.controller';
import { PasswordResetsService } from './self-service/password-resets.service';
import { PersonalUnitOfWork } from './self-service/personal-unit-of-work.service';
import { ProfileController } from './self-service/profile.controller';
import { ProfileService } from './self-service/profile.service';
import { SecondFactorController } from './self-service/second-factor.controller';
import { SecondFactorService } from './self-service/second-factor.service';

/** Members, invitations, the organization, and self-service of users. */
export const peopleControllers: Type[] = [
  OrganizationController,
  MembersController,
  InvitationsController,
  JoiningController,
  AllowlistController,
  AuditLogController,
  ProfileController,
  SecondFactorController,
  PasswordResetsController,
];
export const peopleProviders: Provider[] = [
  OrganizationService,
  MemberManagementService,
  InvitationManagementService,
  JoiningService,
  AllowlistService,
  AuditLogService,
  PersonalUnitOfWork,
  ProfileService,
  SecondFactorService,
  PasswordResetsService,
];
