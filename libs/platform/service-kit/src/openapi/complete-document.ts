import type { OpenAPIObject } from '@nestjs/swagger';
import { SAMPLE, type SampleHints } from '@heliograph/api-reference';
import { describeFields } from './vocabulary/describe-fields';
import { METHODS, operationsOf, type Operation, type PathItem } from './operations-of';

type JsonObject = Record<string, unknown>;

/** A schema that allows only null, in OpenAPI 3.0. */
const NULL = { type: 'object', nullable: true, enum: [null] } as const;

/**
 * States what generators and linters otherwise have to guess: the server, that an operation needs no credentials, and
 * that a reference can be null.
 */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    operation.security ??= [];
    addBodyExample(operation);
    for (const response of Object.values(operation.responses)) {
      if (response && 'description' in response && response.description)
        response.description = withoutRepetitions(response.description);
    }
  }
  if (!document.servers?.length) document.servers = [{ url: '/' }];
  if (Object.keys(document.info.contact ?? {}).length === 0) delete document.info.contact;
  // Constants in decorators are the same object in several schemas, which have different descriptions.
  const completed = withoutSharing(withUsedSchemes(describePrefixedOnce(document)));
  rewriteSchemas(completed);
  describeFields(completed);
  return completed;
}

function withoutSharing(document: OpenAPIObject): OpenAPIObject {
  return JSON.parse(JSON.stringify(document)) as OpenAPIObject;
}

/** Moves the body of a sample to the request body, where OpenAPI has it. */
function addBodyExample(operation: Operation & { [SAMPLE]?: SampleHints }): void {
  const { requestBody } = operation;
  const { body, ...others } = operation[SAMPLE] ?? {};
  if (body === undefined || !requestBody || '$ref' in requestBody) return;
  if (Object.keys(others).length > 0) operation[SAMPLE] = others;
  else delete operation[SAMPLE];
  const { contentType } = others;
  for (const [type, media] of Object.entries(requestBody.content)) {
    if (contentType === undefined || contentType === type) media.example = body;
  }
}

/** Security schemes that no operation uses are left out. */
export function withUsedSchemes(document: OpenAPIObject): OpenAPIObject {
  const used = new Set(
    operationsOf(document).flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one))),
  );
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, securitySchemes: Object.fromEntries(schemes) } };
}

/** Decorators of controllers and methods describe the same response; each error code is listed once. */
function withoutRepetitions(description: string): string {
  const parts = [...new Set(description.split('\n\n'))];
  if (!parts.every((part) => /^[A-Z_]+(?:, [A-Z_]+)*$/.test(part))) return parts.join('\n\n');
  return [...new Set(parts.flatMap((part) => part.split(', ')))].join(', ');
}

/** Rewrites every schema below a part of the document in place. */
function rewriteSchemas(part: unknown): void {
  if (Array.isArray(part)) return part.forEach(rewriteSchemas);
  if (!isObject(part)) return;
  allowNull(part);
  if (isObject(part['properties'])) describeDefaults(part['properties'], part['required']);
  for (const [keyword, inner] of Object.entries(part)) if (keyword !== 'example') rewriteSchemas(inner);
}

/** A reference next to `nullable` rejects null, because the referenced schema does. */
function allowNull(schema: JsonObject): void {
  if (schema['nullable'] !== true || !Array.isArray(schema['allOf'])) return;
  schema['anyOf'] = [...(schema['allOf'] as object[]), NULL];
  for (const keyword of ['allOf', 'nullable', 'type']) delete schema[keyword];
}

/**
 * States the default of an optional field in its description: generators make fields with the keyword `default`
 * required, which callers may leave out.
 */
function describeDefaults(properties: JsonObject, required: unknown): void {
  for (const [name, field] of Object.entries(properties)) {
    if (!isObject(field) || !('default' in field)) continue;
    if (Array.isArray(required) && required.includes(name)) continue;
    const text = `Default: \`${JSON.stringify(field['default'])}\``;
    const { description } = field;
    field['description'] = typeof description === 'string' ? `${description.replace(/\.$/, '')}. ${text}` : text;
    delete field['default'];
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
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
    { url: '/', description: 'Without prefix' },
    { url: '/api', description: 'With prefix /api' },
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
