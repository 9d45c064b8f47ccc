import { Module } from '@nestjs/common';
import { dataSourceProvider, PlainHealthController, startPlainApp } from './plain-app';
import { PlainHookController, PlainUpdatesController } from './plain-hook.controller';

/** The reference: webhook endpoints with the raw body and one statement per event. */
@Module({
  controllers: [PlainHookController, PlainUpdatesController, PlainHealthController],
  providers: [dataSourceProvider],
})
class PlainHookModule {}

void startPlainApp(PlainHookModule, { rawBody: true });
