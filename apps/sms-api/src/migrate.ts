import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { smsApi } from './sms-api.service';

void runMigrations(smsApi, stopSignals);
