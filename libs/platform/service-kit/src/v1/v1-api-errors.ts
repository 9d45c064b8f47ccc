import { ApiProperty } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import { describeErrors, ErrorBody } from '../openapi/api-errors';

class V1FieldError {
  @ApiProperty({ example: 'recipients[3].to' })
  field: string;
  @ApiProperty({ description: 'A message that says what to send' })
  message: string;
}

/** The error body of the v1 API in the OpenAPI document. */
export class V1ErrorBody extends ErrorBody {
  @ApiProperty({ required: false, type: [V1FieldError], description: 'Invalid fields of a 400' })
  fields?: V1FieldError[];
  @ApiProperty({ required: false, format: 'uuid', description: 'With `CONTACT_EXISTS`: id of the existing contact' })
  contact_id?: string;
}

/** Documents the error responses of an operation or a controller of the v1 API. */
export function V1ApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeErrors(codes, { type: V1ErrorBody });
}

/** Documents the errors of every route of a controller of the v1 API. Every route refuses unknown query parameters. */
export function V1RouteErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return V1ApiErrors('INVALID_REQUEST', ...codes);
}
