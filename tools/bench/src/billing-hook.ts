import 'reflect-metadata';
import { billingHook } from '@heliograph/billing-hook';
import { runService } from '@heliograph/platform';

void runService(billingHook);
