import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { smsApi } from './sms-api.service';

void runService(smsApi);
