export const CONSENT_CHANNELS = ['sms', 'email', 'chatapp'] as const;
export type ConsentChannel = (typeof CONSENT_CHANNELS)[number];

export const CONSENTS = ['unknown', 'opted_in', 'opted_out'] as const;
export type Consent = (typeof CONSENTS)[number];
export type Consents = Record<ConsentChannel, Consent>;

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue>;

/** The data of a contact that callers set. Null: not known. */
export interface ContactData {
  /** With the domain in lower case. Two contacts of an organization never have the same address in any case. */
  email: string | null;
  /** E.164; unique in the organization. */
  phone: string | null;
  firstName: string | null;
  lastName: string | null;
  /** A language tag such as `en` or `pt-BR`. */
  language: string | null;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  /** A name of the IANA time zone database. */
  timeZone: string | null;
}

/** A person that an organization writes to. */
export interface Contact extends ContactData {
  id: string;
  organizationId: string;
  attributes: Attributes;
  consent: Consents;
  /** The origin of the contact, such as `api`, `import` or `bot`. */
  source: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface GroupName {
  id: string;
  name: string;
}

/** Changes of a contact. Absent fields keep their value. */
export interface ContactChanges extends Partial<ContactData> {
  /** Merged by name; null removes an attribute, or all attributes. */
  attributes?: Record<string, AttributeValue | null> | null;
  consent?: Partial<Consents>;
}

/** The origin of a change of consent. */
export interface ConsentEvidence {
  /** Such as `api`, `import`, `bot`, `keyword`, `unsubscribe` or `complaint`. */
  source: string;
  /** The text that the person agreed to or wrote. */
  text: string | null;
  occurredAt: Date;
}

export interface ConsentRecord extends ConsentEvidence {
  id: string;
  channel: ConsentChannel;
  status: Consent;
  /** The address or number at that time. */
  address: string | null;
}
