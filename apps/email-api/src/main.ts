import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { emailApi } from './email-api.service';

void runService(emailApi, stopSignals);
