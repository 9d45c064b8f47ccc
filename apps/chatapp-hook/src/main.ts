import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { chatappHook } from './chatapp-hook.service';

void runService(chatappHook);
