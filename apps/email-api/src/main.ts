import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { emailApi } from './email-api.service';

void runService(emailApi);
