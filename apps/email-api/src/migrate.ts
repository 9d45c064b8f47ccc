import 'reflect-metadata';
import { runMigrations } from '@heliograph/platform';
import { emailApi } from './email-api.service';

void runMigrations(emailApi);
