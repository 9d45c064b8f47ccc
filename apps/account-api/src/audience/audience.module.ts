import { Module } from '@nestjs/common';
import { ContactsModule } from './contacts/contacts.module';
import { ErasureModule } from './erasure/erasure.module';

/** Contacts, imports, and the erasure of a person. */
@Module({ imports: [ContactsModule, ErasureModule] })
export class AudienceModule {}
