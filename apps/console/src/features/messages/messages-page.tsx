import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Mail, SearchX } from 'lucide-react';
import { CHANNELS, type MessagesSearch } from '../../app/search';
import { Button } from '../../components/button';
import { PageHeader } from '../../components/page-header';
import { Select } from '../../components/select';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states';
import { strings } from '../../strings';
import { EMAIL_STATUSES, messagesQuery, SMS_STATUSES } from './message-queries';
import { MessageDialog } from './message-dialog';
import { MessagesTable } from './messages-table';
import { RecipientSearch } from './recipient-search';

const route = getRouteApi('/shell/messages');
const texts = strings.messages;

const CHANNEL_OPTIONS = CHANNELS.map((channel) => ({ value: channel, label: strings.channels[channel] }));

/** The messages of a channel, with the timeline of the chosen one. */
export function MessagesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const messages = useInfiniteQuery(messagesQuery(search));
  const { channel = 'sms', status = '', query = '', open } = search;

  const show = (changes: MessagesSearch): void => void navigate({ search: { ...search, ...changes } });
  const close = (): void => {
    const { open: _closed, ...rest } = search;
    void navigate({ search: rest });
  };
  const all = messages.data?.pages.flatMap(({ entries }) => entries) ?? [];
  const isFiltered = status !== '' || query !== '';
  const statuses = (channel === 'sms' ? SMS_STATUSES : EMAIL_STATUSES).map((each) => ({
    value: each as string,
    label: texts.statuses[each],
  }));
  return (
    <>
      <PageHeader title={texts.title} text={texts.text} />
      <div className="filters">
        <Select
          label={texts.channel}
          options={CHANNEL_OPTIONS}
          value={channel}
          onChange={(chosen) => void navigate({ search: { channel: chosen, query } })}
        />
        <Select
          label={texts.status}
          options={[{ value: '', label: texts.anyStatus }, ...statuses]}
          value={status}
          onChange={(chosen) => show({ status: chosen })}
        />
        <RecipientSearch key={query} value={query} onSearch={(text) => show({ query: text })} />
      </div>
      {messages.isError && <ErrorState error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.isPending && <SkeletonRows />}
      {messages.isSuccess && all.length === 0 && (
        <div className="card">
          {isFiltered ? (
            <EmptyState icon={SearchX} title={texts.noMatchTitle}>
              <Button onPress={() => void navigate({ search: { channel } })}>{texts.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon={Mail} title={texts.emptyTitle} text={texts.emptyText}>
              <Link to="/developers/api-keys" className="button button-primary">
                {texts.emptyAction}
              </Link>
            </EmptyState>
          )}
        </div>
      )}
      {all.length > 0 && <MessagesTable messages={all} onOpen={(id) => show({ open: id })} />}
      {messages.hasNextPage && (
        <Button isPending={messages.isFetchingNextPage} onPress={() => void messages.fetchNextPage()}>
          {strings.actions.more}
        </Button>
      )}
      {open !== undefined && <MessageDialog id={open} onClose={close} />}
    </>
  );
}
