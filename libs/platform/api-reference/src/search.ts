import { isReference, type ApiView, type Operation, type SchemaOrReference } from './api-view';
import { parametersOf } from './curl-sample';
import type { GuideGroup } from './guides/guide';
import { guideAddress } from './guides/render-guides';
import { sectionsOf } from './guides/sections';
import { pageAddress, type ReferenceGroup, type ReferencePage } from './outline';
import { shapeOf } from './schema-shape';

/** An operation, or a section of a guide, whose method and path are empty. */
export interface Found {
  url: string;
  method: string;
  path: string;
  summary: string;
  /** The title of the guide, or those of the group and the page of the operation. */
  api: string;
}

interface Ranked {
  /** The number of words that are in the text only. */
  rank: number;
  result: Found;
}

const MAX_RESULTS = 50;

/** What the search finds: the sections of guides and the operations with the names of their fields. */
export class SearchIndex {
  private readonly candidates: readonly Candidate[];

  constructor(guides: readonly GuideGroup[], groups: readonly ReferenceGroup[]) {
    this.candidates = [
      ...sectionCandidates(guides),
      ...groups.flatMap(({ pages }) => pages.flatMap((page) => operationCandidates(page))),
    ];
  }

  /** The entries that contain every word of the query, those with the words in the heading first. */
  find(query: string): Found[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found: Ranked[] = [];
    for (const { heading, text, result } of this.candidates) {
      if (!words.every((word) => heading.includes(word) || text.includes(word))) continue;
      found.push({ rank: words.filter((word) => !heading.includes(word)).length, result });
    }
    return found
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MAX_RESULTS)
      .map(({ result }) => result);
  }
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

function operationCandidates(page: ReferencePage): Candidate[] {
  const { title, description: about, group, operations } = page;
  return operations.map(({ anchor, method, path, operation, api }) => {
    const { summary = '', description = '' } = operation;
    const words = [title, about, group.title, api.title, description, ...fieldsOf(api.view, operation)];
    return {
      heading: `${summary} ${method} ${path} ${operation.operationId ?? ''}`.toLowerCase(),
      text: words.join(' ').toLowerCase(),
      result: { url: `${pageAddress(page)}#${anchor}`, method, path, summary, api: `${group.title}: ${title}` },
    };
  });
}

/** The names and descriptions of the parameters and of the fields of the bodies, and the error codes. */
function fieldsOf(api: ApiView, operation: Operation): string[] {
  const words: string[] = [];
  const known = new Set<SchemaOrReference>();
  const follow = (given: SchemaOrReference): void => {
    const { schema, items, values, alternatives, properties } = shapeOf(api, given);
    const { schema: resolved } = api.resolve(given);
    if (known.has(resolved)) return;
    known.add(resolved);
    words.push(schema.description ?? '', ...(schema.enum ?? []).map(String));
    for (const [name, field] of properties) {
      words.push(name);
      follow(field);
    }
    for (const inner of [items, values, ...alternatives]) if (inner) follow(inner);
  };
  for (const { name, description = '' } of parametersOf(operation)) words.push(name, description);
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  for (const body of bodies) {
    if (!body || isReference(body)) continue;
    words.push(body.description ?? '');
    for (const { schema } of Object.values(body.content ?? {})) if (schema) follow(schema);
  }
  return words;
}
