import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { billingHook } from './billing-hook.service';

void runService(billingHook);
