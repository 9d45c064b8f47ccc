/** Scopes of API keys. A key without scopes is unrestricted. */
export const SCOPES = ['sms:send', 'sms:read', 'email:send', 'email:read', 'chatapp:send', 'chatapp:read'] as const;
export type Scope = (typeof SCOPES)[number];
