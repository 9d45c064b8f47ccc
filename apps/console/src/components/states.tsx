import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '@heliograph/sdk';
import { messageOf } from '../app/api-error';
import { strings } from '../strings';
import { Button } from './button';

/** What a list without entries says: why, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon;
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon size={22} aria-hidden />
      </span>
      <h2>{title}</h2>
      {text !== undefined && <p className="muted">{text}</p>}
      {children}
    </div>
  );
}

/** What a part of a page shows that could not be loaded. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <span className="state-icon">
        <CircleAlert size={22} aria-hidden />
      </span>
      <h2>{strings.errors.title}</h2>
      <p className="muted">{messageOf(error)}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className="muted">{strings.errors.request(error.requestId)}</p>
      )}
      <Button onPress={onRetry}>{strings.actions.retry}</Button>
    </div>
  );
}

/** The place of rows that are being loaded. */
export function SkeletonRows({ count = 5 }: { count?: number }) {
  return (
    <div className="card card-padded stack" role="status" aria-label={strings.loading}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="skeleton" />
      ))}
    </div>
  );
}
