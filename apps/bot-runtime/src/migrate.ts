import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { botRuntime } from './bot-runtime.service';

void runMigrations(botRuntime);
