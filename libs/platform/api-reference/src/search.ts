import type { ApiView } from './api-view';
import { parametersOf } from './curl-sample';
import type { GuideGroup } from './guides/guide';
import { guideAddress } from './guides/render-guides';
import { sectionsOf } from './guides/sections';
import { ROOT } from './root';

/** An operation, or a section of a guide, whose method and path are empty. */
export interface Found {
  url: string;
  method: string;
  path: string;
  summary: string;
  /** Title of the API or of the guide. */
  api: string;
}

interface Ranked {
  /** The number of words that are in the text only. */
  rank: number;
  result: Found;
}

const MAX_RESULTS = 50;

/**
 * The sections of guides and the operations that contain every word of the query, those with the words in the heading first. The text
 * of an operation includes the names of its parameters.
 */
export function search(
  apis: readonly { id: string; title: string; view: ApiView }[],
  groups: readonly GuideGroup[],
  query: string,
): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const candidates = [...sectionCandidates(groups), ...apis.flatMap(operationCandidates)];
  const found: Ranked[] = [];
  for (const { heading, text, result } of candidates) {
    if (!words.every((word) => heading.includes(word) || text.includes(word))) continue;
    found.push({ rank: words.filter((word) => !heading.includes(word)).length, result });
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_RESULTS)
    .map(({ result }) => result);
}

interface Candidate {
  /** In lower case. */
  heading: string;
  /** In lower case. */
  text: string;
  result: Found;
}

function sectionCandidates(groups: readonly GuideGroup[]): Candidate[] {
  return groups.flatMap(({ guides }) =>
    guides.flatMap((guide) =>
      sectionsOf(guide).map(({ anchor, title, text }) => ({
        heading: `${title} ${guide.title}`.toLowerCase(),
        text: text.toLowerCase(),
        result: {
          url: `${guideAddress(guide)}${anchor && `#${anchor}`}`,
          method: '',
          path: '',
          summary: title,
          api: guide.title,
        },
      })),
    ),
  );
}

function operationCandidates({ id, title: api, view }: { id: string; title: string; view: ApiView }): Candidate[] {
  return view.sections.flatMap(({ slug, title, operations }) =>
    operations.map(({ anchor, method, path, operation }) => {
      const { summary = '', description = '' } = operation;
      const parameters = parametersOf(operation).map(({ name }) => name);
      return {
        heading: `${summary} ${method} ${path} ${anchor}`.toLowerCase(),
        text: `${title} ${api} ${description} ${parameters.join(' ')}`.toLowerCase(),
        result: { url: `${ROOT}/${id}/${slug}#${anchor}`, method, path, summary, api },
      };
    }),
  );
}
