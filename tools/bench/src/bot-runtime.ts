import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { botRuntime } from '@heliograph/bot-runtime';
import { runService } from '@heliograph/service-kit';
import { BotFloorController } from './bot-floor.controller';

@Module({ controllers: [BotFloorController] })
class FloorModule {}

/** The service with an additional endpoint that measures the floor. */
void runService(
  { ...botRuntime, imports: (settings, log) => [...botRuntime.imports(settings, log), FloorModule] },
  stopSignals,
);
