export const CHANNELS = ['sms', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A search parameter that is a text; empty for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The filters of the message log, and the message that is open. Defaults are left out of the address. */
export interface MessagesSearch {
  channel?: Channel;
  status?: string;
  query?: string;
  open?: string;
}

export function messagesSearch(search: Record<string, unknown>): MessagesSearch {
  const channel = CHANNELS.find((each) => each === search['channel']);
  const status = textOf(search['status']);
  const query = textOf(search['query']);
  const open = textOf(search['open']);
  return {
    ...(channel === undefined || channel === 'sms' ? {} : { channel }),
    ...(status === '' ? {} : { status }),
    ...(query === '' ? {} : { query }),
    ...(open === '' ? {} : { open }),
  };
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
