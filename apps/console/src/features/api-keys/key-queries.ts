import { infiniteQueryOptions } from '@tanstack/react-query';
import type { KeyRecord } from '@heliograph/sdk';
import { client } from '../../app/client';

const PAGE = 50;

export const keysQuery = infiniteQueryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ pageParam, signal }) =>
    client.organization.apiKeys.list(
      {
        limit: PAGE,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      },
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => (page.hasMore ? page.nextCursor : null),
});

export type KeyState = 'active' | 'rotating' | 'expired' | 'revoked';

export function stateOf(key: KeyRecord, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && new Date(key.expiresAt) <= now) return 'expired';
  return key.previousSecretExpiresAt !== null && new Date(key.previousSecretExpiresAt) > now ? 'rotating' : 'active';
}
