import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { accountApi } from './account-api.service';

void runService(accountApi, stopSignals);
