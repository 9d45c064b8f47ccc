import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Contact } from '@heliograph/bot-conversations';
import { ContactsLibraryModule, ImportRunner } from '@heliograph/contacts';
import { PersonsModule } from '@heliograph/tenancy';
import { ContactEventsConsumer } from './contact-events.consumer';
import { V1ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';
import { V1ContactGroupsController } from './groups.controller';
import { ContactGroupsService } from './groups.service';
import { V1ContactImportsController } from './imports.controller';
import { ContactImportsService } from './imports.service';

/** Contacts and their groups. V1ContactsController is registered last, because `:contactId` also matches `groups` and `import`. */
@Module({
  imports: [ContactsLibraryModule, PersonsModule, TypeOrmModule.forFeature([Contact])],
  controllers: [V1ContactGroupsController, V1ContactImportsController, V1ContactsController],
  providers: [ContactEventsConsumer, ContactGroupsService, ContactImportsService, ContactsService, ImportRunner],
})
export class ContactsModule {}
