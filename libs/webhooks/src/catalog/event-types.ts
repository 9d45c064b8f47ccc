/** All event types that subscriptions can name, with their descriptions. */
export const EVENT_TYPES = {
  'sms.queued': 'An SMS was accepted and waits to be sent.',
  'sms.sent': 'The carrier accepted an SMS.',
  'sms.delivered': 'Delivery receipts confirmed an SMS.',
  'sms.failed': 'An SMS was rejected, expired or could not be delivered.',
  'email.queued': 'An email was accepted and waits to be sent to a recipient.',
  'email.sent': 'The mail server accepted an email for one recipient.',
  'email.delivered': 'An email was delivered to one recipient.',
  'email.opened': 'A recipient opened an email.',
  'email.clicked': 'A recipient clicked a link in an email.',
  'email.bounced': 'An email to one recipient bounced.',
  'email.complained': 'A recipient reported an email as spam.',
  'email.unsubscribed': 'A recipient unsubscribed.',
  'email.failed': 'The mail server refused an email for one recipient.',
  'chatapp.message.received': 'A chat-app message was received.',
  'chatapp.message.sent': 'The provider sent a chat-app message.',
  'chatapp.message.delivered': 'A chat-app message was delivered.',
  'chatapp.message.read': 'A recipient read a chat-app message.',
  'chatapp.message.failed': 'A chat-app message failed.',
  'chatapp.consent.changed': 'A number opted in to or out of chat-app messages.',
  'bot.conversation.started': 'A visitor started a conversation with a bot.',
  'bot.handoff.requested': 'A visitor requested an agent.',
  'bot.conversation.ended': 'A conversation with a bot ended.',
  'lead.captured': 'A visitor submitted a form of a bot.',
  'contact.created': 'A contact was created.',
  'contact.updated': 'A contact was changed.',
  'contact.deleted': 'A contact was deleted.',
  'campaign.started': 'A campaign started or was resumed.',
  'campaign.paused': 'A campaign was paused.',
  'campaign.completed': 'A campaign was completed.',
  'credits.low': 'A credit balance dropped below its threshold.',
  'credits.purchased': 'Credits were purchased.',
  'domain.verified': 'An email domain was verified.',
  'domain.lapsed': 'An email domain is no longer verified.',
  'apikey.created': 'An API key was created.',
  'apikey.revoked': 'An API key was revoked.',
  'webhook.disabled': 'A webhook subscription was disabled.',
} as const satisfies Record<string, string>;

export type WebhookEventType = keyof typeof EVENT_TYPES;

const NAMES = new Set<string>(Object.keys(EVENT_TYPES));
const GROUPS = new Set([...NAMES].flatMap((name) => groupsOf(name)));
/** Everything that a subscription can name: the types, groups such as `sms.*`, and `*`. */
export const EVENT_PATTERNS: readonly string[] = [...NAMES, ...GROUPS, '*'];

export function isEventType(name: string): name is WebhookEventType {
  return NAMES.has(name);
}

/** Whether a subscription can name it: a type, a group such as `sms.*`, or `*`. */
export function isEventPattern(pattern: unknown): pattern is string {
  return typeof pattern === 'string' && (pattern === '*' || NAMES.has(pattern) || GROUPS.has(pattern));
}

/** `chatapp.*` and `chatapp.message.*` for `chatapp.message.sent` */
function groupsOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_part, index) => `${parts.slice(0, index + 1).join('.')}.*`);
}
