import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { runService, type ServiceConfig, type ServiceDefinition } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { StallsController } from './stalls.controller';

@Module({ controllers: [StallsController] })
class StallsModule {}

/** Runs a service with a measurement of its event loop. */
async function watch<S extends ServiceConfig>(definition: ServiceDefinition<S>): Promise<void> {
  await runService(
    { ...definition, imports: (config, log) => [...definition.imports(config, log), StallsModule] },
    stopSignals,
  );
}

const SERVICES: Record<string, () => Promise<void>> = {
  'account-api': () => watch(accountApi),
  'billing-hook': () => watch(billingHook),
  'bot-runtime': () => watch(botRuntime),
  'chatapp-api': () => watch(chatappApi),
  'chatapp-hook': () => watch(chatappHook),
  'email-api': () => watch(emailApi),
  'sms-api': () => watch(smsApi),
};

// The only argument is the name of the service.
void SERVICES[process.argv[2] ?? '']?.();
