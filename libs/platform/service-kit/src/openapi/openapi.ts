import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { RouteFacts } from '@heliograph/api-reference';
import { completeDocument } from './complete-document';
import { withRouteFacts, type ReadMetadata } from './describe-routes';
import { ReferenceService } from '../reference/reference.service';

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  /** Describes the authentication. Default: an API key in one of two headers. */
  describeSecurity?: (document: DocumentBuilder) => unknown;
}

const KEY_DESCRIPTION =
  'An API key. The samples expect it in the shell variable `API_KEY`. For the demo data of the local stack: ' +
  '`API_KEY=msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001`';

/** The two headers that accept an API key. */
export function describeKeys(document: DocumentBuilder): DocumentBuilder {
  return document
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: KEY_DESCRIPTION }, 'bearer')
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

/** Composes the OpenAPI document of a service. */
export function describeDocument(
  app: INestApplication,
  options: OpenApiOptions,
  factsOf: (read: ReadMetadata) => RouteFacts,
): OpenAPIObject {
  const { title, description, version, describeSecurity = describeKeys } = options;
  const document = new DocumentBuilder().setTitle(title).setDescription(description).setVersion(version);
  describeSecurity(document);
  const config = document.build();
  return completeDocument(withRouteFacts(app, () => SwaggerModule.createDocument(app, config), factsOf));
}

/** Makes the OpenAPI document of the service available, and shows it in the API reference. */
export function describeApi(
  app: INestApplication,
  options: OpenApiOptions & { name: string },
  factsOf: (read: ReadMetadata) => RouteFacts,
): void {
  const { name, title, description } = options;
  let known: OpenAPIObject | undefined;
  const read = (): OpenAPIObject => (known ??= describeDocument(app, options, factsOf));
  app.get(ApiDescription).read = read;
  app.get(ReferenceService).show([{ id: name, title, description, read }]);
}
