import 'reflect-metadata';
import { runService } from '@heliograph/platform';
import { chatappApi } from './chatapp-api.service';

void runService(chatappApi);
