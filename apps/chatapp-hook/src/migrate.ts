import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { chatappHook } from './chatapp-hook.service';

void runMigrations(chatappHook, stopSignals);
