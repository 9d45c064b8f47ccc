import { Inject, Injectable } from '@nestjs/common';
import { serviceUnavailable } from '@heliograph/errors';
import { ApiDescription, CONFIG, V1_PREFIX } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../account-api.config';

type ApiDocument = ReturnType<ApiDescription['read']>;

interface Part {
  /** Prefix of its schemas: services have different schemas of the same name. */
  name: string;
  url: string | undefined;
}

const CACHE_MS = 60_000;
const TIMEOUT_MS = 3_000;
const SCHEMAS = '#/components/schemas/';

/** One OpenAPI document of the whole v1 API, which several services serve. */
@Injectable()
export class V1ReferenceService {
  private readonly parts: readonly Part[];
  private readonly known = new Map<string, { readAt: number; document: ApiDocument }>();

  constructor(
    private readonly own: ApiDescription,
    @Inject(CONFIG) { SMS_API_URL, EMAIL_API_URL }: AccountApiConfig,
  ) {
    this.parts = [
      { name: 'Sms', url: SMS_API_URL },
      { name: 'Email', url: EMAIL_API_URL },
    ];
  }

  /** Throws SERVICE_UNAVAILABLE while a service that has never been reached is down. */
  async document(): Promise<ApiDocument> {
    const merged = v1Part(this.own.read(), '');
    for (const { name, url } of this.parts) {
      if (url === undefined) continue;
      const { paths, components } = v1Part(await this.read(url), name);
      Object.assign(merged.paths, paths);
      Object.assign(merged.components?.schemas ?? {}, components?.schemas);
    }
    return {
      ...merged,
      info: { title: 'Heliograph API v1', description: 'SMS, email, contacts and campaigns.', version: '1.0.0' },
      servers: [{ url: '/' }],
    };
  }

  private async read(url: string): Promise<ApiDocument> {
    const known = this.known.get(url);
    if (known && Date.now() - known.readAt < CACHE_MS) return known.document;
    try {
      const response = await fetch(new URL('/openapi.json', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      const document = (await response.json()) as ApiDocument;
      this.known.set(url, { readAt: Date.now(), document });
      return document;
    } catch (error) {
      if (known) return known.document;
      throw serviceUnavailable(`the description at ${url} cannot be read`, error);
    }
  }
}

/** The operations of the v1 API with the schemas that they use. */
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
