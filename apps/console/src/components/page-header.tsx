import type { ReactNode } from 'react';
import { usePageTitle } from '../shell/page-title';

/** The heading of a screen, what it is for, and its main action. */
export function PageHeader({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <header className="row-between">
      <div className="stack-tight page-heading">
        <h1>{title}</h1>
        {text !== undefined && <p className="muted">{text}</p>}
      </div>
      {children}
    </header>
  );
}
