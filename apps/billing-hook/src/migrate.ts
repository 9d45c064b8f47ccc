import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { billingHook } from './billing-hook.service';

void runMigrations(billingHook, stopSignals);
