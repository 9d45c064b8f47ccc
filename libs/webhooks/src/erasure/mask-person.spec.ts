import type { EmailRecipientRecord, EmailRecord } from '@heliograph/contracts';
import Ajv2020 from 'ajv/dist/2020';
import { CATALOG, exampleDataOf } from '../catalog/catalog';
import type { WebhookEventType } from '../catalog/event-types';
import { maskPerson, personIdsOf, type PersonMask } from './mask-person';
import { personAddressOf } from './person-address';

const MASK = 'erased:0123456789abcdef0123456789abcdef';
const ANN = ['ann@example.com', '+919811111111'];
const ann = (ids: string[] = []): PersonMask => ({
  ids: new Set(ids),
  mask: MASK,
  maskOf: (text) => (ANN.includes(personAddressOf(text)?.value ?? '') ? MASK : null),
});
const nobody: PersonMask = { ids: new Set(), mask: MASK, maskOf: () => null };

/** Event types whose examples contain personal data. */
const PERSONAL = CATALOG.map(({ type }) => type).filter(
  (type) => /^(?:sms|email|chatapp|contact|lead)\./.test(type) && type !== 'chatapp.message.received',
);

describe('the erasure of a person from an event', () => {
  it.each(PERSONAL)('removes all personal data from %s, which still matches its schema', (type) => {
    const { schema, example } = CATALOG.find((entry) => entry.type === type)!;
    const data = maskPerson(type, exampleDataOf(type), ann());
    expect(JSON.stringify(data)).not.toMatch(
      /ann@|9811111111|Ann|Smith|Your code|Hello|Welcome|no such user|Kolkata|offer/,
    );
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect([validate({ ...example, data }), validate.errors]).toEqual([true, null]);
  });

  it.each(CATALOG.map(({ type }) => type))('does not change %s of other persons', (type: WebhookEventType) => {
    expect(maskPerson(type, exampleDataOf(type), nobody)).toBeNull();
  });

  it('masks the sender of an inbound message', () => {
    const { message } = exampleDataOf('chatapp.message.received') as { message: object };
    const inbound = { message: { ...message, from: '919811111111', to: '911140000000' } };
    expect(maskPerson('chatapp.message.received', inbound, ann())).toMatchObject({
      message: { from: MASK, to: '911140000000', text: null },
    });
  });

  it('keeps data that other recipients also received', () => {
    const record = exampleDataOf('email.bounced') as EmailRecipientRecord;
    const shared = { ...record, to: ['bob@example.com', 'Ann@Example.com'] };
    const annBounced = maskPerson('email.bounced', shared, ann());
    expect(annBounced).toMatchObject({
      to: ['bob@example.com', MASK],
      subject: 'Welcome',
      event: { reason: 'erased', url: null },
      recipient: { to: MASK, status: 'bounced', message_id: null },
    });
    const bobs = { ...shared, recipient: { ...record.recipient, to: 'bob@example.com' } };
    expect(maskPerson('email.bounced', bobs, ann())).toMatchObject({
      to: ['bob@example.com', MASK],
      recipient: bobs.recipient,
      event: record.event,
    });
  });

  it('removes the person from copies of a mail, and from references and tags of mails to others', () => {
    // Events of earlier releases contain all recipients.
    const { recipient, event, ...example } = exampleDataOf('email.queued') as EmailRecipientRecord;
    expect([recipient.status, event.type]).toEqual(['queued', 'queued']);
    const record: EmailRecord = { ...example, to: ['bob@example.com'], subject: 'Welcome' };
    const copied = { ...record, cc: ['Ann@Example.com'], bcc: ['ann@example.com', 'eve@example.com'] };
    expect(maskPerson('email.queued', copied, ann())).toMatchObject({
      to: ['bob@example.com'],
      cc: [MASK],
      bcc: [MASK, 'eve@example.com'],
      subject: 'Welcome',
    });
    const named = {
      ...record,
      cc: [],
      bcc: [],
      tags: ['offer', 'ann@example.com'],
      reference: 'for <Ann@example.com>',
    };
    expect(maskPerson('email.queued', named, ann())).toEqual({ ...named, tags: ['offer'], reference: null });
    const subject = 'Offer for ann@example.com: "Ann@Example.com", joann@example.com and +919811111111.';
    const masked = `Offer for ${MASK}: "${MASK}", joann@example.com and ${MASK}.`;
    for (const to of [['bob@example.com'], ['bob@example.com', 'ann@example.com']]) {
      const data = maskPerson('email.queued', { ...record, cc: [], bcc: [], to, subject }, ann());
      expect(data).toMatchObject({ subject: masked });
    }
    const { cc, bcc, ...earlier } = { ...record, to: ['ann@example.com'] };
    expect([cc, bcc, maskPerson('email.queued', earlier, ann())]).toMatchObject([[], [], { to: [MASK], subject: '' }]);
  });

  it('finds contacts and conversations by their ids', () => {
    const lead = exampleDataOf('lead.captured');
    const [conversation, contact] = personIdsOf('lead.captured', lead);
    expect([conversation, contact]).toEqual([expect.any(String), expect.any(String)]);
    const handoff = exampleDataOf('bot.handoff.requested');
    expect(maskPerson('bot.handoff.requested', handoff, ann([conversation!]))).toMatchObject({
      message: { content: '' },
    });
    const unnamed = { ...exampleDataOf('contact.updated'), email: 'old@example.com', phone: null };
    expect(maskPerson('contact.updated', unnamed, ann())).toBeNull();
    expect(maskPerson('contact.updated', unnamed, ann([contact!]))).toMatchObject({ email: MASK, phone: null });
  });

  it('recognizes numbers in any notation in answers', () => {
    const lead = exampleDataOf('lead.captured') as { submission: object };
    const answers = [{ key: 'phone', label: 'Phone', value: '+91 (98111) 11-111' }];
    const given = { ...lead, contact: null, submission: { ...lead.submission, answers } };
    expect(maskPerson('lead.captured', given, ann())).toMatchObject({ submission: { answers: [] } });
  });
});
