import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { networkOf } from '../http/network-of';
import type { IdentifiedRequest } from '../http/request.decorators';
import { Admission, type AdmissionKind } from './admission';
import { ADMITTED_BY, type AdmittedBy } from './admitted-by-service.decorator';

/**
 * Admits each call before its method runs, for as long as it runs: GET and HEAD as `read`, other methods as `write`. It is
 * the last of the global guards, so that a slow body does not occupy a slot.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  private readonly routes = new WeakMap<object, AdmittedBy>();

  constructor(
    private readonly reflector: Reflector,
    private readonly admission: Admission,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.admittedBy(context) === 'service') return true;
    const http = context.switchToHttp();
    return this.admit(http.getRequest<IdentifiedRequest>(), http.getResponse<Response>());
  }

  private async admit(request: IdentifiedRequest, response: Response): Promise<true> {
    const owner = request.organizationId ?? request.callerId ?? networkOf(request.ip);
    const release = await this.admission.acquire(kindOf(request), owner);
    // The response is complete, or the client has disconnected. The method of a call without a client still runs.
    if (response.closed) release();
    else response.once('prefinish', release).once('close', release);
    return true;
  }

  private admittedBy(context: ExecutionContext): AdmittedBy {
    const handler = context.getHandler();
    let known = this.routes.get(handler);
    if (!known) {
      known =
        this.reflector.getAllAndOverride<AdmittedBy | undefined>(ADMITTED_BY, [handler, context.getClass()]) ?? 'guard';
      this.routes.set(handler, known);
    }
    return known;
  }
}

function kindOf({ callerId, method }: IdentifiedRequest): AdmissionKind {
  if (callerId === undefined) return 'anonymous';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
