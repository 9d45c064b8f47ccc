import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../components/button';
import { ErrorCallout } from '../../components/error-callout';

/** A form with one button. Enter submits it. */
export function AuthForm({
  submitLabel,
  isPending,
  error,
  onSubmit,
  children,
}: {
  submitLabel: string;
  isPending: boolean;
  /** A problem that belongs to no field. */
  error: unknown;
  onSubmit: (fields: FormData) => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isPending) onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {children}
      <ErrorCallout error={error} />
      <Button type="submit" variant="primary" isWide isPending={isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** The text of a field of a form. */
export function fieldOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
