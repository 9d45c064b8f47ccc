import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { emailApi } from './email-api.service';

void runMigrations(emailApi, stopSignals);
