import 'reflect-metadata';
import { chatappHook } from '@heliograph/chatapp-hook';
import { runService } from '@heliograph/platform';

void runService(chatappHook);
