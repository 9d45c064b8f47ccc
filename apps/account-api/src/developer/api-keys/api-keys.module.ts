import { Module } from '@nestjs/common';
import { KeysModule } from '@heliograph/auth';
import { TestOrganizationsModule } from '../../test-mode/test-organizations.module';
import { ApiKeysController } from './api-keys.controller';
import { KeyManagementService } from './key-management.service';

@Module({
  imports: [KeysModule, TestOrganizationsModule],
  controllers: [ApiKeysController],
  providers: [KeyManagementService],
  exports: [KeyManagementService],
})
export class ApiKeysModule {}
