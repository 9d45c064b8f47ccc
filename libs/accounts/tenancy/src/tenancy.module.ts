import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { tenancyEntities } from './migration-set';
import { TenancyService } from './tenancy.service';
import { WorkspaceDirectory } from './workspace-directory';

@Module({
  imports: [TypeOrmModule.forFeature(tenancyEntities)],
  providers: [WorkspaceDirectory, TenancyService],
  exports: [WorkspaceDirectory, TenancyService],
})
export class TenancyModule {}
