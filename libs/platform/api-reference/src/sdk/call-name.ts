/**
 * The rule that names calls in the SDKs, in the command line and in their samples. The name comes from the method and the path:
 * `POST /api/v1/sms/campaigns/{id}/start` is `sms.campaigns.start`.
 */

/** The group of paths with a prefix. The first match applies. */
const GROUPS: readonly (readonly [prefix: string, group: string])[] = [
  ['/api/v1/', ''],
  ['/api/organization', 'organization'],
  ['/api/workspaces/{id}/bots', 'bots'],
  ['/api/workspaces/{id}/billing', 'billing'],
  ['/api/workspaces/{id}/chatapp/', 'chatapp'],
  ['/api/workspaces/{id}/credits', 'workspaces.credits'],
  ['/api/workspaces/{id}/', 'inbox'],
  ['/api/workspaces', 'workspaces'],
  ['/api/auth/', 'session'],
  ['/chatapp/', 'chatapp'],
];

/** Calls that the rule would name badly. */
const NAMES: Readonly<Record<string, string>> = {
  'GET /api/me': 'me',
  // Only the unversioned APIs have these.
  'POST /sms/cancel': 'sms.messages.cancel',
  'GET /sms/balance': 'sms.balance',
  'GET /sms/senders': 'sms.senders.list',
  'POST /email/cancel': 'email.messages.cancel',
  'GET /email/balance': 'email.balance',
  'GET /email/senders': 'email.senders.list',
  // The v1 API has these as well.
  'POST /sms/send': 'sms.unversioned.send',
  'GET /sms/status': 'sms.unversioned.status',
  'GET /sms/templates': 'sms.unversioned.templates',
  'POST /email/send': 'email.unversioned.send',
  'GET /email/status': 'email.unversioned.status',
  'GET /email/templates': 'email.unversioned.templates',
  'POST /api/v1/sms/send': 'sms.messages.send',
  'POST /api/v1/sms/bulk': 'sms.messages.sendBulk',
  'GET /api/v1/sms/delivery/{id}': 'sms.messages.get',
  'POST /api/v1/sms/quote': 'sms.messages.quote',
  'POST /api/v1/test/credits': 'test.credits.set',
  'GET /api/v1/test/clock': 'test.clock.get',
  'POST /api/v1/email/send': 'email.messages.send',
  'POST /api/v1/email/bulk': 'email.messages.sendBulk',
  'POST /api/v1/email/quote': 'email.messages.quote',
  'POST /chatapp/send': 'chatapp.messages.send',
  'GET /chatapp/status': 'chatapp.messages.get',
  'POST /chatapp/mark-read': 'chatapp.messages.markRead',
  'POST /api/v1/chatapp/quote': 'chatapp.messages.quote',
  'GET /chatapp/account': 'chatapp.account',
  'GET /chatapp/balance': 'chatapp.balance',
  'POST /chatapp/media': 'chatapp.media.upload',
  'GET /chatapp/media/{id}/content': 'chatapp.media.download',
  'POST /chatapp/consents': 'chatapp.consents.record',
  'GET /api/workspaces/{id}/chatapp/window': 'chatapp.window',
  'GET /api/workspaces/{id}/chatapp/allowances': 'chatapp.allowances',
  'POST /api/organization/chatapp/consents': 'organization.chatapp.consents.record',
  'POST /api/v1/chat/conversations': 'chat.conversations.start',
  'GET /api/v1/chat/conversations/{id}/events': 'chat.conversations.events',
  'GET /api/v1/messages/stream': 'messages.stream',
  'POST /api/v1/chat/conversations/{id}/messages': 'chat.messages.send',
  'GET /api/v1/chat/conversations/{id}/messages': 'chat.messages.list',
  'POST /api/v1/chat/conversations/{id}/forms/{formId}/submissions': 'chat.forms.submit',
  'GET /api/v1/messages/{messageId}/timeline': 'messages.timeline',
  'POST /api/v1/quote': 'messages.quote',
  'GET /api/v1/analytics/overview': 'analytics.overview',
  'GET /api/v1/analytics/sms': 'analytics.sms',
  'GET /api/v1/analytics/email': 'analytics.email',
  'GET /api/v1/credits/balance': 'credits.balance',
  'GET /api/v1/reports/{reportId}/file': 'reports.download',
  'GET /api/v1/webhooks/events': 'webhooks.eventTypes',
  'GET /api/v1/webhooks/{webhookId}/logs': 'webhooks.deliveries.list',
  'POST /api/v1/webhooks/{webhookId}/logs/{deliveryId}/retry': 'webhooks.deliveries.retry',
  'POST /api/v1/contacts/import': 'contacts.imports.create',
  'GET /api/v1/contacts/import/{importId}': 'contacts.imports.get',
  'GET /api/v1/contacts/import/{importId}/errors.csv': 'contacts.imports.errors',
  'DELETE /api/v1/contacts/{contactId}': 'contacts.erase',
  'POST /api/v1/contacts/groups/{groupId}/contacts': 'contacts.groups.addContacts',
  'DELETE /api/v1/contacts/groups/{groupId}/contacts': 'contacts.groups.removeContacts',
  'GET /api/workspaces/{id}/submissions.csv': 'inbox.submissions.export',
  'POST /api/workspaces/{id}/conversations/{cid}/messages': 'inbox.conversations.reply',
  'GET /api/workspaces/{id}/conversations/{cid}/messages': 'inbox.conversations.messages',
  'GET /api/workspaces/{id}/bots/{botId}/versions': 'bots.versions',
  'GET /api/workspaces/{id}/billing': 'billing.get',
  'GET /api/workspaces/{id}/billing/invoices/{invoiceId}/receipt.pdf': 'billing.invoices.receipt',
  'GET /api/workspaces/{id}/credits': 'workspaces.credits.balances',
  'GET /api/workspaces/{id}/credits/ledger.csv': 'workspaces.credits.ledger.export',
  'PUT /api/workspaces/{id}/credits/thresholds/{creditType}': 'workspaces.credits.setThreshold',
  'POST /api/workspaces/{id}/credits/transfers': 'workspaces.credits.transfer',
  'POST /api/v1/auth/device': 'auth.device.start',
  'POST /api/v1/auth/device/token': 'auth.device.exchange',
  'GET /api/auth/session': 'session.get',
  'PATCH /api/auth/session': 'session.switchWorkspace',
  'GET /api/auth/sessions': 'session.sessions.list',
  'DELETE /api/auth/sessions/{sessionId}': 'session.sessions.end',
  'PATCH /api/auth/user': 'session.updateUser',
  'PUT /api/auth/password': 'session.changePassword',
  'POST /api/auth/mfa': 'session.mfa.enroll',
  'DELETE /api/auth/mfa': 'session.mfa.remove',
  'POST /api/auth/mfa/recovery-codes': 'session.mfa.renewRecoveryCodes',
  'POST /api/auth/password-resets': 'session.passwordResets.request',
  'POST /api/auth/password-resets/{token}': 'session.passwordResets.complete',
  'GET /api/auth/invitations/{token}': 'session.invitations.get',
  'POST /api/auth/invitations/{token}': 'session.invitations.accept',
  'GET /api/organization/ip-allowlist': 'organization.ipAllowlist.get',
  'DELETE /api/organization/invitations/{id}': 'organization.invitations.revoke',
  'DELETE /api/organization/api-keys/{keyId}': 'organization.apiKeys.revoke',
  'DELETE /api/organization/members/{userId}': 'organization.members.remove',
  'POST /api/organization/email/templates/{templateId}/preview': 'organization.email.templates.previewStored',
  'POST /api/workspaces/{id}/bots/{botId}/knowledge': 'bots.knowledge.create',
  'POST /api/v1/test/clock': 'test.clock.advance',
};

/** Methods on objects with an id. */
const VERBS: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'update', DELETE: 'delete' };

/**
 * The name of a call, such as `sms.campaigns.start`.
 *
 * @param method in upper case
 * @param isList whether the response is a list
 */
export function callName(method: string, path: string, isList: boolean): string {
  const given = NAMES[`${method} ${path}`];
  if (given !== undefined) return given;
  const [prefix, group] = GROUPS.find(([start]) => path.startsWith(start)) ?? ['/', ''];
  const segments = path.slice(prefix.length).split('/').filter(Boolean);
  const last = segments.at(-1);
  const names = segments.filter((segment) => !isParameter(segment)).map(camelCase);
  const resource = [...group.split('.').filter(Boolean), ...names];
  if (last === undefined || isParameter(last)) return [...resource, verbOf(method, isList)].join('.');
  if (method !== 'POST') return [...resource, verbOf(method, isList)].join('.');
  // `…/campaigns` creates one; `…/campaigns/{id}/start` is an action.
  return last.endsWith('s') ? [...resource, 'create'].join('.') : resource.join('.');
}

function verbOf(method: string, isList: boolean): string {
  if (method === 'POST') return 'create';
  return isList ? 'list' : (VERBS[method] ?? method.toLowerCase());
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

export function camelCase(text: string): string {
  return text.replace(/[-_.\s]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]+/g, '_')
    .toLowerCase();
}
