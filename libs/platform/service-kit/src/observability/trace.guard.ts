import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { IdentifiedRequest } from '../http/request.decorators';
import { requestIdOf } from './request-id';
import { Tracing } from './tracing';

/**
 * Stores the trace of a call after the call is authenticated, so that other processes continue it. The guard of the credentials must
 * run before it: the trace belongs to the organization of the caller.
 */
@Injectable()
export class TraceGuard implements CanActivate {
  constructor(private readonly tracing: Tracing) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { span, organizationId = null } = http.getRequest<IdentifiedRequest>();
    if (!span) return true;
    const response = http.getResponse<Response>();
    const request = { organizationId, requestId: requestIdOf(response) };
    response.once('close', () => this.tracing.endRequest(request, span));
    // Without the database, the request is answered, and other processes do not continue its trace.
    await this.tracing.startRequest(request, span).catch(() => undefined);
    return true;
  }
}
