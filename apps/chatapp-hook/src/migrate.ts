import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { chatappHook } from './chatapp-hook.service';

void runMigrations(chatappHook);
