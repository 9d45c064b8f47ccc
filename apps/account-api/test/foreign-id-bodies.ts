import type { Route } from './routes';

/** Returns a body that would cause a change if the request were allowed. */
export function bodyFor({ path }: Route, ownWorkspaceId: string): object {
  if (path.endsWith('/transfers')) return { toWorkspaceId: ownWorkspaceId, creditType: 'sms', amount: 1 };
  if (path.includes('/thresholds/')) return { lowThreshold: 5 };
  if (path.includes('/members/')) return { role: 'viewer' };
  if (path.endsWith('/faqs/import')) return { faqs: [{ question: 'x', answer: 'x' }] };
  if (path.endsWith('/faqs')) return { question: 'x', answer: 'x' };
  if (path.endsWith('/knowledge')) return { title: 'x', body: 'x' };
  if (path.endsWith('/shortcuts')) return { label: 'x', command: '/x' };
  if (path.endsWith('/forms')) return { title: 'x', fields: [{ key: 'email', label: 'Email', type: 'email' }] };
  if (path.includes('/email/templates/') && path.endsWith('/preview')) return { variables: {} };
  if (path.endsWith('/preview') || path.endsWith('/messages')) return { message: 'Taken over' };
  if (path.includes('/faqs/')) return { question: 'Taken over' };
  if (path.includes('/knowledge/') || path.includes('/forms/')) return { title: 'Taken over' };
  if (path.includes('/shortcuts/')) return { label: 'Taken over' };
  if (path.endsWith('/publish')) return {};
  if (path.includes('/bots')) return { name: 'Taken over' };
  if (path.includes('/conversations/')) return { status: 'closed', takenOver: true };
  if (path.startsWith('/api/workspaces')) return { displayName: 'Taken over' };
  if (path.includes('/tracking/')) return { opens: false };
  if (path.endsWith('/groups/:groupId/contacts')) return { contact_ids: [ownWorkspaceId] };
  if (path.startsWith('/api/v1/contacts/groups')) return { name: 'Taken over' };
  if (path.startsWith('/api/v1/contacts')) return { first_name: 'Taken over' };
  if (path.endsWith('/replay')) return { from: '2026-01-01T00:00:00Z' };
  if (path.startsWith('/api/v1/webhooks') && path.endsWith('/test')) return { event: 'sms.sent' };
  if (path.startsWith('/api/v1/webhooks')) return { description: 'Taken over' };
  if (path.endsWith('/rotate')) return { overlapSeconds: 0 };
  if (path.includes('/sms/senders')) return { isActive: false };
  return { name: 'Taken over' };
}
