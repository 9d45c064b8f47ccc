import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AcceptsBody } from '@heliograph/service-kit';

/** A controller of the v1 API: reads JSON bodies as the messaging APIs do. */
export const V1Api = (tag: string): ClassDecorator => applyDecorators(ApiTags(tag), AcceptsBody({}));
