import type { OperationView, Response } from './api-view';
import { isReference } from './api-view';
import { parametersOf } from './curl-sample';
import { ACCESS_EXTENSION, LIMITS_EXTENSION, type RateLimit, type RouteAccess, type RouteLimits } from './route-facts';

/** A line about an operation, such as the scope that it needs. Text between backticks is code. */
export interface Fact {
  name: string;
  text: string;
  /** The guide that explains it, with a fragment. */
  guide: string;
}

const UNITS = [
  { bytes: 1_000_000, unit: 'MB' },
  { bytes: 1_000, unit: 'kB' },
] as const;

/** What a caller needs, what is limited, and whether a call can be repeated. */
export function factsOf(view: OperationView): Fact[] {
  const { operation } = view;
  const extensions = operation as typeof operation & {
    [ACCESS_EXTENSION]?: RouteAccess;
    [LIMITS_EXTENSION]?: RouteLimits;
  };
  const { scope, permission, roles } = extensions[ACCESS_EXTENSION] ?? {};
  const { rates = [], bodyBytes } = extensions[LIMITS_EXTENSION] ?? {};
  const facts: Fact[] = [{ name: 'Authentication', text: credentialsText(view), guide: 'authentication' }];
  const access = 'authentication#scopes-and-roles';
  if (scope !== undefined)
    facts.push({ name: 'Scope', text: `\`${scope}\`, or a key without restriction`, guide: access });
  if (permission !== undefined) facts.push({ name: 'Permission', text: `\`${permission}\``, guide: access });
  if (roles) facts.push({ name: 'Roles', text: roles.join(', '), guide: access });
  if (rates.length > 0) facts.push({ name: 'Rate limit', text: rates.map(rateText).join('; '), guide: 'rate-limits' });
  if (bodyBytes !== undefined)
    facts.push({ name: 'Body size', text: `At most ${sizeText(bodyBytes)}`, guide: 'rate-limits#size-of-a-call' });
  const isIdempotent = parametersOf(operation).some(({ name }) => name.toLowerCase() === 'idempotency-key');
  if (isIdempotent) facts.push({ name: 'Idempotency', text: 'Accepts `Idempotency-Key`', guide: 'idempotency' });
  return facts;
}

/** The credentials that an operation accepts, by the names of the security schemes of all APIs. */
function credentialsText({ path, operation: { security = [] } }: OperationView): string {
  const schemes = new Set(security.flatMap((one) => Object.keys(one)));
  const others: Readonly<Record<string, string>> = {
    bearer: path.startsWith('/api/v1/') ? 'API key or access token' : 'API key',
    session: 'session cookie',
    operator: 'operator token',
    conversationToken: 'conversation token',
  };
  // The second header for the same key.
  const accepted = [...schemes].filter((name) => name !== 'apiKey').map((name) => others[name] ?? name);
  return accepted.length > 0 ? accepted.join(', ') : 'None';
}

function rateText({ calls, seconds, per }: RateLimit): string {
  const period = seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
  return `${calls.toLocaleString('en-US')} calls per ${period} for each ${per}`;
}

function sizeText(bytes: number): string {
  const { bytes: size, unit } = UNITS.find((one) => bytes >= one.bytes) ?? { bytes: 1, unit: 'bytes' };
  return `${bytes / size} ${unit}`;
}

/** The codes of an error response, if its description lists codes. */
export function codesOf({ description }: Response): string[] {
  return /^[A-Z][A-Z_]+(?:, [A-Z_]+)*$/.test(description) ? description.split(', ') : [];
}

export function responsesOf({ operation }: OperationView): [string, Response][] {
  return Object.entries(operation.responses).flatMap(([status, response]): [string, Response][] =>
    !response || isReference(response) ? [] : [[status, response]],
  );
}

/** The address of the explanation of an error code. */
export const errorGuide = (code: string): string => `errors#${code.toLowerCase().replaceAll('_', '-')}`;
