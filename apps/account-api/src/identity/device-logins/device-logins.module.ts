import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeviceLogin } from '@heliograph/auth';
import { ApiKeysModule } from '../../developer/api-keys/api-keys.module';
import { DeviceLoginsController } from './device-logins.controller';
import { DeviceLoginsService } from './device-logins.service';
import { V1DeviceLoginsController } from './v1-device-logins.controller';

/** Logins of programs without a browser. */
@Module({
  imports: [TypeOrmModule.forFeature([DeviceLogin]), ApiKeysModule],
  controllers: [V1DeviceLoginsController, DeviceLoginsController],
  providers: [DeviceLoginsService],
})
export class DeviceLoginsModule {}
