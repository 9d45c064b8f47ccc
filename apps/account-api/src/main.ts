import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { accountApi } from './account-api.service';

void runService(accountApi);
