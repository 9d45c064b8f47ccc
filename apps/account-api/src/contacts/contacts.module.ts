import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Contact } from '@heliograph/bot-conversations';
import { ContactsLibraryModule } from '@heliograph/contacts';
import { PersonsModule } from '@heliograph/persons';
import { ContactEventsConsumer } from './contact-events.consumer';
import { V1ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';
import { V1ContactGroupsController } from './groups.controller';
import { ContactGroupsService } from './groups.service';

/** Contacts and their groups. The controller of groups comes first, because `groups` also matches `:contactId`. */
@Module({
  imports: [ContactsLibraryModule, PersonsModule, TypeOrmModule.forFeature([Contact])],
  controllers: [V1ContactGroupsController, V1ContactsController],
  providers: [ContactEventsConsumer, ContactGroupsService, ContactsService],
})
export class ContactsModule {}
