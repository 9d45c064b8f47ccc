import { loggablePath } from './loggable-path';

it.each([
  ['/api/auth/invitations/q83Hk1nV4mXzR7cP0aYbTf2LwGd9EsUi5oJxKvCtNh8', '/api/auth/invitations/…'],
  ['/api/auth/password-resets/q83Hk1nV4mXzR7cP0aYbTf2LwGd9EsUi5oJxKvCtNh8?x=1', '/api/auth/password-resets/…'],
  [
    '/api/workspaces/0198f5d4-1a2b-7c3d-8e4f-5a6b7c8d9e0f/credits',
    '/api/workspaces/0198f5d4-1a2b-7c3d-8e4f-5a6b7c8d9e0f/credits',
  ],
  ['/sms/status?id=secret', '/sms/status'],
  ['/api/v1/email/suppressions/ann@example.com', '/api/v1/email/suppressions/…'],
  ['/api/v1/email/suppressions/ann%40example.com/history?x=1', '/api/v1/email/suppressions/…/history'],
  ['/api/v1/sms/opt-outs/+919876543210', '/api/v1/sms/opt-outs/…'],
  ['/api/v1/sms/opt-outs/%2B919876543210', '/api/v1/sms/opt-outs/…'],
  [`/${'a/'.repeat(1000)}`, `/${'a/'.repeat(250)}`.slice(0, 500)],
])('the path %s is logged as %s', (url, logged) => {
  expect(loggablePath(url)).toBe(logged);
});
