export { ErasedPersons } from './erased-persons';
export { Erasures, type BlockedChannel, type ErasedPerson, type Erasure } from './erasures';
export { personsMigrations } from './migration-set';
export { PERSON_ADDRESS_KINDS, readPersonAddress, type PersonAddress, type PersonAddressKind } from './person-hash';
export { personsConfig } from './persons.config';
export { PersonsModule } from './persons.module';
