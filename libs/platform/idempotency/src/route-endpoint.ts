import { isId } from '@heliograph/database';

interface RoutedRequest {
  method: string;
  route: { path: string };
  params: Record<string, string | string[]>;
}

/**
 * Names the endpoint of a request by its method, the path pattern of its route and the parameters. Spellings of one
 * path have the same name: upper and lower case, a trailing slash, escapes, and the case of UUIDs.
 */
export function routeEndpoint({ method, route, params }: RoutedRequest): string {
  const normalized = Object.entries(params).map(([name, value]) => [name, isId(value) ? value.toLowerCase() : value]);
  return `${method} ${route.path} ${JSON.stringify(Object.fromEntries(normalized))}`;
}
