import { SetMetadata } from '@nestjs/common';

const V1_REQUEST = 'heliograph:v1-request';

/** Marks the DTO of a body or a query string of the v1 API: the error response lists every invalid field. */
export const V1Request = (): ClassDecorator => SetMetadata(V1_REQUEST, true) as ClassDecorator;

export function isV1Request(dtoClass: object): boolean {
  return Reflect.getMetadata(V1_REQUEST, dtoClass) === true;
}
