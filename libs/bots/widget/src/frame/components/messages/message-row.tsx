import { Component, type ComponentChildren, type JSX } from 'preact';
import type { Message } from '../../api/records';
import type { OutboxEntry } from '../../sending/outbox';
import { isByAgent } from '../../state/chat-state';
import type { FormState, TimelineItem } from '../../state/timeline';
import { timeOf } from '../../text/format-time';
import { safeLink } from '../../text/safe-link';
import { Avatar } from '../avatar';
import { useChat } from '../chat-context';
import { FormCard } from '../forms/form-card';
import { RichText, SafeAnchor } from './rich-text';

type Row = Exclude<TimelineItem, { kind: 'day' }>;

interface Props {
  item: Row;
  /** State of the form of the message; null if it has no form. */
  formState: FormState | null;
  /** The outbox entry that submits the form of this message. */
  submission: OutboxEntry | null;
  isConversationOpen: boolean;
}

/** One message with its author and time; rendered again only if it changes. */
export class MessageRow extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { item, formState, submission, isConversationOpen } = this.props;
    return !(
      next.item.kind === item.kind &&
      next.item.isFirst === item.isFirst &&
      next.item.isLast === item.isLast &&
      contentOf(next.item) === contentOf(item) &&
      next.formState?.status === formState?.status &&
      next.submission === submission &&
      next.isConversationOpen === isConversationOpen
    );
  }

  override render(): JSX.Element {
    const { item } = this.props;
    if (item.kind === 'greeting') return <Bubble item={item} author="bot" body={<RichText text={item.text} />} />;
    if (item.kind === 'pending') {
      const { entry } = item;
      const body = <RichText text={entry.text} isPlain />;
      return <Bubble item={item} author="user" date={new Date(entry.createdAt)} body={body} entry={entry} />;
    }
    return this.message(item, item.message);
  }

  private message(item: Row, message: Message): JSX.Element {
    const { formState, submission, isConversationOpen } = this.props;
    const isUser = message.role === 'user';
    const agent = isByAgent(message) ? (message.metadata.agentName ?? '') : null;
    return (
      <Bubble
        item={item}
        author={isUser ? 'user' : agent === null ? 'bot' : 'agent'}
        agentName={agent}
        date={new Date(message.createdAt)}
        body={<RichText text={message.content} isPlain={isUser} />}
      >
        <Sources message={message} />
        {message.form && formState && (
          <FormCard form={message.form} formState={formState} submission={submission} isOpen={isConversationOpen} />
        )}
      </Bubble>
    );
  }
}

const contentOf = (item: Row): unknown =>
  item.kind === 'greeting' ? item.text : item.kind === 'pending' ? item.entry : item.message;

interface BubbleProps {
  item: Row;
  author: 'user' | 'bot' | 'agent';
  agentName?: string | null;
  date?: Date;
  body: JSX.Element;
  entry?: OutboxEntry;
  children?: ComponentChildren;
}

function Bubble({ item, author, agentName, date, body, entry, children }: BubbleProps): JSX.Element {
  const { ui, bot } = useChat();
  const { strings, locale } = ui;
  const name = author === 'user' ? strings.you : author === 'agent' ? agentName || strings.team : bot.name;
  const edges = `${item.isFirst ? ' is-first' : ''}${item.isLast ? ' is-last' : ''}`;
  return (
    <div class={`row row-${author}${edges}`}>
      {author !== 'user' && item.isFirst && (
        <Avatar name={name} logo={author === 'bot' ? bot.logo : null} kind={author} />
      )}
      <div class="stack">
        {author === 'agent' && item.isFirst ? (
          <span class="author">
            <bdi>{name}</bdi> · {strings.team}
          </span>
        ) : (
          <span class="hidden">{name}: </span>
        )}
        <div class="bubble">{body}</div>
        {children}
        {entry && <EntryStatus entry={entry} />}
        {date && item.isLast && (!entry || entry.state === 'sending') && (
          <time dateTime={Number.isNaN(date.getTime()) ? undefined : date.toISOString()}>{timeOf(date, locale)}</time>
        )}
      </div>
    </div>
  );
}

/** The delivery status of a message that the server has not accepted yet, with a retry button. */
function EntryStatus({ entry }: { entry: OutboxEntry }): JSX.Element | null {
  const { ui, session } = useChat();
  const { strings } = ui;
  if (entry.state === 'sending') return null;
  const isRefused = entry.state === 'failed';
  return (
    <div class={`entry-status${isRefused ? ' is-refused' : ''}`}>
      <span>{statusText(entry, strings)}</span>
      {(isRefused || entry.failures > 0) && (
        <button type="button" class="link" onClick={() => session.outbox.retry(entry.key)}>
          {strings.retry}
        </button>
      )}
      {isRefused && (
        <button type="button" class="link" onClick={() => session.outbox.remove(entry.key)}>
          {strings.remove}
        </button>
      )}
    </div>
  );
}

function statusText({ state, error, failures }: OutboxEntry, strings: ReturnType<typeof useChat>['ui']['strings']) {
  if (state === 'failed') return error === 'CONVERSATION_CLOSED' ? strings.endedOnSend : strings.notAccepted;
  if (error === 'RATE_LIMITED') return strings.tooMany;
  if (failures > 0) return strings.retrying;
  return strings.queued;
}

function Sources({ message }: { message: Message }): JSX.Element | null {
  const { strings } = useChat().ui;
  const sources = message.role === 'assistant' ? message.metadata?.sources : undefined;
  if (!Array.isArray(sources) || sources.length === 0) return null;
  return (
    <div class="sources">
      <span>{strings.sources}</span>
      <ul>
        {sources.map(({ title, url }) => {
          const href = typeof url === 'string' ? safeLink(url) : null;
          return (
            <li dir="auto">
              {href === null ? (
                String(title)
              ) : (
                <SafeAnchor href={href} newTab={strings.newTab}>
                  {String(title)}
                </SafeAnchor>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
