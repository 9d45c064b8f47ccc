import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ApiView,
  ASSET_NAMES,
  html,
  renderApi,
  renderOperation,
  renderOverview,
  renderPage,
  renderSearch,
  search,
  type ApiLink,
  type Found,
  type Html,
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

  /** The document of an API. */
  async document(id: string): Promise<OpenAPIObject> {
    return this.find(id).read();
  }

  /** The page that lists all APIs; with a single API, the page of that API. */
  async overview(): Promise<string> {
    const [only, ...others] = this.apis;
    if (only && others.length === 0) return this.api(only.id);
    return this.page({
      title: 'API reference',
      description: 'Reference of the HTTP APIs of Heliograph.',
      main: renderOverview(this.apis),
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
    const operations: Html[] = section.operations.map((operation) => renderOperation(view, operation, this.baseUrl));
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
      query,
    );
  }

  async searchPage(query: string): Promise<string> {
    const main = renderSearch(query, await this.search(query));
    return this.page({ title: 'Search – API reference', description: 'Search of the API reference.', query, main });
  }

  page(frame: Omit<PageFrame, 'apis' | 'assets'>): string {
    return renderPage({ ...frame, apis: this.apis, assets: ASSET_NAMES });
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
  return new AppError('NOT_FOUND', 'The API reference has no such page.');
}
