import { slugOf, type ApiView, type OperationView } from './api-view';
import { ROOT } from './root';

/** A group of pages, such as those of a channel. */
export interface OutlineGroup {
  slug: string;
  title: string;
  description: string;
  /** The readers. Groups for operators are listed in a separate part. Default: customers. */
  audience?: 'operators';
  pages: readonly OutlinePage[];
}

/** A page about one resource. */
export interface OutlinePage {
  slug: string;
  title: string;
  /** One sentence. */
  description: string;
  /**
   * The paths of its operations by the ids of their APIs, in reading order. A path includes those below it, except for those that another
   * page names.
   */
  paths: Readonly<Record<string, readonly string[]>>;
}

/** An API whose document is available. */
export interface ApiSource {
  id: string;
  title: string;
  view: ApiView;
}

/** An operation on a page, which may show several APIs. */
export interface PageOperation extends OperationView {
  api: ApiSource;
}

export interface ReferencePage {
  group: Pick<OutlineGroup, 'slug' | 'title'>;
  slug: string;
  title: string;
  description: string;
  operations: readonly PageOperation[];
  /** The ids of its APIs. */
  apis: readonly string[];
}

export interface ReferenceGroup extends Omit<OutlineGroup, 'pages'> {
  pages: readonly ReferencePage[];
}

export const pageAddress = ({ group, slug }: Pick<ReferencePage, 'group' | 'slug'>): string =>
  `${ROOT}/${group.slug}/${slug}`;

/**
 * Arranges the operations of all APIs on the pages of an outline. Operations that the outline does not name are shown in a group of
 * their API, on pages by tag. An operation that several APIs serve, such as `GET /api/me`, is shown once.
 */
export function arrange(sources: readonly ApiSource[], outline: readonly OutlineGroup[]): ReferenceGroup[] {
  const rest = new Map(sources.map((source) => [source.id, new Set(source.view.operations)]));
  const shown = new Set<string>();
  const groups = outline.map((group) => ({
    ...group,
    pages: group.pages.map((page) => {
      const found = Object.entries(page.paths).flatMap(([id, paths]) => {
        const source = sources.find((one) => one.id === id);
        if (!source) return [];
        return paths.flatMap((path) =>
          source.view.operations
            .filter((operation) => isAt(operation, path) && ownerOf(outline, id, operation) === path)
            .map((operation) => ({ ...operation, api: source, original: operation })),
        );
      });
      for (const { api, original } of found) {
        rest.get(api.id)?.delete(original);
        shown.add(keyOf(original));
      }
      const operations = found.map(({ original: _, ...operation }) => operation);
      const { slug, title, description } = page;
      return { group, slug, title, description, operations: withAnchors(operations), apis: Object.keys(page.paths) };
    }),
  }));
  const others = sources.flatMap((source) => {
    const operations = [...(rest.get(source.id) ?? [])].filter((operation) => !shown.has(keyOf(operation)));
    return operations.length > 0 ? [groupByTag(source, operations)] : [];
  });
  return [...groups, ...others];
}

const keyOf = ({ method, path }: OperationView): string => `${method} ${path}`;

function isAt({ path }: OperationView, prefix: string): boolean {
  return path.startsWith(prefix) && ['', '/', '.'].includes(path.charAt(prefix.length));
}

/** The longest path of the outline that includes an operation. */
function ownerOf(outline: readonly OutlineGroup[], api: string, operation: OperationView): string | undefined {
  return outline
    .flatMap(({ pages }) => pages.flatMap(({ paths }) => paths[api] ?? []))
    .filter((path) => isAt(operation, path))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Services may use the same operation ids. */
function withAnchors(operations: readonly PageOperation[]): PageOperation[] {
  const used = new Set<string>();
  return operations.map((operation) => {
    const anchor = used.has(operation.anchor) ? `${operation.api.id}-${operation.anchor}` : operation.anchor;
    used.add(anchor);
    return { ...operation, anchor };
  });
}

function groupByTag(api: ApiSource, operations: readonly OperationView[]): ReferenceGroup {
  const group = { slug: api.id, title: api.title };
  const byTag = new Map<string, PageOperation[]>();
  for (const operation of operations) {
    const title = titleOf(operation.operation.tags?.[0] ?? 'Operations');
    byTag.set(title, [...(byTag.get(title) ?? []), { ...operation, api }]);
  }
  const pages = [...byTag].map(([title, of]) => ({
    group,
    slug: slugOf(title),
    title,
    description: `${api.title}: ${title}.`,
    operations: of,
    apis: [api.id],
  }));
  return { ...group, description: api.view.document.info.description ?? '', pages };
}

/** Removes the marker of the v1 API in a tag. */
function titleOf(tag: string): string {
  const title = tag.replace(/^v1: /, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
