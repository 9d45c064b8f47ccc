import 'reflect-metadata';
import { botRuntime } from '@heliograph/bot-runtime';
import { runService } from '@heliograph/platform';

void runService(botRuntime);
