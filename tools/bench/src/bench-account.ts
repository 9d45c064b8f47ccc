import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { accountApi } from '@heliograph/account-api';
import { runService } from '@heliograph/service-kit';
import { StallsController } from './stalls.controller';

@Module({ controllers: [StallsController] })
class StallsModule {}

/** The service with a measurement of its event loop. */
void runService({ ...accountApi, imports: (settings, log) => [...accountApi.imports(settings, log), StallsModule] });
