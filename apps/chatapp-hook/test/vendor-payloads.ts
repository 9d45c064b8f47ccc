/**
 * Payloads of the real provider. The names and the nesting of fields follow the webhook reference of the vendor (pages
 * on messages, statuses, errors, unsupported, system and group messages, as of 2026) and the tests and types of two
 * client libraries (pywa for Python, whatsapp-api-js for TypeScript). All values are invented.
 */

export const PRODUCT = 'whatsapp';

type Json = Record<string, unknown>;
type Make = (ids: { from: string; id: string; timestamp: string }) => Json;

const media = (type: string, mimeType: string, more: Json = {}) => ({
  type,
  [type]: { mime_type: mimeType, sha256: 'c2hhMjU2IG9mIHRoZSBmaWxl', id: `9000${type.length}77`, ...more },
});
const typed =
  (more: Json): Make =>
  (ids) => ({ ...ids, ...more });
const reply = { context: { from: '15550783881', id: 'wamid.Y29udGV4dA==' } };

/** Inbound messages by kind. */
export const MESSAGES: Record<string, Make> = {
  text: typed({ type: 'text', text: { body: 'Is the blue one in stock?' } }),
  'text, forwarded': typed({ type: 'text', text: { body: 'look' }, context: { forwarded: true } }),
  'text that was forwarded often': typed({
    type: 'text',
    text: { body: 'look' },
    context: { frequently_forwarded: true },
  }),
  'text, a reply': typed({ type: 'text', text: { body: 'yes' }, ...reply }),
  'text about a product': typed({
    type: 'text',
    text: { body: 'how much?' },
    context: { ...reply.context, referred_product: { catalog_id: '7001', product_retailer_id: 'sku-1' } },
  }),
  'text from an advertisement': typed({
    type: 'text',
    text: { body: 'Tell me more' },
    referral: {
      source_url: 'https://ads.example/1',
      source_id: '8001',
      source_type: 'ad',
      headline: 'Fresh',
      body: 'Every day',
      media_type: 'video',
      video_url: 'https://ads.example/1.mp4',
      thumbnail_url: 'https://ads.example/1.jpg',
      ctwa_clid: 'Y2xpY2s',
      welcome_message: { text: 'Hi!' },
    },
  }),
  'text in a group': typed({ type: 'text', text: { body: 'hello all' }, group_id: 'Z3JvdXA6MTIz' }),
  'text with an identity': typed({
    type: 'text',
    text: { body: 'me again' },
    identity: { acknowledged: true, created_timestamp: 1_790_000_000_000, hash: 'aGFzaA==' },
  }),
  image: typed(media('image', 'image/jpeg', { caption: 'the receipt' })),
  'image with an address': typed(media('image', 'image/jpeg', { url: 'https://media.example/attachments/?mid=1' })),
  document: typed(media('document', 'application/pdf', { filename: 'invoice.pdf', caption: 'here' })),
  audio: typed(media('audio', 'audio/ogg; codecs=opus', { voice: false })),
  'voice note': typed(media('audio', 'audio/ogg; codecs=opus', { voice: true })),
  video: typed({ ...media('video', 'video/mp4', { caption: 'watch' }), context: { forwarded: true } }),
  sticker: typed(media('sticker', 'image/webp', { animated: true })),
  'button reply': typed({
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    ...reply,
  }),
  'list reply': typed({
    type: 'interactive',
    interactive: { type: 'list_reply', list_reply: { id: 'row-2', title: 'Tuesday', description: '9 to 5' } },
    ...reply,
  }),
  'form reply': typed({
    type: 'interactive',
    interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"rating":"4"}' } },
    ...reply,
  }),
  'reply to a request to call': typed({
    type: 'interactive',
    interactive: {
      type: 'call_permission_reply',
      call_permission_reply: {
        response: 'accept',
        is_permanent: false,
        expiration_timestamp: 1_790_000_000,
        response_source: 'user_action',
      },
    },
  }),
  'interactive without content': typed({ type: 'interactive', ...reply }),
  'button of a template': typed({ type: 'button', button: { payload: 'confirm', text: 'Confirm' }, ...reply }),
  reaction: typed({ type: 'reaction', reaction: { message_id: 'wamid.cmVhY3RlZA==', emoji: '👍' } }),
  'reaction taken back': typed({ type: 'reaction', reaction: { message_id: 'wamid.cmVhY3RlZA==' } }),
  location: typed({
    type: 'location',
    location: {
      latitude: 52.520008,
      longitude: 13.404954,
      name: 'Tower',
      address: 'Panoramastr. 1',
      url: 'https://t.example',
    },
  }),
  contacts: typed({
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee' },
        phones: [{ phone: '+1 (555) 010-7788', wa_id: '15550107788', type: 'WORK' }],
        emails: [{ email: 'ann@acme.example', type: 'WORK' }],
        org: { company: 'Acme', department: 'Sales', title: 'Lead' },
        addresses: [{ street: '1 Road', city: 'Town', zip: '12345', country_code: 'us', type: 'HOME' }],
        birthday: '1990-01-31',
        vcard: 'BEGIN:VCARD\r\nEND:VCARD',
      },
    ],
  }),
  order: typed({
    type: 'order',
    order: {
      catalog_id: '7001',
      text: '',
      product_items: [{ product_retailer_id: 'sku-1', quantity: 2, item_price: 12.5, currency: 'EUR' }],
    },
  }),
  'change of number': typed({
    type: 'system',
    system: { body: 'Ann changed her number', wa_id: '15550109999', type: 'user_changed_number' },
  }),
  'change of identity': typed({
    type: 'system',
    system: { body: 'Ann has another device', type: 'customer_identity_changed', identity: 'aWQ=' },
    identity: { acknowledged: false, created_timestamp: '1790000000', hash: 'aGFzaA==' },
  }),
  edit: typed({
    type: 'edit',
    edit: {
      original_message_id: 'wamid.b3JpZ2luYWw=',
      message: { context: { id: 'M0' }, type: 'text', text: { body: 'corrected' } },
    },
  }),
  revocation: typed({ type: 'revoke', revoke: { original_message_id: 'wamid.b3JpZ2luYWw=' } }),
  'request of a welcome': typed({ type: 'request_welcome' }),
  unsupported: typed({
    type: 'unsupported',
    unsupported: { type: 'poll_creation' },
    errors: [
      {
        code: 131_051,
        title: 'Message type unknown',
        message: 'Message type unknown',
        error_data: { details: 'No such type here.' },
      },
    ],
  }),
  'unknown, as older versions call it': typed({
    type: 'unknown',
    errors: [{ code: 501, title: 'Unsupported message type', details: 'Not supported' }],
  }),
  'with the ids of a person': typed({
    type: 'text',
    text: { body: 'hi' },
    from_user_id: 'US.20450001112223334',
    from_parent_user_id: 'US.ENT.30560004445556667',
  }),
};

const conversation = { id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', origin: { type: 'utility' } };
const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };

/** Statuses by kind, with the resulting status. */
export const STATUSES: Record<string, { means: 'sent' | 'delivered' | 'read' | 'failed' | null; fields: Json }> = {
  'sent with conversation and pricing': {
    means: 'sent',
    fields: {
      status: 'sent',
      conversation: { ...conversation, expiration_timestamp: '1790086400' },
      pricing: { billable: true, pricing_model: 'CBP', category: 'utility' },
    },
  },
  'sent as newer versions do': {
    means: 'sent',
    fields: {
      status: 'sent',
      pricing,
      recipient_user_id: 'US.20450001112223334',
      recipient_parent_user_id: 'US.ENT.30560004445556667',
      recipient_identity_key_hash: 'a2V5',
    },
  },
  'sent with foreign callback data': {
    means: 'sent',
    fields: { status: 'sent', biz_opaque_callback_data: 'campaign=7;batch=2' },
  },
  delivered: { means: 'delivered', fields: { status: 'delivered', conversation, pricing } },
  read: { means: 'read', fields: { status: 'read', conversation, pricing } },
  'read by a member of a group': {
    means: 'read',
    fields: {
      status: 'read',
      recipient_id: 'Z3JvdXA6MTIz',
      recipient_type: 'group',
      recipient_participant_id: '15550107788',
      recipient_participant_user_id: 'US.20450001112223334',
    },
  },
  failed: {
    means: 'failed',
    fields: {
      status: 'failed',
      errors: [
        {
          code: 131_026,
          title: 'Message undeliverable',
          message: 'Message undeliverable',
          error_data: { details: 'It cannot be delivered to this number.' },
          href: 'https://docs.example/errors',
        },
      ],
    },
  },
  played: { means: null, fields: { status: 'played' } },
  deleted: { means: null, fields: { status: 'deleted' } },
};

/** Changes of fields other than messages, to which the app may be subscribed by mistake. */
export const OTHER_CHANGES: { field: string; value: Json }[] = [
  { field: 'account_update', value: { event: 'VERIFIED_ACCOUNT', phone_number: '15550783881' } },
  {
    field: 'message_template_status_update',
    value: {
      event: 'APPROVED',
      message_template_id: 12,
      message_template_name: 'welcome',
      message_template_language: 'en',
    },
  },
  {
    field: 'smb_message_echoes',
    value: { messaging_product: PRODUCT, message_echoes: [{ id: 'wamid.ZQ==', type: 'text' }] },
  },
  { field: 'calls', value: { messaging_product: PRODUCT, calls: [{ id: 'wacid.Yw==', event: 'connect' }] } },
  {
    field: 'user_preferences',
    value: { messaging_product: PRODUCT, user_preferences: [{ wa_id: '1', value: 'stop' }] },
  },
];

const METADATA = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };

/** Returns a webhook call in the format of the provider. */
export function vendorCall(...values: Json[]): Json {
  const changes = values.map((value) => ({
    value: { messaging_product: PRODUCT, metadata: METADATA, ...value },
    field: 'messages',
  }));
  return { object: `${PRODUCT}_business_account`, entry: [{ id: '102290129340398', changes }] };
}

/** Returns the contact of a sender, which accompanies the messages. */
export function contactOf(waId: string): Json {
  return {
    profile: { name: 'Ann Lee', username: 'ann.lee' },
    wa_id: waId,
    user_id: 'US.20450001112223334',
    parent_user_id: 'US.ENT.30560004445556667',
    identity_key_hash: 'a2V5',
  };
}
