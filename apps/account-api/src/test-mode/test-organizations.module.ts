import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { TenancyModule } from '@heliograph/tenancy';
import { TestOrganizations } from './test-organizations.service';

/** Creates the test twins of organizations. */
@Module({
  imports: [TenancyModule, SmsCatalogModule, EmailCatalogModule],
  providers: [TestOrganizations],
  exports: [TestOrganizations],
})
export class TestOrganizationsModule {}
