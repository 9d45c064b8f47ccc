import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button';
import { CopyField } from '../../components/copy-field';
import { Dialog } from '../../components/dialog';
import { ErrorState, SkeletonRows } from '../../components/states';
import { strings } from '../../strings';
import { timelineQuery } from './message-queries';
import { StatusBadge } from './status-badge';
import { TimelineList } from './timeline-list';

const texts = strings.messages;

/** What happened to a message. */
export function MessageDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const timeline = useQuery(timelineQuery(id));
  return (
    <Dialog title={texts.details} isOpen onClose={onClose}>
      {timeline.isPending && <SkeletonRows />}
      {timeline.isError && <ErrorState error={timeline.error} onRetry={() => void timeline.refetch()} />}
      {timeline.isSuccess && (
        <>
          <div className="row">
            <StatusBadge status={timeline.data.status} />
            <span className="muted">{strings.channels[timeline.data.channel]}</span>
          </div>
          <CopyField value={id} label={texts.id} />
          <h3>{texts.timeline}</h3>
          <TimelineList events={timeline.data.events} />
        </>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{strings.actions.close}</Button>
      </div>
    </Dialog>
  );
}
