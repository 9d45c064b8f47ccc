import { Module } from '@nestjs/common';
import { KeysModule } from '@heliograph/auth';
import { TenancyModule } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { WebhooksLibraryModule } from '@heliograph/webhooks';
import { UnverifiedAccounts } from './unverified-accounts.service';

@Module({
  imports: [KeysModule, TenancyModule, UsersModule, WebhooksLibraryModule],
  providers: [UnverifiedAccounts],
  exports: [UnverifiedAccounts],
})
export class UnverifiedAccountsModule {}
