import { timeOfId } from '@heliograph/database';
import type {
  ChatappRecord,
  ConsentRecord,
  ContactRecord,
  ConversationRecord,
  EmailRecipientRecord,
  EmailRecord,
  SmsRecord,
  SubmissionRecord,
} from '@heliograph/contracts';

/** The person to erase from the data of an event. */
export interface PersonMask {
  /** Returns the mask of an address in any notation; null for other persons. */
  maskOf: (text: string) => string | null;
  /** Ids of the contacts and conversations of the person. */
  ids: ReadonlySet<string>;
  /** The mask for an event that contains only one of `ids`. */
  mask: string;
}

interface HandoffRecord {
  conversation: ConversationRecord;
  message: { id: string; content: string };
}

interface LeadRecord {
  conversation: ConversationRecord;
  submission: SubmissionRecord;
  contact: ContactRecord | null;
}

/**
 * Data of an event without the person: addresses are replaced by masks, names and contents are removed. Content that
 * other recipients received too is retained. The result matches the schema of the event. Null if the data does not
 * concern the person.
 */
export function maskPerson(type: string, data: object, person: PersonMask): object | null {
  if (type === 'chatapp.consent.changed') return maskConsent(data as ConsentRecord, person);
  if (type === 'bot.handoff.requested') return maskHandoff(data as HandoffRecord, person);
  switch (type.split('.')[0]) {
    case 'sms':
      return maskSms(data as SmsRecord, person);
    case 'email':
      return maskEmail(data as EmailRecord | EmailRecipientRecord, person);
    case 'chatapp':
      return maskChatapp(data as ChatappRecord, person);
    case 'lead':
      return maskLead(data as LeadRecord, person);
    case 'contact':
      return maskContact(data as ContactRecord, person);
    default:
      return null;
  }
}

/** Ids that identify further events of the person. */
export function personIdsOf(type: string, data: object): string[] {
  if (type.startsWith('contact.')) return [(data as ContactRecord).id];
  if (type !== 'lead.captured') return [];
  const { conversation, contact } = data as LeadRecord;
  return [conversation.id, ...(contact ? [contact.id] : [])];
}

/** The time when the record of an event was created; `time` is that of the event itself. */
export function createdAtOf(type: string, data: object, time: Date): Date {
  const id = recordIdOf(type, data);
  const createdAt = id === null ? time : timeOfId(id);
  return createdAt < time ? createdAt : time;
}

function recordIdOf(type: string, data: object): string | null {
  if (type === 'chatapp.consent.changed') return null;
  switch (type.split('.')[0]) {
    case 'sms':
    case 'email':
    case 'contact':
      return (data as SmsRecord | EmailRecord | ContactRecord).id;
    case 'chatapp':
      return (data as ChatappRecord).message.id;
    case 'lead':
    case 'bot':
      return (data as HandoffRecord | LeadRecord).conversation.id;
    default:
      return null;
  }
}

function maskSms(data: SmsRecord, { maskOf }: PersonMask): object | null {
  const to = maskOf(data.to);
  return to === null ? null : { ...data, to, message: '', error: null, reference: null };
}

function maskConsent(data: ConsentRecord, { maskOf }: PersonMask): object | null {
  const number = maskOf(data.number);
  return number === null ? null : { ...data, number };
}

function maskChatapp({ message }: ChatappRecord, { maskOf }: PersonMask): object | null {
  const side = message.direction === 'outbound' ? 'to' : 'from';
  const mask = maskOf(message[side]);
  return mask === null ? null : { message: { ...message, [side]: mask, text: null, media: null, error: null } };
}

function maskHandoff(data: HandoffRecord, { ids }: PersonMask): object | null {
  return ids.has(data.conversation.id) ? { ...data, message: { ...data.message, content: '' } } : null;
}

/** A word of a text, without the punctuation around it. */
const WORD = /[^\s<>()[\],;"']*[^\s<>()[\],;"'.:!?]/g;

/**
 * The subject is retained for other recipients, without the address. References and tags of the caller may contain the address,
 * also those of a mail to other persons.
 */
function maskEmail(data: EmailRecord | EmailRecipientRecord, { maskOf }: PersonMask): object | null {
  const masked = (list: readonly string[]): string[] => list.map((address) => maskOf(address) ?? address);
  const maskedIn = (text: string): string => text.replace(WORD, (word) => maskOf(word) ?? word);
  const names = (text: string): boolean => maskedIn(text) !== text;
  const subject = maskedIn(data.subject);
  // Events of earlier releases have no copies.
  const { cc = [], bcc = [] } = data as Partial<EmailRecord>;
  const addresses = [...data.to, ...cc, ...bcc];
  const recipient = 'recipient' in data ? maskOf(data.recipient.to) : null;
  const isRecipient = recipient !== null || addresses.some((address) => maskOf(address) !== null);
  const tags = data.tags.filter((tag) => !names(tag));
  const reference = data.reference !== null && names(data.reference) ? null : data.reference;
  if (!isRecipient) {
    const isNamed = subject !== data.subject || tags.length < data.tags.length || reference !== data.reference;
    return isNamed ? { ...data, subject, tags, reference } : null;
  }
  const isAlone = addresses.every((address) => maskOf(address) !== null || address.startsWith('erased:'));
  const event = {
    ...data,
    to: masked(data.to),
    cc: masked(cc),
    bcc: masked(bcc),
    subject: isAlone ? '' : subject,
    tags: isAlone || recipient !== null ? [] : tags,
    reference: isAlone || recipient !== null ? null : reference,
  };
  if (!('recipient' in data) || recipient === null) return event;
  const { reason } = data.event;
  return {
    ...event,
    recipient: { ...data.recipient, to: recipient, message_id: null },
    event: { ...data.event, url: null, reason: reason === null ? null : 'erased' },
  };
}

function maskLead(data: LeadRecord, person: PersonMask): object | null {
  const { conversation, submission, contact } = data;
  const masked = contact && maskContact(contact, person);
  const answers = submission.answers.map(({ value }) => person.maskOf(String(value)));
  if (!masked && !person.ids.has(conversation.id) && answers.every((mask) => mask === null)) return null;
  return { ...data, submission: { ...submission, answers: [] }, contact: masked };
}

function maskContact(data: ContactRecord, { maskOf, ids, mask }: PersonMask): object | null {
  const email = maskOf(data.email ?? '');
  const phone = maskOf(data.phone ?? '');
  const found = email ?? phone ?? (ids.has(data.id) ? mask : null);
  if (found === null) return null;
  return {
    ...data,
    email: data.email === null ? null : (email ?? found),
    phone: data.phone === null ? null : (phone ?? found),
    first_name: null,
    last_name: null,
    language: null,
    country: null,
    time_zone: null,
    attributes: {},
  };
}
