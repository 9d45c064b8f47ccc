import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { accountApi } from './account-api.service';

void runMigrations(accountApi, stopSignals);
