import { Badge, type BadgeTone } from '../../components/badge';
import { strings } from '../../strings';

const TONES: Readonly<Record<string, BadgeTone>> = {
  sent: 'info',
  delivered: 'success',
  read: 'success',
  bounced: 'danger',
  failed: 'danger',
  skipped: 'warning',
};

const texts: Readonly<Record<string, string>> = strings.messages.statuses;

/** The status of a message. A status that this version does not know is shown as it is. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{texts[status] ?? status}</Badge>;
}
