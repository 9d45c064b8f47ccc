import 'reflect-metadata';
import { accountApi } from '@heliograph/account-api';
import { runService } from '@heliograph/platform';

void runService(accountApi);
