import type { ApiView } from './api-view';
import { ROOT } from './render-page';

export interface Found {
  url: string;
  method: string;
  path: string;
  summary: string;
  /** Title of the API. */
  api: string;
}

const MAX_RESULTS = 50;

/** The operations that contain every word of the query, those with the words in the summary or path first. */
export function search(apis: readonly { id: string; title: string; view: ApiView }[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: { rank: number; result: Found }[] = [];
  for (const { id, title: api, view } of apis) {
    for (const { slug, title, operations } of view.sections) {
      for (const { anchor, method, path, operation } of operations) {
        const { summary = '', description = '' } = operation;
        const heading = `${summary} ${method} ${path} ${anchor}`.toLowerCase();
        const text = `${heading} ${title} ${api} ${description}`.toLowerCase();
        if (!words.every((word) => text.includes(word))) continue;
        const rank = words.filter((word) => !heading.includes(word)).length;
        found.push({ rank, result: { url: `${ROOT}/${id}/${slug}#${anchor}`, method, path, summary, api } });
      }
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_RESULTS)
    .map(({ result }) => result);
}
