import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, ValidateNested } from 'class-validator';
import {
  CONSENT_CHANNELS,
  CONSENTS,
  CONTACT_SORTS,
  contactRecordOf,
  readContactField,
  type Attributes,
  type AttributeValue,
  type Consent,
  type ConsentChannel,
  type ConsentRecord,
  type Contact,
  type ContactChanges,
  type ContactSort,
  type GroupName,
} from '@heliograph/contacts';
import { isId } from '@heliograph/database';
import {
  IsInstant,
  IsOneOf,
  isStorableText,
  parseScheduledAt,
  readCursor,
  rule,
  V1ListQuery,
  V1Request,
  v1Timestamp,
  type RuleContext,
} from '@heliograph/service-kit';
import { AttributesField, ContactField, IdsField, MAX_GROUPS } from './contact-rules';

const MAX_EVIDENCE_LENGTH = 1_000;
const MAX_SEARCH_LENGTH = 200;
const CONSENT = `consent must be an object with the fields sms, email and chatapp, all optional. Allowed values: ${CONSENTS.join(', ')}.`;

/** Absent channels, and those with the value null, are not changed. */
export class V1ConsentChanges {
  @IsOptional()
  @IsIn(CONSENTS, { message: CONSENT })
  sms?: (typeof CONSENTS)[number];
  @IsOptional()
  @IsIn(CONSENTS, { message: CONSENT })
  email?: (typeof CONSENTS)[number];
  @IsOptional()
  @IsIn(CONSENTS, { message: CONSENT })
  chatapp?: (typeof CONSENTS)[number];
}

/** The request that creates or updates a contact. */
@V1Request()
export class V1ContactRequest {
  @ContactField('email', 'email', 'ann@example.com')
  email?: string | null;
  @ContactField('phone', 'phone', '+919811111111')
  phone?: string | null;
  @ContactField('first_name', 'firstName', 'Ann')
  first_name?: string | null;
  @ContactField('last_name', 'lastName', 'Smith')
  last_name?: string | null;
  @ContactField('language', 'language', 'en')
  language?: string | null;
  @ContactField('country', 'country', 'IN')
  country?: string | null;
  @ContactField('time_zone', 'timeZone', 'Asia/Kolkata')
  time_zone?: string | null;
  @AttributesField({ removable: true })
  attributes?: Record<string, AttributeValue | null> | null;
  @IdsField('group_ids', MAX_GROUPS, { required: false })
  group_ids?: string[] | null;
  @IsOptional()
  @ValidateNested({ message: CONSENT, context: { isWhole: true } satisfies RuleContext })
  @Type(() => V1ConsentChanges)
  consent?: V1ConsentChanges | null;
  /** Text to which the person agreed, stored as evidence of the consent. */
  @IsOptional()
  @rule('isEvidence', `consent_text must be a string of at most ${MAX_EVIDENCE_LENGTH} characters.`, (value) =>
    isStorableText(value, MAX_EVIDENCE_LENGTH),
  )
  consent_text?: string | null;
}

/** Converts the fields of a request to their stored form. Absent fields remain absent. */
export function changesOf(request: V1ContactRequest): ContactChanges {
  const fields = {
    email: request.email,
    phone: request.phone,
    firstName: request.first_name,
    lastName: request.last_name,
    language: request.language,
    country: request.country,
    timeZone: request.time_zone,
  };
  const stored = Object.entries(fields).flatMap(([field, value]) => {
    if (value === undefined) return [];
    return [[field, value === null ? null : readContactField(field as keyof typeof fields, value)] as const];
  });
  const consent = Object.entries(request.consent ?? {}).filter(([, status]) => status !== null);
  return {
    ...Object.fromEntries(stored),
    ...(request.attributes === undefined ? {} : { attributes: request.attributes }),
    consent: Object.fromEntries(consent),
  };
}

@V1Request()
export class V1UpsertQuery {
  /** If `true` and a contact with this email address or phone number exists, that contact is updated. */
  @ApiProperty({ enum: ['true', 'false'] })
  @IsOptional()
  @IsOneOf('upsert', ['true', 'false'])
  upsert?: string;
}

const consentParameter =
  (channel: ConsentChannel): PropertyDecorator =>
  (target, property) => {
    ApiProperty({ required: false, enum: CONSENTS })(target, property as string);
    IsOptional()(target, property as string);
    IsOneOf(`consent[${channel}]`, CONSENTS)(target, property);
  };

@V1Request()
export class V1ContactsQuery extends OmitType(V1ListQuery, ['cursor']) {
  /** The `next_cursor` of the previous page. */
  @IsOptional()
  @rule(
    'isCursor',
    'cursor must be the next_cursor of the previous page with the same sort.',
    (value, query) => readContactCursor(value, (query as V1ContactsQuery).sort) !== null,
  )
  cursor?: string;

  /** Returns contacts whose name, email address or phone number begins with this text. */
  @IsOptional()
  @rule(
    'isSearch',
    `search must be a string of 1 to ${MAX_SEARCH_LENGTH} characters.`,
    (value) => isStorableText(value, MAX_SEARCH_LENGTH) && value.trim() !== '',
  )
  search?: string;

  @IsOptional()
  @rule('isGroup', 'group_id must be the id of a group.', isId)
  group_id?: Uuid;

  @ContactField('email', 'email', 'ann@example.com')
  email?: string;
  @ContactField('phone', 'phone', '+919811111111')
  phone?: string;

  @consentParameter('sms')
  'consent[sms]'?: Consent;
  @consentParameter('email')
  'consent[email]'?: Consent;
  @consentParameter('chatapp')
  'consent[chatapp]'?: Consent;

  @IsOptional()
  @IsInstant('created_after')
  created_after?: Timestamp;

  /** @default -created_at */
  @IsOptional()
  @IsOneOf('sort', CONTACT_SORTS)
  sort?: (typeof CONTACT_SORTS)[number];
}

/** Reads the position in a cursor: an id, and a timestamp in lists sorted by `updated_at`. Returns null for an invalid cursor. */
export function readContactCursor(cursor: unknown, sort: ContactSort = '-created_at'): string | null {
  const [id, at, ...rest] = readCursor(cursor)?.split(' ') ?? [];
  if (!isId(id) || rest.length > 0) return null;
  if (!sort.endsWith('updated_at')) return at === undefined ? id : null;
  const instant = at === undefined ? null : parseScheduledAt(at);
  return instant && `${id} ${instant.timestamp}`;
}

class V1GroupName {
  id: Uuid;
  name: string;
}

class V1Consent {
  sms: (typeof CONSENTS)[number];
  email: (typeof CONSENTS)[number];
  chatapp: (typeof CONSENTS)[number];
}

export class V1Contact {
  id: Uuid;
  /** @example ann@example.com */
  email: string | null;
  /** @example +919811111111 */
  phone: string | null;
  first_name: string | null;
  last_name: string | null;
  language: string | null;
  country: string | null;
  time_zone: string | null;
  /** @example {"plan":"pro"} */
  @ApiProperty({ type: 'object', additionalProperties: true })
  attributes: Attributes;
  groups: V1GroupName[];
  consent: V1Consent;
  /**
   * Origin of the contact.
   * @example api
   */
  source: string;
  created_at: Timestamp;
  updated_at: Timestamp;

  static of(contact: Contact, groups: GroupName[]): V1Contact {
    return contactRecordOf(contact, groups);
  }
}

export class V1Contacts {
  data: V1Contact[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

export class V1ConsentRecord {
  id: Uuid;
  channel: (typeof CONSENT_CHANNELS)[number];
  status: (typeof CONSENTS)[number];
  /**
   * Origin of the change.
   * @example keyword
   */
  source: string;
  /** Email address or phone number at the time of the change. */
  address: string | null;
  /** Text to which the person agreed, or which the person wrote. */
  text: string | null;
  at: Timestamp;

  static of({ id, channel, status, source, address, text, occurredAt }: ConsentRecord): V1ConsentRecord {
    return { id, channel, status, source, address, text, at: v1Timestamp(occurredAt) };
  }
}

export class V1ConsentRecords {
  data: V1ConsentRecord[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}
