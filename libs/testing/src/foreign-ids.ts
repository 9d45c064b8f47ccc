import type { HttpAnswer } from './http-call';

/** A call with an id in its path, query or body. */
export interface IdCall {
  /** Such as `GET /sms/status`. */
  route: string;
  /** An existing id that belongs to somebody else. */
  foreignId: string;
  /** An id of the same form that nobody has. */
  unknownId: string;
  /** Whether workspaces of an organization share the object, so that only other organizations must not find it. */
  isShared?: boolean;
  call(key: string, id: string): Promise<HttpAnswer>;
}

/** Keys that must not find the ids. */
export interface ForeignKeys {
  ofAnotherOrganization: string;
  /** Of the same organization, bound to another workspace. */
  boundToAnotherWorkspace: string;
}

/**
 * Calls with foreign ids and with unknown ids, and compares the answers. Returns the differences; a foreign id in an
 * answer that an unknown id does not produce is one.
 */
export async function foreignIdDifferences(calls: readonly IdCall[], keys: ForeignKeys): Promise<string[]> {
  const differences: string[] = [];
  for (const { route, foreignId, unknownId, isShared, call } of calls) {
    for (const [who, key] of Object.entries(keys) as [keyof ForeignKeys, string][]) {
      if (isShared && who === 'boundToAnotherWorkspace') continue;
      const [foreign, unknown] = [await call(key, foreignId), await call(key, unknownId)];
      const [foreignText, unknownText] = [maskIds(foreign, foreignId), maskIds(unknown, unknownId)];
      if (foreign.status === unknown.status && foreignText === unknownText) continue;
      differences.push(`${route}, ${who}: ${foreign.status} ${foreignText}, not ${unknown.status} ${unknownText}`);
    }
  }
  return differences;
}

function maskIds({ text }: HttpAnswer, id: string): string {
  return text.replaceAll(id, '<id>');
}
