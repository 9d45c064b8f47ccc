import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { runService } from '@heliograph/platform';
import { smsApi } from '@heliograph/sms-api';
import { FloorController } from './floor.controller';

@Module({ controllers: [FloorController] })
class FloorModule {}

/** The service as it is, with the floor beside it. */
void runService({ ...smsApi, imports: (settings, log) => [...smsApi.imports(settings, log), FloorModule] });
