import 'reflect-metadata';
import { runMigrations } from '@heliograph/service-kit';
import { accountApi } from './account-api.service';

void runMigrations(accountApi);
