import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { inputParameter } from '../http/route-input';
import { fieldNamesOf, type FieldNames } from './field-names';
import { plainName } from './nearest-name';

/**
 * Fields of a send in any of the APIs. Each service knows only its own routes, but a caller who schedules a message must not have
 * it sent at once because another API than this one can schedule.
 */
const SEND_FIELDS = ['scheduledAt', 'schedule', 'sendAt', 'reference'].map(plainName);

interface RouteFields {
  /** Such as `POST /api/v1/email/send` */
  label: string;
  method: string;
  kind: 'body' | 'query';
  type: Type<object>;
  names: FieldNames;
  /** The first and the last fixed segment of the path, without `api` and `v1`. Routes of the same thing have the same ones. */
  area: string;
  subject: string;
}

/** The fields of all routes of the service. It is read when a request has an unknown field. */
@Injectable()
export class FieldDirectory {
  private known: RouteFields[] | undefined;
  private readonly plainNames = new Map<Type<object>, ReadonlySet<string>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Where a field can be sent that the DTO does not have, such as `a field of POST /api/v1/email/send`; null: nowhere. */
  placeOf(name: string, type: Type<object>): string | null {
    const own = this.routesOf(type);
    const areas = new Set(own.map(({ area }) => area));
    const others = this.routes().filter(
      (one) => areas.has(one.area) && one.type !== type && one.names.fields.has(name),
    );
    const [place] = others.toSorted((a, b) => Number(isSame(b, own)) - Number(isSame(a, own)));
    return place ? `a ${place.kind === 'query' ? 'query parameter' : 'field'} of ${place.label}` : null;
  }

  /** Whether a name is, in another spelling, a field of the DTO or of another route for the same thing. */
  resembles(name: string, type: Type<object>): boolean {
    let plainNames = this.plainNames.get(type);
    if (!plainNames) {
      const own = this.routesOf(type);
      const routes = [fieldNamesOf(type), ...this.routes().flatMap((one) => (isSame(one, own) ? [one.names] : []))];
      const names = routes.flatMap(({ fields, aliases }) => [...fields.keys(), ...aliases.keys()]);
      const sendFields = own.some(({ subject }) => subject === 'send') ? SEND_FIELDS : [];
      this.plainNames.set(type, (plainNames = new Set([...names.map(plainName), ...sendFields])));
    }
    return plainNames.has(plainName(name));
  }

  private routesOf(type: Type<object>): RouteFields[] {
    return this.routes().filter((one) => one.type === type);
  }

  private routes(): RouteFields[] {
    return (this.known ??= this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const controller = metatype as Type<object>;
      return this.scanner
        .getAllMethodNames(controller.prototype as object)
        .flatMap((method) => routeFields(controller, method));
    }));
  }
}

/** Whether a route is for the same thing as one of others: it has the same path but for its prefix, and the same kind of call. */
function isSame(route: RouteFields, others: readonly RouteFields[]): boolean {
  return others.some(
    (other) =>
      route.area === other.area &&
      route.subject === other.subject &&
      (route.method === other.method || isRelated(route.type, other.type)),
  );
}

function isRelated(a: Type<object>, b: Type<object>): boolean {
  return a === b || a.prototype instanceof b || b.prototype instanceof a;
}

function routeFields(controller: Type<object>, name: string): RouteFields[] {
  const handler = Reflect.get(controller.prototype as object, name) as object;
  const method = RequestMethod[(Reflect.getMetadata(METHOD_METADATA, handler) ?? -1) as RequestMethod];
  if (method === undefined) return [];
  const [prefix = ''] = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  const [path = ''] = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  const segments = `${prefix}/${path}`.split('/').filter((segment) => segment !== '');
  const fixed = segments.filter((segment) => !segment.startsWith(':') && segment !== 'api' && segment !== 'v1');
  const route = {
    label: `${method} /${segments.join('/')}`,
    method,
    area: fixed[0] ?? '',
    subject: fixed.at(-1) ?? '',
  };
  const kinds = [
    ['body', RouteParamtypes.BODY],
    ['query', RouteParamtypes.QUERY],
  ] as const;
  return kinds.flatMap(([kind, parameter]) => {
    const type = inputParameter(parameter, controller, name)?.type;
    return type ? [{ ...route, kind, type, names: fieldNamesOf(type) }] : [];
  });
}
