import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  /** Describes the authentication. Default: an API key in one of two headers. */
  describeSecurity?: (document: DocumentBuilder) => unknown;
}

/** The two headers that accept an API key. */
export function describeKeys(document: DocumentBuilder): DocumentBuilder {
  return document
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' }, 'bearer')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Alternative header for the same key' },
      'apiKey',
    );
}

/** Serves the OpenAPI document at /openapi.json and its documentation page at /docs. */
export function serveOpenApi(app: INestApplication, options: OpenApiOptions): void {
  const { title, description, version, describeSecurity = describeKeys } = options;
  const document = new DocumentBuilder().setTitle(title).setDescription(description).setVersion(version);
  describeSecurity(document);
  const config = document.build();
  SwaggerModule.setup('docs', app, () => describePrefixedOnce(SwaggerModule.createDocument(app, config)), {
    jsonDocumentUrl: 'openapi.json',
  });
}

/** Paths that are served with and without /api are described once; `servers` of the document lists both prefixes. */
function describePrefixedOnce<D extends { paths: Record<string, unknown> }>(document: D): D {
  const twice = Object.keys(document.paths).filter(
    (path) => path.startsWith('/api/') && path.slice(4) in document.paths,
  );
  if (twice.length === 0) return document;
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !twice.includes(path)));
  const servers = [
    { url: '/', description: 'Without a prefix' },
    { url: '/api', description: 'With the prefix /api' },
  ];
  return { ...document, paths, servers };
}
