import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
type Components = NonNullable<OpenAPIObject['components']>;
export type SchemaOrReference = NonNullable<Components['schemas']>[string];
type Reference = Extract<SchemaOrReference, { $ref: string }>;
export type Schema = Exclude<SchemaOrReference, Reference>;
export type Operation = NonNullable<PathItem['get']>;
export type Parameter = Exclude<NonNullable<Operation['parameters']>[number], Reference>;
export type Body = Exclude<NonNullable<Operation['requestBody']>, Reference>;
export type Response = Exclude<NonNullable<Operation['responses']['default']>, Reference>;

/** The order in which the operations of a path are listed. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface OperationView {
  /** Its operation id, which is the fragment of its URL unless another operation of the page has the same. */
  anchor: string;
  method: string;
  path: string;
  operation: Operation;
}

/** An OpenAPI document as the reference displays it. */
export class ApiView {
  readonly operations: readonly OperationView[];

  /** `omits`: operations of paths with this prefix belong to another document. */
  constructor(
    readonly document: OpenAPIObject,
    omits?: string,
  ) {
    this.operations = Object.entries(document.paths)
      .filter(([path]) => omits === undefined || !path.startsWith(omits))
      .flatMap(([path, item]) =>
        METHODS.flatMap((method) => {
          const operation = item[method];
          if (!operation) return [];
          const anchor = operation.operationId ?? slugOf(`${method} ${path}`);
          return [{ anchor, method: method.toUpperCase(), path, operation }];
        }),
      );
  }

  /** A schema by the name in a reference, with that name. An unknown name is an empty schema. */
  resolve(schema: SchemaOrReference): { schema: Schema; name?: string } {
    if (!isReference(schema)) return { schema };
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const target = this.document.components?.schemas?.[name];
    return { schema: target && !isReference(target) ? target : {}, name };
  }
}

export function isReference<T extends object>(value: T | Reference): value is Reference {
  return '$ref' in value;
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
