import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { runService } from '@heliograph/service-kit';
import { chatappHook } from './chatapp-hook.service';

void runService(chatappHook, stopSignals);
