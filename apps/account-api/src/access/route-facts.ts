import type { RateLimit, RouteAccess as AccessFacts, RouteFacts } from '@heliograph/api-reference';
import { ACCESS, type ReadMetadata } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../account-api.config';
import { LIMIT, type Limit, type RouteAccess } from './access.decorators';
import { limitOf } from './access.guard';
import { PERMISSIONS } from './permissions';
import { callsPerMinute } from './rate-limits';

/** What the access guard enforces for a route, for the OpenAPI document. */
export function accountRouteFacts(read: ReadMetadata, config: AccountApiConfig): RouteFacts {
  const access = read<RouteAccess>(ACCESS);
  const limit = read<Limit>(LIMIT);
  const calls = callsPerMinute(config);
  const rate = (name: Limit, per: string): RateLimit[] => [{ calls: calls[name], seconds: 60, per }];
  if (limit !== undefined) return { ...factsOf(access), rates: rate(limit, 'IP address') };
  if (access === undefined || access === 'public') return {};
  if (access.kind === 'operator') return { rates: rate('account', 'IP address') };
  const name = limitOf(access);
  return { ...factsOf(access), rates: rate(name, name === 'v1' ? 'API key or user' : 'API key or session') };
}

function factsOf(access: RouteAccess | undefined): { access?: AccessFacts } {
  if (access === undefined || access === 'public' || !('permission' in access)) return {};
  const { permission } = access;
  return { access: { permission, roles: PERMISSIONS[permission] } };
}
