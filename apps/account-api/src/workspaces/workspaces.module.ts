import { Module } from '@nestjs/common';
import { TenancyModule } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { WorkspacesController } from './workspaces.controller';
import { WorkspacesService } from './workspaces.service';

@Module({
  imports: [TenancyModule, UsersModule],
  controllers: [WorkspacesController],
  providers: [WorkspacesService],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
