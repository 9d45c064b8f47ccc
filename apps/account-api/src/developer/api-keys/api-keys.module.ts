import { Module } from '@nestjs/common';
import { KeysModule } from '@heliograph/auth';
import { ApiKeysController } from './api-keys.controller';
import { KeyManagementService } from './key-management.service';

@Module({
  imports: [KeysModule],
  controllers: [ApiKeysController],
  providers: [KeyManagementService],
  exports: [KeyManagementService],
})
export class ApiKeysModule {}
