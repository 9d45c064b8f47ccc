import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ReferenceService } from './reference/reference.service';

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  /** Describes the authentication. Default: an API key in one of two headers. */
  describeSecurity?: (document: DocumentBuilder) => unknown;
}

type PathItem = OpenAPIObject['paths'][string];

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

/** The two headers that accept an API key. */
export function describeKeys(document: DocumentBuilder): DocumentBuilder {
  return document
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' }, 'bearer')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Alternative header for the same key' },
      'apiKey',
    );
}

/** The OpenAPI document of the service, for the code of the service itself. */
@Injectable()
export class ApiDescription {
  /** Available once the application has started. */
  read: () => OpenAPIObject = () => {
    throw new Error('the service has not started');
  };
}

/** Makes the OpenAPI document of the service available, and shows it in the API reference. */
export function describeApi(app: INestApplication, options: OpenApiOptions & { name: string }): void {
  const { name, title, description, version, describeSecurity = describeKeys } = options;
  const document = new DocumentBuilder().setTitle(title).setDescription(description).setVersion(version);
  describeSecurity(document);
  const config = document.build();
  let known: OpenAPIObject | undefined;
  const read = (): OpenAPIObject => (known ??= completed(SwaggerModule.createDocument(app, config)));
  app.get(ApiDescription).read = read;
  app.get(ReferenceService).show([{ id: name, title, description, read }]);
}

/** States what generators and linters otherwise have to guess: the server, and that an operation needs no credentials. */
function completed(document: OpenAPIObject): OpenAPIObject {
  for (const operations of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation) operation.security ??= [];
    }
  }
  if (!document.servers?.length) document.servers = [{ url: '/' }];
  return describePrefixedOnce(document);
}

/** Paths that are served with and without /api are described once; `servers` of the document lists both prefixes. */
function describePrefixedOnce(document: OpenAPIObject): OpenAPIObject {
  const twice = Object.keys(document.paths).filter(
    (path) => path.startsWith('/api/') && path.slice(4) in document.paths,
  );
  if (twice.length === 0) return document;
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => !twice.includes(path))
      .map(([path, item]) => [path, path.startsWith('/api/') ? withoutPrefix(item) : item]),
  );
  const servers = [
    { url: '/', description: 'Without a prefix' },
    { url: '/api', description: 'With the prefix /api' },
  ];
  return { ...document, paths, servers };
}

/** Operations of a path that already contains /api. */
function withoutPrefix(item: PathItem): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [[method, { ...operation, servers: [{ url: '/' }] }] as const] : [];
  });
  return { ...item, ...Object.fromEntries(operations) };
}
