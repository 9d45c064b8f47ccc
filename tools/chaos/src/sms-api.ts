import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { smsApi } from '@heliograph/sms-api';

void runService(smsApi);
