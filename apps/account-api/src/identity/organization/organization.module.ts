import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { AllowlistController } from './allowlist.controller';
import { AllowlistService } from './allowlist.service';
import { OrganizationController } from './organization.controller';
import { OrganizationService } from './organization.service';

/** The organization of the caller and its IP allow-list. */
@Module({
  imports: [TenancyModule],
  controllers: [OrganizationController, AllowlistController],
  providers: [OrganizationService, AllowlistService],
  exports: [OrganizationService],
})
export class OrganizationModule {}
