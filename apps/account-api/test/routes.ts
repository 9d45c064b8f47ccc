import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ACCESS } from '@heliograph/service-kit';
import type { RouteAccess } from '../src/access/access.decorators';
import type { TestService } from '@heliograph/testing';

export interface Route {
  method: string;
  /** Path with parameter names, such as `/api/workspaces/:id`. */
  path: string;
  access: RouteAccess | undefined;
}

/** Returns every route of the running service, as declared by its controllers. */
export function routesOf({ app }: TestService): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const scanner = new MetadataScanner();
  return controllers.flatMap(({ metatype }) => {
    if (!metatype) return [];
    const prefix = Reflect.getMetadata(PATH_METADATA, metatype) as string;
    const { prototype } = metatype as { prototype: Record<string, object> };
    return scanner.getAllMethodNames(prototype).flatMap((name): Route[] => {
      const handler = prototype[name]!;
      const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
      if (path === undefined || !prefix.startsWith('api/')) return [];
      return [
        {
          method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!,
          path: `/${prefix}${path === '/' ? '' : `/${path}`}`,
          access: (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, metatype)) as
            RouteAccess | undefined,
        },
      ];
    });
  });
}

/** Whether the route is a write with a body. */
export function hasBody({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return method !== 'GET' && (method !== 'DELETE' || path.endsWith('/groups/:groupId/contacts'));
}

/** Returns the path with values for its parameters. */
export function fill(path: string, valueOf: (name: string) => string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueOf(name)));
}
