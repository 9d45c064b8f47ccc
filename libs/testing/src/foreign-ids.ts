import type { HttpResponse } from './http-call';

/** A call with an id in its path, query or body. */
export interface IdCall {
  /** For example `GET /sms/status`. */
  route: string;
  /** An existing id of another tenant. */
  foreignId: string;
  /** An unknown id of the same format. */
  unknownId: string;
  /** Whether the workspaces of an organization share the object, so that only other organizations must not find it. */
  isShared?: boolean;
  call(key: string, id: string): Promise<HttpResponse>;
}

/** Keys that must not find the ids. */
export interface ForeignKeys {
  ofAnotherOrganization: string;
  /** A key of the same organization that is bound to another workspace. */
  boundToAnotherWorkspace: string;
}

/**
 * Calls with foreign ids and with unknown ids, and compares the responses. Returns the differences, including a
 * foreign id in a response.
 */
export async function foreignIdDifferences(calls: readonly IdCall[], keys: ForeignKeys): Promise<string[]> {
  const differences: string[] = [];
  for (const { route, foreignId, unknownId, isShared, call } of calls) {
    for (const [who, key] of Object.entries(keys) as [keyof ForeignKeys, string][]) {
      if (isShared && who === 'boundToAnotherWorkspace') continue;
      const foreign = await call(key, foreignId);
      const unknown = await call(key, unknownId);
      const foreignText = maskIds(foreign, foreignId);
      const unknownText = maskIds(unknown, unknownId);
      if (foreign.status === unknown.status && foreignText === unknownText) continue;
      differences.push(`${route}, ${who}: ${foreign.status} ${foreignText}, not ${unknown.status} ${unknownText}`);
    }
  }
  return differences;
}

function maskIds({ text }: HttpResponse, id: string): string {
  return text.replaceAll(id, '<id>');
}
