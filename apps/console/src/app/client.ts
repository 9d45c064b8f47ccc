import { auth, createClient, organization, session, workspaces } from '@heliograph/sdk';

/**
 * Options of every client: the browser adds the session cookie. A person waits for the result, so a limit of calls that lasts longer is
 * shown instead of waited for.
 */
export const CLIENT_OPTIONS = {
  baseUrl: window.location.origin,
  timeoutMs: 30_000,
  maxRetryDelayMs: 2_000,
};

/** The calls that every page needs. A screen makes a client of the groups that only it uses. */
export const client = createClient(CLIENT_OPTIONS, { auth, session, organization, workspaces });
