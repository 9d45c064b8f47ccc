/** The error of a call without a whole response. */
export const CONNECTION_CLOSED = 'CONNECTION_CLOSED';

/** A call of an API key. */
export interface LoggedRequest {
  /** Begins with the time when the response ended. */
  id: string;
  organizationId: string;
  /** Null for a call that concerns no workspace. */
  workspaceId: string | null;
  keyId: string;
  /** X-Request-Id: letters, digits and `_.:@/+=-` */
  requestId: string;
  service: string;
  method: string;
  /** Without the query string, tokens and addresses of persons. */
  path: string;
  status: number;
  /** The error code; null for a successful call. */
  error: string | null;
  durationMs: number;
  /** The IP address of the client; null if the connection had ended. */
  address: string | null;
  /** JSON text without personal data, of calls with a test key and of refused calls; null for all others. */
  requestBody: string | null;
  responseBody: string | null;
}
