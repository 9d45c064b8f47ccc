import 'reflect-metadata';
import { chatappApi } from '@heliograph/chatapp-api';
import { runService } from '@heliograph/platform';

void runService(chatappApi);
