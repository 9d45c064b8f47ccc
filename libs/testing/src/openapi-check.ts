import SwaggerParser from '@apidevtools/swagger-parser';
import Ajv from 'ajv';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  nullable?: boolean;
  required?: string[];
}

export interface OpenApiOperation {
  operationId?: string;
  security?: object[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { securitySchemes?: Record<string, object>; schemas: Record<string, Schema> };
}

/** Holds answers against the document that their service gives of itself. */
export class OpenApiCheck {
  private readonly ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  private readonly paths: { pattern: RegExp; path: string }[];

  private constructor(
    /** As it was served. */
    readonly raw: object,
    /** Without references. */
    readonly document: OpenApi,
  ) {
    this.paths = Object.keys(document.paths)
      .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }))
      // What is spelled out goes before what a parameter would take too.
      .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  }

  static async read(serviceUrl: string): Promise<OpenApiCheck> {
    const raw = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as object;
    return new OpenApiCheck(
      raw,
      (await SwaggerParser.dereference(structuredClone(raw) as never)) as unknown as OpenApi,
    );
  }

  /**
   * What is wrong with an answer, by the schema of its operation and status: an answer has exactly the listed fields.
   * Null when nothing is, or where the path is none of the document's.
   */
  problems(method: string, path: string, status: number, contentType: string | null, body: unknown): string | null {
    const operation = this.operation(method, path);
    if (!operation) return null;
    const response = operation.responses[String(status)];
    if (!response) return `${method} ${path} does not document ${status}`;
    const schema = response.content?.['application/json']?.schema;
    if (!contentType?.startsWith('application/json'))
      return schema ? `${method} ${path} documents JSON for ${status}` : null;
    if (!schema) return `${method} ${path} documents no JSON for ${status}`;
    const validate = this.ajv.compile(exact(schema));
    return validate(body) ? null : `${method} ${path} ${status}: ${this.ajv.errorsText(validate.errors)}`;
  }

  operation(method: string, path: string): OpenApiOperation | undefined {
    const found = this.paths.find(
      ({ path: known, pattern }) => pattern.test(path) && method.toLowerCase() in (this.document.paths[known] ?? {}),
    );
    return found && this.document.paths[found.path]?.[method.toLowerCase()];
  }
}

/** No field beside those of the schema, at any depth. */
function exact(schema: Schema): object {
  // How OpenAPI 3.0 writes a reference that may be null; a validator needs it spelled out.
  if (schema.allOf) {
    const inner = { allOf: schema.allOf.map(exact) };
    return schema.nullable ? { anyOf: [inner, { type: 'null' }] } : inner;
  }
  if (schema.items) return { ...schema, items: exact(schema.items) };
  if (!schema.properties) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, exact(inner)]));
  return { ...schema, properties, additionalProperties: false };
}
