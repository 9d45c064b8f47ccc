import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContactsService } from './contacts.service';
import { contactsEntities } from './migration-set';

@Module({
  imports: [TypeOrmModule.forFeature(contactsEntities)],
  providers: [ContactsService],
  exports: [ContactsService, TypeOrmModule],
})
export class ContactsLibraryModule {}
