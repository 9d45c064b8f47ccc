import type { INestApplication, Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ApiExtension, type OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_EXTENSION, LIMITS_EXTENSION, type RouteFacts, type RouteLimits } from '@heliograph/api-reference';
import {
  BODY_FORMATS,
  DEFAULT_MAX_BYTES,
  INPUT_DEFAULTS,
  type BodyFormats,
  type InputDefaults,
} from '../http/input-formats';
import { inputParameter } from '../http/route-input';
import { operationsOf } from './operations-of';

/** Reads the metadata of a route, as guards do: that of the method, or else that of the controller. */
export type ReadMetadata = <T>(key: unknown) => T | undefined;

/** The name of the extension that connects an operation with its method until the document is complete. */
const ROUTE_EXTENSION = 'x-route';

interface Route {
  name: string;
  controller: Type<object>;
  method: string;
  handler: Type<unknown>;
}

/**
 * Adds to an OpenAPI document what the guards enforce: scope, roles, rate limits and the size of the body. It reads the metadata that
 * the guards read, so that the two agree.
 *
 * @param create the document, which is created after the routes have been marked
 * @param factsOf interprets the metadata of the guards of the service
 */
export function withRouteFacts(
  app: INestApplication,
  create: () => OpenAPIObject,
  factsOf: (read: ReadMetadata) => RouteFacts,
): OpenAPIObject {
  const extensions = new Map(routesOf(app).map((route) => [route.name, extensionsOf(app, route, factsOf)]));
  const document = create();
  for (const operation of operationsOf(document)) {
    const { [ROUTE_EXTENSION]: name, ...others } = operation as typeof operation & { [ROUTE_EXTENSION]?: string };
    if (name === undefined) continue;
    Object.assign(operation, others, extensions.get(name));
    Reflect.deleteProperty(operation, ROUTE_EXTENSION);
  }
  return document;
}

/** The routes of all controllers, marked with their names. */
function routesOf(app: INestApplication): Route[] {
  const routes: Route[] = [];
  const scanner = new MetadataScanner();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      const controller = metatype as Type<object>;
      const prototype = controller.prototype as object;
      for (const method of scanner.getAllMethodNames(prototype)) {
        const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
        const handler = descriptor?.value as Type<unknown> | undefined;
        if (!descriptor || !handler || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
        const name = `${controller.name}.${method}`;
        if (routes.some((route) => route.name === name && route.handler !== handler))
          throw new Error(`Two controllers have the name ${controller.name}. Rename one of them.`);
        ApiExtension(ROUTE_EXTENSION, name)(prototype, method, descriptor);
        routes.push({ name, controller, method, handler });
      }
    }
  }
  return routes;
}

function extensionsOf(
  app: INestApplication,
  { controller, method, handler }: Route,
  factsOf: (read: ReadMetadata) => RouteFacts,
): object {
  const { body: defaults = {} } = app.get<InputDefaults>(INPUT_DEFAULTS);
  const reflector = app.get(Reflector);
  const read: ReadMetadata = (key) => reflector.getAllAndOverride(key, [handler, controller]);
  const { access = {}, rates = [] } = factsOf(read);
  const hasBody = inputParameter(RouteParamtypes.BODY, controller, method) !== null;
  const { maxBytes = DEFAULT_MAX_BYTES } = read<BodyFormats>(BODY_FORMATS) ?? defaults;
  const enforced = rates.filter(({ calls }) => calls > 0);
  const limits: RouteLimits = {
    ...(enforced.length > 0 ? { rates: enforced } : {}),
    ...(hasBody ? { bodyBytes: maxBytes } : {}),
  };
  return {
    ...(Object.keys(access).length > 0 ? { [ACCESS_EXTENSION]: access } : {}),
    ...(Object.keys(limits).length > 0 ? { [LIMITS_EXTENSION]: limits } : {}),
  };
}
