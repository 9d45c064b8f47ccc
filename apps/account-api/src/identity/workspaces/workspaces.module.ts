import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule, Workspace } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { TestOrganizationsModule } from '../../test-mode/test-organizations.module';
import { WorkspacesController } from './workspaces.controller';
import { WorkspacesService } from './workspaces.service';

@Module({
  imports: [TestOrganizationsModule, TypeOrmModule.forFeature([Workspace]), TenancyModule, UsersModule],
  controllers: [WorkspacesController],
  providers: [WorkspacesService],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
