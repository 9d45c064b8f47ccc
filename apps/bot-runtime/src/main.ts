import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { botRuntime } from './bot-runtime.service';

void runService(botRuntime);
