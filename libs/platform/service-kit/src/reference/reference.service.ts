import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ApiView,
  ASSET_NAMES,
  guideAsMarkdown,
  html,
  llmsText,
  loadHighlight,
  renderApi,
  renderGuide,
  renderMarkdown,
  renderOperation,
  renderOverview,
  renderPage,
  renderSearch,
  search,
  withBaseUrl,
  type ApiLink,
  type Found,
  type Guide,
  type GuideGroup,
  type PageFrame,
} from '@heliograph/api-reference';
import { AppError } from '@heliograph/errors';
import type { ServiceConfig } from '../config/service.config';
import { CONFIG } from '../tokens';

/** An API of the reference. */
export interface ReferenceApi extends ApiLink {
  /** Throws if the document cannot be read now. */
  read: () => OpenAPIObject | Promise<OpenAPIObject>;
  /** Operations of paths with this prefix are described by another API. */
  omits?: string;
}

/** The API reference: the API of the service, and those that its features register. */
@Injectable()
export class ReferenceService {
  private apis: readonly ReferenceApi[] = [];
  private groups: readonly GuideGroup[] = [];
  private readonly pagesOfGuides = new Map<Guide, Promise<string>>();
  /** The views by API. A view is replaced when the API has another document. */
  private readonly views = new Map<string, ApiView>();
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) { PUBLIC_BASE_URL, PORT }: ServiceConfig) {
    this.baseUrl = (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
  }

  /** Sets the APIs in display order. Default: the API of the service. */
  show(apis: readonly ReferenceApi[]): void {
    this.apis = apis;
  }

  /** Sets the guides of the documentation. Default: none. */
  showGuides(groups: readonly GuideGroup[]): void {
    this.groups = groups;
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
  llmsText(): string {
    return llmsText(this.groups, this.apis, this.baseUrl);
  }

  /** The document of an API. */
  async document(id: string): Promise<OpenAPIObject> {
    return this.find(id).read();
  }

  /** The page that lists all APIs; with a single API, the page of that API. */
  async overview(): Promise<string> {
    const [only, ...others] = this.apis;
    if (only && others.length === 0) return this.api(only.id);
    return this.page({
      title: 'Heliograph documentation',
      description: 'Guides and reference of the HTTP APIs of Heliograph.',
      main: renderOverview(this.apis, this.groups),
    });
  }

  async api(id: string): Promise<string> {
    const api = this.find(id);
    const view = await this.viewOf(api);
    return this.page({
      title: `${api.title} – API reference`,
      description: api.description,
      current: { id, sections: view.sections },
      main: renderApi(view, id),
    });
  }

  async section(id: string, slug: string): Promise<string> {
    const api = this.find(id);
    const view = await this.viewOf(api);
    const section = view.section(slug);
    if (!section) throw notFound();
    const highlight = await loadHighlight();
    const operations = section.operations.map((operation) => renderOperation(view, operation, this.baseUrl, highlight));
    return this.page({
      title: `${section.title} – ${api.title}`,
      description: `${api.title}: ${section.operations.map(({ operation }) => operation.summary).join('. ')}`.slice(
        0,
        300,
      ),
      current: { id, sections: view.sections, section: slug },
      main: html`<h1>${section.title}</h1>
        ${operations}`,
    });
  }

  /** Searches the APIs whose documents are available. */
  async search(query: string): Promise<Found[]> {
    const read = await Promise.allSettled(
      this.apis.map(async (api) => ({ id: api.id, title: api.title, view: await this.viewOf(api) })),
    );
    return search(
      read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      this.groups,
      query,
    );
  }

  async searchPage(query: string): Promise<string> {
    const main = renderSearch(query, await this.search(query));
    return this.page({ title: 'Search – Heliograph', description: 'Search of the documentation.', query, main });
  }

  page(frame: Omit<PageFrame, 'apis' | 'groups' | 'assets'>): string {
    return renderPage({ ...frame, apis: this.apis, groups: this.groups, assets: ASSET_NAMES });
  }

  private async renderGuide(guide: Guide): Promise<string> {
    const rendered = await renderMarkdown(guide.markdown, {
      // Guides refer to each other by file name, which also works in the repository.
      linkOf: (href) => withBaseUrl(href, this.baseUrl).replace(/^([\w-]+)\.md(?=#|$)/, '$1'),
      adaptCode: (code) => withBaseUrl(code, this.baseUrl),
    });
    return this.page({
      title: `${guide.title} – Heliograph`,
      description: guide.description,
      guide,
      main: renderGuide(guide, rendered, this.groups),
    });
  }

  private findGuide(slug: string): Guide {
    const guide = this.groups.flatMap(({ guides }) => guides).find((one) => one.slug === slug);
    if (!guide) throw notFound();
    return guide;
  }

  private find(id: string): ReferenceApi {
    const api = this.apis.find((one) => one.id === id);
    if (!api) throw notFound();
    return api;
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

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'The documentation has no such page.');
}
