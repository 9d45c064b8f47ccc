import { Module } from '@nestjs/common';
import { TenancyService } from './tenancy.service';
import { WorkspaceDirectory } from './workspace-directory';

@Module({ providers: [WorkspaceDirectory, TenancyService], exports: [WorkspaceDirectory, TenancyService] })
export class TenancyModule {}
