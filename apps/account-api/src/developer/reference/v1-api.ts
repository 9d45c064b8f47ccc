import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsBody, V1RouteErrors } from '@heliograph/service-kit';

/**
 * Decorates a controller of the v1 API, which reads JSON bodies with the rules of the messaging APIs and refuses unknown query
 * parameters on every route.
 */
export const V1Api = (tag: string): ClassDecorator => applyDecorators(ApiTags(tag), AcceptsBody({}), V1RouteErrors());
