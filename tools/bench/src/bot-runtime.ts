import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { botRuntime } from '@heliograph/bot-runtime';
import { runService } from '@heliograph/platform';
import { BotFloorController } from './bot-floor.controller';

@Module({ controllers: [BotFloorController] })
class FloorModule {}

/** The service as it is, with the floor beside it. */
void runService({ ...botRuntime, imports: (settings, log) => [...botRuntime.imports(settings, log), FloorModule] });
