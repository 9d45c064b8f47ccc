import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { smsApi } from './sms-api.service';

void runMigrations(smsApi);
