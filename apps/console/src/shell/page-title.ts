import { useEffect } from 'react';
import { strings } from '../strings';

/** Names the tab of the browser. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${strings.product}`;
  }, [title]);
}
