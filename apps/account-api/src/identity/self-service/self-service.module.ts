import { Module } from '@nestjs/common';
import { UsersModule } from '@heliograph/users';
import { UnverifiedAccountsModule } from '../unverified-accounts/unverified-accounts.module';
import { PasswordResetsController } from './password-resets.controller';
import { PasswordResetsService } from './password-resets.service';
import { PersonalUnitOfWork } from './personal-unit-of-work.service';
import { ProfileController } from './profile.controller';
import { ProfileService } from './profile.service';
import { SecondFactorController } from './second-factor.controller';
import { SecondFactorService } from './second-factor.service';

/** Changes of the name, password and second factor by the user. */
@Module({
  imports: [UnverifiedAccountsModule, UsersModule],
  controllers: [ProfileController, SecondFactorController, PasswordResetsController],
  providers: [PersonalUnitOfWork, ProfileService, SecondFactorService, PasswordResetsService],
  exports: [PasswordResetsService],
})
export class SelfServiceModule {}
