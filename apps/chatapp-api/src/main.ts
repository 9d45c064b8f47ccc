import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { chatappApi } from './chatapp-api.service';

void runService(chatappApi, stopSignals);
