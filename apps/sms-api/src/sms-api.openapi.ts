import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_ERRORS, ApiErrors, TakesKey } from '@heliograph/service-kit';

/**
 * Documentation shared by all controllers of the SMS API: the two API key headers and the error responses that every
 * operation can return. `errors` documents those errors.
 */
export function SmsApi(tag: string, errors: typeof ApiErrors = ApiErrors): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), errors(...KEY_ERRORS));
}
