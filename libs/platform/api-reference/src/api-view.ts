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
  /** The fragment of its URL. */
  anchor: string;
  method: string;
  path: string;
  operation: Operation;
}

export interface Section {
  slug: string;
  title: string;
  operations: OperationView[];
}

/** An OpenAPI document as the reference displays it: operations in sections, one for each tag. */
export class ApiView {
  readonly sections: Section[];

  /** `omits`: operations of paths with this prefix belong to another document. */
  constructor(
    readonly document: OpenAPIObject,
    omits?: string,
  ) {
    const sections = new Map<string, Section>();
    for (const [path, item] of Object.entries(document.paths)) {
      if (omits !== undefined && path.startsWith(omits)) continue;
      for (const method of METHODS) {
        const operation = item[method];
        if (!operation) continue;
        const title = titleOf(operation.tags?.[0] ?? 'Operations');
        const section = sections.get(title) ?? { slug: slugOf(title), title, operations: [] };
        sections.set(title, section);
        const anchor = operation.operationId ?? slugOf(`${method} ${path}`);
        section.operations.push({ anchor, method: method.toUpperCase(), path, operation });
      }
    }
    this.sections = [...sections.values()];
  }

  section(slug: string): Section | undefined {
    return this.sections.find((section) => section.slug === slug);
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

/** Removes the v1 marker of the tags, which is redundant in the v1 document. */
function titleOf(tag: string): string {
  const title = tag.replace(/^v1: /, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
