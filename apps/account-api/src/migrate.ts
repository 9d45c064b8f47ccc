import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { accountApi } from './account-api.service';

void runMigrations(accountApi);
