/** A search parameter that is a text; empty for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Where a person goes after the sign-in, and whether a session has ended. */
export interface SignInSearch {
  next?: string;
  ended?: true;
}

export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const next = textOf(search['next']);
  return {
    ...(next === '' ? {} : { next }),
    ...(search['ended'] === true ? { ended: true } : {}),
  };
}

/** Whether the dialog of a new key is open. */
export interface ApiKeysSearch {
  create?: true;
}

export function apiKeysSearch(search: Record<string, unknown>): ApiKeysSearch {
  return search['create'] === true ? { create: true } : {};
}
