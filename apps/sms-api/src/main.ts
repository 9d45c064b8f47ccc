import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { smsApi } from './sms-api.service';

void runService(smsApi, stopSignals);
