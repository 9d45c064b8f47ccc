import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { AccessModule } from '../../access/access.module';
import { SelfServiceModule } from '../self-service/self-service.module';
import { UnverifiedAccountsModule } from '../unverified-accounts/unverified-accounts.module';
import { EmailVerificationsService } from './email-verifications.service';
import { RegistrationService } from './registration.service';
import { V1AuthController } from './v1-auth.controller';

/** Registration, and logins with tokens instead of cookies. */
@Module({
  imports: [AccessModule, SelfServiceModule, TenancyModule, UnverifiedAccountsModule, UsersModule],
  controllers: [V1AuthController],
  providers: [RegistrationService, EmailVerificationsService],
  exports: [EmailVerificationsService],
})
export class V1AuthModule {}
