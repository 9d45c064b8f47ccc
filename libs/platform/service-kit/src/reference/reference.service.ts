import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ApiView,
  arrange,
  ASSET_NAMES,
  guideAddress,
  guideAsMarkdown,
  llmsText,
  loadHighlight,
  pageAddress,
  pageAsMarkdown,
  renderApi,
  renderGroup,
  renderGuide,
  renderMarkdown,
  renderOverview,
  renderPage,
  renderResource,
  renderSearch,
  SearchIndex,
  withBaseUrl,
  type ApiLink,
  type ApiSource,
  type Found,
  type Guide,
  type GuideGroup,
  type OutlineGroup,
  type PageFrame,
  type ReferenceGroup,
  type ReferencePage,
} from '@heliograph/api-reference';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import type { ServiceConfig } from '../config/service.config';
import { CONFIG } from '../tokens';

/** An API of the reference. */
export interface ReferenceApi extends ApiLink {
  /** Throws if the document cannot be read now. */
  read: () => OpenAPIObject | Promise<OpenAPIObject>;
  /** Operations of paths with this prefix are described by another API. */
  omits?: string;
}

/** The pages of the documents that are available. It is replaced when a document changes. */
interface Arrangement {
  sources: readonly ApiSource[];
  /** APIs whose documents cannot be read now. */
  unavailable: readonly ApiLink[];
  groups: readonly ReferenceGroup[];
  index: SearchIndex;
  /** Rendered pages of resources. */
  pages: Map<ReferencePage, string>;
}

/** The API reference: the API of the service, and those that its features register. */
@Injectable()
export class ReferenceService {
  private apis: readonly ReferenceApi[] = [];
  private guides: readonly GuideGroup[] = [];
  private outline: readonly OutlineGroup[] = [];
  private readonly pagesOfGuides = new Map<Guide, Promise<string>>();
  /** The views by API. A view is replaced when the API has another document. */
  private readonly views = new Map<string, ApiView>();
  private known: Arrangement | undefined;
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) { PUBLIC_BASE_URL, PORT }: ServiceConfig) {
    this.baseUrl = (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
  }

  /** Sets the APIs in display order, and the pages of their operations. Default: the API of the service, with a page for each tag. */
  show(apis: readonly ReferenceApi[], outline: readonly OutlineGroup[] = []): void {
    this.apis = apis;
    this.outline = outline;
  }

  /** Sets the guides of the documentation. Default: none. The first one introduces the start page. */
  showGuides(guides: readonly GuideGroup[]): void {
    this.guides = guides;
  }

  /** The page of a guide, rendered once. */
  async guide(slug: string): Promise<string> {
    const guide = this.findGuide(slug);
    let page = this.pagesOfGuides.get(guide);
    if (!page) {
      page = this.renderGuide(guide);
      this.pagesOfGuides.set(guide, page);
    }
    return page;
  }

  guideAsMarkdown(slug: string): string {
    return guideAsMarkdown(this.findGuide(slug), this.baseUrl);
  }

  /** The list of all pages for language models. */
  async llmsText(): Promise<string> {
    const { groups } = await this.arrangement();
    return llmsText(this.guides, groups, this.apis, this.baseUrl);
  }

  /** The document of an API. */
  async document(id: string): Promise<OpenAPIObject> {
    return this.findApi(id).read();
  }

  /** The start page; with a single API, the page of that API. */
  async overview(): Promise<string> {
    const [only, ...others] = this.apis;
    if (only && others.length === 0) return this.api(only.id);
    const { groups } = await this.arrangement();
    const introduction = this.guides[0]?.guides[0];
    const rendered = introduction ? await this.markdownOf(introduction) : null;
    return this.page({
      title: 'Heliograph documentation',
      description: 'Guides and reference of the HTTP APIs of Heliograph.',
      groups,
      main: renderOverview(rendered?.body ?? null, this.apis, this.guides, groups),
    });
  }

  /** The page of a group of resources, or of an API. */
  async section(name: string): Promise<string> {
    const { groups } = await this.arrangement();
    const group = groups.find(({ slug }) => slug === name);
    if (!group || this.apis.some(({ id }) => id === name)) return this.api(name);
    return this.page({
      title: `${group.title} – API reference`,
      description: group.description,
      section: name,
      groups,
      main: renderGroup(group),
    });
  }

  async api(id: string): Promise<string> {
    const api = this.findApi(id);
    const view = await this.viewOf(api);
    const { groups } = await this.arrangement();
    return this.page({
      title: `${api.title} – API reference`,
      description: api.description,
      section: id,
      groups,
      main: renderApi(view, id, groups),
    });
  }

  /** The page of a resource, rendered once. Throws SERVICE_UNAVAILABLE if the documents of all its operations are missing. */
  async resource(group: string, slug: string): Promise<string> {
    const arrangement = await this.arrangement();
    const { page, unavailable } = findPage(arrangement, group, slug);
    const rendered = arrangement.pages.get(page) ?? (await this.renderResource(page, arrangement, unavailable));
    arrangement.pages.set(page, rendered);
    return rendered;
  }

  async resourceAsMarkdown(group: string, slug: string): Promise<string> {
    const { page } = findPage(await this.arrangement(), group, slug);
    return pageAsMarkdown(page, this.baseUrl);
  }

  /** Searches the guides and the APIs whose documents are available. */
  async search(query: string): Promise<Found[]> {
    const { index } = await this.arrangement();
    return index.find(query);
  }

  async searchPage(query: string): Promise<string> {
    const { groups, index } = await this.arrangement();
    const main = renderSearch(query, index.find(query));
    return this.page({
      title: 'Search – Heliograph',
      description: 'Search of the documentation.',
      query,
      groups,
      main,
    });
  }

  page(frame: Omit<PageFrame, 'apis' | 'guides' | 'groups' | 'assets'> & Partial<Pick<PageFrame, 'groups'>>): string {
    const { groups = this.known?.groups ?? [] } = frame;
    return renderPage({ ...frame, groups, apis: this.apis, guides: this.guides, assets: ASSET_NAMES });
  }

  private async renderResource(
    page: ReferencePage,
    { groups }: Arrangement,
    unavailable: readonly string[],
  ): Promise<string> {
    const highlight = await loadHighlight();
    const context = { baseUrl: this.baseUrl, highlight, hasGuides: this.guides.length > 0 };
    return this.page({
      title: `${page.title} – ${page.group.title} – Heliograph`,
      description: page.description,
      section: page.group.slug,
      resource: page,
      markdown: `${pageAddress(page)}.md`,
      groups,
      main: renderResource(page, context, unavailable),
    });
  }

  private async renderGuide(guide: Guide): Promise<string> {
    const { groups } = await this.arrangement();
    return this.page({
      title: `${guide.title} – Heliograph`,
      description: guide.description,
      guide,
      markdown: `${guideAddress(guide)}.md`,
      groups,
      main: renderGuide(guide, await this.markdownOf(guide), this.guides),
    });
  }

  private markdownOf(guide: Guide): ReturnType<typeof renderMarkdown> {
    return renderMarkdown(guide.markdown, {
      // Guides refer to each other by file name, which also works in the repository.
      linkOf: (href) =>
        withBaseUrl(href, this.baseUrl).replace(/^([\w-]+)\.md(?=#|$)/, (_, slug: string) => guideAddress({ slug })),
      adaptCode: (code) => withBaseUrl(code, this.baseUrl),
    });
  }

  private findGuide(slug: string): Guide {
    const guide = this.guides.flatMap(({ guides }) => guides).find((one) => one.slug === slug);
    if (!guide) throw notFound();
    return guide;
  }

  private findApi(id: string): ReferenceApi {
    const api = this.apis.find((one) => one.id === id);
    if (!api) throw notFound();
    return api;
  }

  private async arrangement(): Promise<Arrangement> {
    const read = await Promise.allSettled(this.apis.map((api) => this.viewOf(api)));
    const sources: ApiSource[] = [];
    const unavailable: ApiLink[] = [];
    for (const [at, api] of this.apis.entries()) {
      const result = read[at];
      if (result?.status === 'fulfilled') sources.push({ id: api.id, title: api.title, view: result.value });
      else unavailable.push(api);
    }
    const { known } = this;
    const isSame =
      known?.sources.length === sources.length && known.sources.every(({ view }, at) => view === sources[at]?.view);
    if (known && isSame) return known;
    const groups = arrange(sources, this.outline);
    const index = new SearchIndex(this.guides, groups);
    this.known = { sources, unavailable, groups, index, pages: new Map() };
    // Their menus list the pages of the reference.
    this.pagesOfGuides.clear();
    return this.known;
  }

  private async viewOf({ id, read, omits }: ReferenceApi): Promise<ApiView> {
    const document = await read();
    const known = this.views.get(id);
    if (known?.document === document) return known;
    const view = new ApiView(document, omits);
    this.views.set(id, view);
    return view;
  }
}

function findPage(
  { groups, unavailable }: Arrangement,
  group: string,
  slug: string,
): { page: ReferencePage; unavailable: string[] } {
  const page = groups.find((one) => one.slug === group)?.pages.find((one) => one.slug === slug);
  if (!page) throw notFound();
  const missing = unavailable.filter(({ id }) => page.apis.includes(id)).map(({ title }) => title);
  if (page.operations.length === 0) throw missing.length > 0 ? serviceUnavailable(missing.join(', ')) : notFound();
  return { page, unavailable: missing };
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'The documentation has no such page.');
}
