import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { botRuntime } from './bot-runtime.service';

void runService(botRuntime, stopSignals);
