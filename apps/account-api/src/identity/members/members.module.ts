import { Module } from '@nestjs/common';
import { UsersModule } from '@heliograph/users';
import { MemberManagementService } from './member-management.service';
import { MembersController } from './members.controller';

@Module({ imports: [UsersModule], controllers: [MembersController], providers: [MemberManagementService] })
export class MembersModule {}
