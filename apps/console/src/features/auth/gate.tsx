import type { ReactNode } from 'react';
import { usePageTitle } from '../../shell/page-title';
import { Brand } from '../../shell/brand';

/** The frame of the pages before the sign-in. */
export function Gate({ title, foot, children }: { title: string; foot?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="gate">
      <Brand />
      <div className="card gate-card">
        <h1>{title}</h1>
        {children}
      </div>
      {foot !== undefined && <div className="gate-foot row">{foot}</div>}
    </main>
  );
}
