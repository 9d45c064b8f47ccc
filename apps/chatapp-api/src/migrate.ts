import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { chatappApi } from './chatapp-api.service';

void runMigrations(chatappApi, stopSignals);
