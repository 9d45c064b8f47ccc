import type { Provider, Type } from '@nestjs/common';
import { BotsController } from './bots.controller';
import { BotsService } from './bots.service';
import { ContentService } from './content/content.service';
import { FaqsController } from './content/faqs.controller';
import { FormsController } from './content/forms.controller';
import { ArticlesController } from './content/knowledge.controller';
import { ShortcutsController } from './content/shortcuts.controller';
import { ContactsController } from './inbox/contacts.controller';
import { ContactsService } from './inbox/contacts.service';
import { ConversationsController } from './inbox/conversations.controller';
import { ConversationsRepository } from './inbox/conversations.repository';
import { ConversationsService } from './inbox/conversations.service';
import { SubmissionsController } from './inbox/submissions.controller';
import { SubmissionsService } from './inbox/submissions.service';
import { BotPreviews } from './preview.service';

/** Bots, their content, and the inbox of visitor conversations. */
export const botControllers: Type[] = [
  BotsController,
  FaqsController,
  ArticlesController,
  ShortcutsController,
  FormsController,
  ConversationsController,
  ContactsController,
  SubmissionsController,
];
export const botProviders: Provider[] = [
  BotsService,
  BotPreviews,
  ContentService,
  ConversationsRepository,
  ConversationsService,
  ContactsService,
  SubmissionsService,
];
