import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { chatappApi } from './chatapp-api.service';

void runMigrations(chatappApi);
