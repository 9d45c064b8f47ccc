import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { accountApi } from '@heliograph/account-api';
import { runService } from '@heliograph/platform';
import { StallsController } from './stalls.controller';

@Module({ controllers: [StallsController] })
class StallsModule {}

/** The service as it is, and how long its event loop stands still. */
void runService({ ...accountApi, imports: (settings, log) => [...accountApi.imports(settings, log), StallsModule] });
