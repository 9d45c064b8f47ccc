/** What a key may be limited to. A key without any is unrestricted. */
export const SCOPES = ['sms:send', 'sms:read', 'email:send', 'email:read', 'chatapp:send', 'chatapp:read'] as const;
export type Scope = (typeof SCOPES)[number];
