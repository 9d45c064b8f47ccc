import type { TimelineEvent } from '@heliograph/sdk';
import { classNames } from '../../components/class-names';
import { Time } from '../../components/time';
import { strings } from '../../strings';

const FAILURES: ReadonlySet<string> = new Set(['failed', 'bounced', 'complained', 'webhook_failed']);
const SUCCESSES: ReadonlySet<string> = new Set(['delivered', 'read', 'answered', 'webhook_delivered']);

/** The events of a message, oldest first. The details are those of the API. */
export function TimelineList({ events }: { events: readonly TimelineEvent[] }) {
  return (
    <ol className="timeline">
      {events.map((event, index) => (
        <li
          key={index}
          className={classNames(
            'timeline-event',
            FAILURES.has(event.type) && 'timeline-failure',
            SUCCESSES.has(event.type) && 'timeline-success',
          )}
        >
          <p>{event.summary}</p>
          <p className="field-hint">
            <Time value={event.at} form="absolute" />
          </p>
          {Object.keys(event.details).length > 0 && (
            <details>
              <summary>{strings.messages.eventDetails}</summary>
              <pre tabIndex={0}>{JSON.stringify(event.details, null, 2)}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
