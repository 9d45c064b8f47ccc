import SwaggerParser from '@apidevtools/swagger-parser';
import Ajv, { type ValidateFunction } from 'ajv';
import { httpCall } from './http-call';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  nullable?: boolean;
  required?: string[];
}

export interface OpenApiOperation {
  operationId?: string;
  security?: object[];
  parameters?: { name: string }[];
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { securitySchemes?: Record<string, object>; schemas: Record<string, Schema> };
}

const JSON_TYPE = 'application/json';

const segmentsOf = (path: string): number => path.split('/').length;

/** Checks the responses of a service against its OpenAPI document. */
export class OpenApiCheck {
  /** Cached by the text of the document, because every start of a service serves the same one. */
  private static readonly known = new Map<string, Promise<OpenApiCheck>>();

  private readonly ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  private readonly validators = new WeakMap<Schema, ValidateFunction>();
  /** Cached by the number of path segments. */
  private readonly paths = new Map<number, { pattern: RegExp; path: string }[]>();

  private constructor(
    /** The document as the service serves it. */
    readonly raw: object,
    /** The document with all references resolved. */
    readonly document: OpenApi,
  ) {
    // A literal path has priority over a matching path with parameters.
    const paths = Object.keys(document.paths).sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
    for (const path of paths) {
      const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      const segments = segmentsOf(path);
      this.paths.set(segments, [...(this.paths.get(segments) ?? []), { path, pattern }]);
    }
  }

  static async read(serviceUrl: string): Promise<OpenApiCheck> {
    const { text } = await httpCall(`${serviceUrl}/openapi.json`);
    const check = OpenApiCheck.known.get(text) ?? OpenApiCheck.parse(text);
    OpenApiCheck.known.set(text, check);
    return check;
  }

  private static async parse(text: string): Promise<OpenApiCheck> {
    const document = await SwaggerParser.dereference(JSON.parse(text) as never);
    return new OpenApiCheck(JSON.parse(text) as object, document as unknown as OpenApi);
  }

  /**
   * Returns the reason why a response does not match the content types of its operation and status, or JSON does not match its schema;
   * unlisted fields are errors. Returns null if it matches, or if the path is not in the document.
   */
  problems(method: string, path: string, status: number, contentType: string | null, body: unknown): string | null {
    const operation = this.operation(method, path);
    if (!operation) return null;
    const response = operation.responses[String(status)];
    if (!response) return `${method} ${path} does not document ${status}`;
    const { content } = response;
    if (contentType === null) return content ? `${method} ${path} documents a body for ${status}` : null;
    const type = contentType.replace(/;.*/, '').trim().toLowerCase();
    const schema = (content?.[type] ?? content?.['*/*'])?.schema;
    if (!schema) return `${method} ${path} documents no ${type} for ${status}`;
    if (type !== JSON_TYPE) return null;
    const validate = this.validatorOf(schema);
    return validate(body) ? null : `${method} ${path} ${status}: ${this.ajv.errorsText(validate.errors)}`;
  }

  operation(method: string, path: string): OpenApiOperation | undefined {
    const found = this.paths
      .get(segmentsOf(path))
      ?.find(
        ({ path: known, pattern }) => pattern.test(path) && method.toLowerCase() in (this.document.paths[known] ?? {}),
      );
    return found && this.document.paths[found.path]?.[method.toLowerCase()];
  }

  /** Operations that take an Idempotency-Key, but do not document the errors of a bad, reused or concurrent one. */
  withoutIdempotencyErrors(): string[] {
    const operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
    const takesKey = ({ parameters }: OpenApiOperation): boolean =>
      (parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
    return operations
      .filter(
        ({ operation }) =>
          takesKey(operation) &&
          !(operation.responses['400'] && operation.responses['409']?.description?.includes('IDEMPOTENCY')),
      )
      .map(({ name }) => name);
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const validate = this.validators.get(schema) ?? this.ajv.compile(exact(schema));
    this.validators.set(schema, validate);
    return validate;
  }
}

/** Forbids fields that are not in the schema, at any depth. */
function exact(schema: Schema): object {
  if (schema.allOf) return { ...schema, allOf: schema.allOf.map(exact) };
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(exact) };
  if (schema.items) return { ...schema, items: exact(schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, exact(inner)]));
  return { ...schema, properties, additionalProperties: false };
}
