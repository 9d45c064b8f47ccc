import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { billingHook } from './billing-hook.service';

void runMigrations(billingHook);
