import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

export type Tone = 'info' | 'success' | 'warning' | 'danger';

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

/** A message within a page. Problems are announced at once. */
export function Callout({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={classNames('callout', `callout-${tone}`)} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={20} aria-hidden />
      <div className="stack-tight">{children}</div>
    </div>
  );
}
