import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContactsService } from './contacts.service';
import { ImportsRepository } from './imports/imports.repository';
import { contactsEntities } from './migration-set';

@Module({
  imports: [TypeOrmModule.forFeature(contactsEntities)],
  providers: [ContactsService, ImportsRepository],
  exports: [ContactsService, ImportsRepository, TypeOrmModule],
})
export class ContactsLibraryModule {}
