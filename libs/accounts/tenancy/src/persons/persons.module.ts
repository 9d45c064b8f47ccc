import { Module } from '@nestjs/common';
import { ErasedPersons } from './erased-persons';
import { Erasures } from './erasures';

@Module({ providers: [ErasedPersons, Erasures], exports: [ErasedPersons, Erasures] })
export class PersonsModule {}
