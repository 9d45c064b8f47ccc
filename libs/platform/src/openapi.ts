import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
}

/** Serves the OpenAPI document at /openapi.json and a page to read it at /docs. */
export function serveOpenApi(app: INestApplication, { title, description, version }: OpenApiOptions): void {
  const config = new DocumentBuilder()
    .setTitle(title)
    .setDescription(description)
    .setVersion(version)
    .addServer('/', 'The paths as they are')
    .addServer('/api', 'The same paths below /api')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' }, 'bearer')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key in a header of its own' },
      'apiKey',
    )
    .build();
  SwaggerModule.setup('docs', app, () => withoutPrefixedPaths(SwaggerModule.createDocument(app, config)), {
    jsonDocumentUrl: 'openapi.json',
  });
}

/** A path that is served with and without /api is described once: the servers of the document say the rest. */
function withoutPrefixedPaths<D extends { paths: Record<string, unknown> }>(document: D): D {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => !(path.startsWith('/api/') && path.slice(4) in document.paths)),
  );
  return { ...document, paths };
}
