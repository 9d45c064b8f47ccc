import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { billingHook } from './billing-hook.service';

void runService(billingHook, stopSignals);
