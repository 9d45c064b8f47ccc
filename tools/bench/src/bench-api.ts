import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { runService } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { FloorController } from './floor.controller';

@Module({ controllers: [FloorController] })
class FloorModule {}

/** The service with an additional endpoint that measures the floor. */
void runService(
  { ...smsApi, imports: (settings, log) => [...smsApi.imports(settings, log), FloorModule] },
  stopSignals,
);
