import 'reflect-metadata';
import { emailApi } from '@heliograph/email-api';
import { runService } from '@heliograph/platform';

void runService(emailApi);
