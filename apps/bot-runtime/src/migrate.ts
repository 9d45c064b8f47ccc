import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { botRuntime } from './bot-runtime.service';

void runMigrations(botRuntime, stopSignals);
