import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiDescription, CONFIG, V1_PREFIX, withUsedSchemes } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../account-api.config';
import { ServiceDocuments, type ApiDocument } from './service-documents';

interface Part {
  /** Prefix of the schema names, because services have different schemas with the same name. */
  name: string;
  url: string | undefined;
}

const SCHEMAS = '#/components/schemas/';

/** Combines the operations of the v1 API of all services in one OpenAPI document. */
@Injectable()
export class V1ReferenceService implements OnApplicationBootstrap {
  private readonly parts: readonly Part[];
  private known: { documents: ApiDocument[]; document: ApiDocument } | undefined;

  constructor(
    private readonly own: ApiDescription,
    private readonly documents: ServiceDocuments,
    @Inject(CONFIG) { SMS_API_URL, EMAIL_API_URL }: AccountApiConfig,
  ) {
    this.parts = [
      { name: 'Sms', url: SMS_API_URL },
      { name: 'Email', url: EMAIL_API_URL },
    ];
  }

  /** Reads the documents before the first call. A service that is not ready yet is read by that call. */
  onApplicationBootstrap(): void {
    void this.document().catch(() => undefined);
  }

  /** Throws SERVICE_UNAVAILABLE if the document of a service could not be read yet. */
  async document(): Promise<ApiDocument> {
    const parts = this.parts.flatMap(({ name, url }) => (url === undefined ? [] : [{ name, url }]));
    const documents = await Promise.all(parts.map(({ url }) => this.documents.read(url)));
    if (this.known && documents.every((document, at) => document === this.known?.documents[at])) {
      return this.known.document;
    }
    const merged = v1Part(this.own.read(), '');
    for (const [at, document] of documents.entries()) {
      const { paths, components } = v1Part(document, parts[at]?.name ?? '');
      Object.assign(merged.paths, paths);
      Object.assign(merged.components?.schemas ?? {}, components?.schemas);
    }
    const info = { title: 'Heliograph API v1', description: 'SMS, email, contacts and campaigns.', version: '1.0.0' };
    const document = withUsedSchemes({ ...merged, info, servers: [{ url: '/' }] });
    this.known = { documents, document };
    return document;
  }
}

/** Returns the operations of the v1 API with the schemas that they use. */
function v1Part(document: ApiDocument, prefix: string): ApiDocument {
  const renamed = JSON.parse(JSON.stringify(document).replaceAll(`"${SCHEMAS}`, `"${SCHEMAS}${prefix}`)) as ApiDocument;
  const paths = Object.entries(renamed.paths).filter(([path]) => path.startsWith(V1_PREFIX));
  const schemas = new Map(
    Object.entries(renamed.components?.schemas ?? {}).map(([name, schema]) => [`${prefix}${name}`, schema] as const),
  );
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas.get(name) ?? {});
    }
  };
  follow(paths);
  return {
    ...renamed,
    paths: Object.fromEntries(paths),
    components: {
      ...renamed.components,
      schemas: Object.fromEntries([...schemas].filter(([name]) => used.has(name))),
    },
  };
}
