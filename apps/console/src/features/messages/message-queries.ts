import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { createClient, email, messages, sms, type Email, type SmsMessage } from '@heliograph/sdk';
import { CLIENT_OPTIONS } from '../../app/client';
import type { Channel, MessagesSearch } from '../../app/search';

const PAGE = 50;
/** New messages and states appear by themselves. */
const REFRESH_MS = 5_000;

const client = createClient(CLIENT_OPTIONS, { email, messages, sms });

export const SMS_STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled'] as const;
export const EMAIL_STATUSES = [
  'scheduled',
  'queued',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'skipped',
  'canceled',
] as const;

/** A message of any channel, as the list shows it. */
export interface LoggedMessage {
  id: string;
  recipient: string;
  content: string;
  status: string;
  createdAt: string;
}

interface MessagePage {
  entries: LoggedMessage[];
  next: string | null;
}

export function messagesQuery({ channel = 'sms', status, query }: MessagesSearch) {
  return infiniteQueryOptions({
    queryKey: ['messages', channel, status, query],
    queryFn: ({ pageParam, signal }) => readPage(channel, { status, to: query, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // Only the newest page changes; further pages are a look into the past.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFRESH_MS),
  });
}

export function timelineQuery(id: string) {
  return queryOptions({
    queryKey: ['timeline', id],
    queryFn: ({ signal }) => client.messages.timeline(id, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

interface Filter {
  status: string | undefined;
  to: string | undefined;
  cursor: string | null;
}

async function readPage(channel: Channel, filter: Filter, signal: AbortSignal): Promise<MessagePage> {
  const common = {
    limit: PAGE,
    ...(filter.to === undefined ? {} : { to: filter.to }),
    ...(filter.cursor === null ? {} : { cursor: filter.cursor }),
  };
  if (channel === 'sms') {
    const status = SMS_STATUSES.find((each) => each === filter.status);
    const page = await client.sms.messages.list({ ...common, ...(status ? { status } : {}) }, { signal });
    return { entries: page.data.map(ofSms), next: page.hasMore ? page.nextCursor : null };
  }
  const status = EMAIL_STATUSES.find((each) => each === filter.status);
  const page = await client.email.messages.list({ ...common, ...(status ? { status } : {}) }, { signal });
  return { entries: page.data.map(ofEmail), next: page.hasMore ? page.nextCursor : null };
}

function ofSms(message: SmsMessage): LoggedMessage {
  return {
    id: message.id,
    recipient: message.to,
    content: message.message,
    status: message.status,
    createdAt: message.created_at,
  };
}

function ofEmail(message: Email): LoggedMessage {
  return {
    id: message.id,
    recipient: [...message.to, ...message.cc, ...message.bcc].join(', '),
    content: message.subject,
    status: message.status,
    createdAt: message.created_at,
  };
}
