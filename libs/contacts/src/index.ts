export { applyConsent, listConsents, restoreConsent, type ChannelConsent } from './consents';
export {
  CONSENT_CHANNELS,
  CONSENTS,
  type Attributes,
  type AttributeValue,
  type Consent,
  type ConsentChannel,
  type ConsentEvidence,
  type ConsentRecord,
  type Contact,
  type ContactChanges,
  type ContactData,
  type GroupName,
} from './contact';
export { publishContactRecords, publishContacts, type ContactChange } from './contact-events';
export { FIELD_RULES, isAttributeName, isAttributeValue, MAX_ATTRIBUTES, readContactField } from './contact-fields';
export { ContactGroup } from './contact-group.entity';
export { CONTACT_SORTS, contactHasPrefix, listContacts, type ContactFilter, type ContactSort } from './contact-list';
export { ContactsLibraryModule } from './contacts-library.module';
export { contactRecordOf } from './contact-record';
export { CONTACT_COLUMNS, contactOf, type ContactRow } from './contact-rows';
export { ContactsService } from './contacts.service';
export { eraseContacts } from './erase-contacts';
export { addMembers, memberCounts, removeMembers, setGroups, unknownContacts, unknownGroups } from './group-members';
export { IMPORT_STATUSES, type ContactImport, type ImportFailure, type ImportStatus } from './imports/contact-import';
export { IMPORT_FIELDS, isImportField, ON_CONFLICT, type ImportOptions } from './imports/import-options';
export type { ImportFormat } from './imports/import-records';
export { type ImportError } from './imports/import-row';
export { ImportRunner } from './imports/import-runner';
export { ImportsRepository, MAX_STORED_ERRORS } from './imports/imports.repository';
export { CONTACT_GROUPS, CONTACTS } from './limited-kinds';
export { contactsEntities, contactsMigrations } from './migration-set';
