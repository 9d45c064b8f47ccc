import { Module } from '@nestjs/common';
import { UsersModule } from '@heliograph/users';
import { AccessModule } from '../../access/access.module';
import { InvitationsModule } from '../invitations/invitations.module';
import { SelfServiceModule } from '../self-service/self-service.module';
import { V1AuthModule } from '../v1-auth/v1-auth.module';
import { AcceptInvitationController } from './accept-invitation.controller';
import { PurchasePagesController } from './purchase-pages.controller';
import { ResetPasswordController } from './reset-password.controller';
import { VerifyEmailController } from './verify-email.controller';

/** Pages to which links in emails and the payment page lead. */
@Module({
  imports: [AccessModule, InvitationsModule, SelfServiceModule, UsersModule, V1AuthModule],
  controllers: [VerifyEmailController, ResetPasswordController, AcceptInvitationController, PurchasePagesController],
})
export class ConsoleModule {}
