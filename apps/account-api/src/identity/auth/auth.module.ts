import { Module } from '@nestjs/common';
import { UsersModule } from '@heliograph/users';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { AuthController } from './auth.controller';
import { CurrentSessionsService } from './current-sessions.service';

/** Logins and sessions. */
@Module({
  imports: [UsersModule, WorkspacesModule],
  controllers: [AuthController],
  providers: [CurrentSessionsService],
})
export class AuthModule {}
