import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import type { SampleHints } from '@heliograph/api-reference';
import { V1ApiErrors } from '../v1/v1-api-errors';
import { ApiErrors } from './api-errors';
import { Sample } from './sample';

/** What the API reference says about a route, and the status of its response. */
export interface OperationOptions {
  /** The operation id, unique in all APIs. Default: the names of the controller and the method. */
  id?: string;
  summary: string;
  description?: string;
  /** The status of a successful response. Default: 200. */
  status?: number;
  /** The class of the response. Absent if other decorators describe the responses. */
  response?: Type<object>;
  /** The errors in addition to those of all routes of the controller. */
  errors?: readonly ErrorCode[];
  /** How the sample request gets its values. */
  sample?: SampleHints;
}

/** How an API documents its responses and its errors. */
interface OperationStyle {
  response: (type: Type<object>, status: number) => MethodDecorator;
  errors: (...codes: ErrorCode[]) => MethodDecorator;
}

/** Makes the decorator that describes a route of an API. */
export function operationOf(style: OperationStyle): (options: OperationOptions) => MethodDecorator {
  return ({ id, summary, description, status = 200, response, errors = [], sample }) => {
    const decorators = errors.length > 0 ? [style.errors(...errors)] : [];
    if (response) decorators.push(HttpCode(status), style.response(response, status));
    const named = id === undefined ? {} : { operationId: id };
    decorators.push(ApiOperation({ ...named, summary, ...(description === undefined ? {} : { description }) }));
    if (sample) decorators.push(Sample(sample));
    return applyDecorators(...decorators);
  };
}

const plainResponse = (type: Type<object>, status: number): MethodDecorator => ApiResponse({ status, type });

/** Describes a route of the v1 API. */
export const V1Operation = operationOf({ response: plainResponse, errors: V1ApiErrors });

/** Describes an unversioned route of the messaging APIs. */
export const MessagingOperation = operationOf({ response: plainResponse, errors: ApiErrors });
