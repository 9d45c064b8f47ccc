import type { OpenAPIObject } from '@nestjs/swagger';

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
}
