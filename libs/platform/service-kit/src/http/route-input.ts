import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { dtoType } from './to-dto';

/**
 * The DTO class of the parameter of a controller method with `@Body()` or `@Query()`; the class is null if the parameter has
 * another type. Null if the method has no such parameter.
 */
export function inputParameter(
  kind: RouteParamtypes,
  controller: Type,
  method: string,
): { type: Type<object> | null } | null {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  const name = Object.keys(parameters).find((key) => key.startsWith(`${kind}:`));
  if (name === undefined) return null;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, method) ?? []) as unknown[];
  return { type: dtoType(types[Number(name.split(':')[1])]) };
}
