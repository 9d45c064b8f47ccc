import { QueryCache, QueryClient, queryOptions, MutationCache } from '@tanstack/react-query';
import { isSessionEnd } from './api-error';
import { client } from './client';

const STALE_AFTER_MS = 15_000;

type Listener = () => void;
const onSessionEnd = new Set<Listener>();

/** Calls the listener when a call finds that the session has ended. */
export function whenSessionEnds(listener: Listener): () => void {
  onSessionEnd.add(listener);
  return () => onSessionEnd.delete(listener);
}

function report(error: unknown): void {
  if (isSessionEnd(error)) for (const listener of onSessionEnd) listener();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== SESSION_KEY[0]) report(error);
    },
  }),
  mutationCache: new MutationCache({ onError: report }),
  defaultOptions: {
    // The client repeats calls that fail for a passing reason.
    queries: { retry: false, staleTime: STALE_AFTER_MS },
    mutations: { retry: false },
  },
});

const SESSION_KEY = ['session'];

/** The session, or null without one. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }) => {
    try {
      return await client.session.get({ signal });
    } catch (error) {
      if (isSessionEnd(error)) return null;
      throw error;
    }
  },
});

/** The organization of the session, and the role of the user in it. Null for a user who is in no organization. */
export const membershipQuery = (userId: string) =>
  queryOptions({
    queryKey: ['membership', userId],
    queryFn: async ({ signal }) => {
      const [organization, { role }] = await Promise.all([
        client.organization.get({ signal }),
        client.organization.members.get(userId, { signal }),
      ]);
      return { organization, role };
    },
  });

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await client.workspaces.list({ limit: 100 }, { signal })).data,
});
