import { classNames } from './class-names';

export type BadgeTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

/** A state in a word. Its color repeats what the word says. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: string }) {
  return <span className={classNames('badge', tone !== 'neutral' && `badge-${tone}`)}>{children}</span>;
}
