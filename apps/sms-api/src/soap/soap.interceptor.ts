import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { HttpResult, MalformedInput } from '@heliograph/service-kit';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import type { SendResponse } from '../messages/message-records.dto';
import type { SendFields } from '../messages/normalize-send';
import {
  announcedEnvelope,
  buildSmsResponse,
  contentTypeOf,
  parseSmsRequest,
  SmsRequestError,
  type SoapEnvelope,
} from './soap-codec';

const envelopes = new WeakMap<object, SoapEnvelope>();

/** Converts an `SmsRequest` to the fields of a send. `envelopeOf` returns its envelope afterwards. */
export function normalizeSoap(xml: Buffer): SendFields {
  const { fields, envelope } = parseSmsRequest(xml);
  envelopes.set(fields, envelope);
  return fields;
}

/** The envelope of a request. Before its body is read, the envelope is determined from its headers. */
export function envelopeOf(request: Request): SoapEnvelope {
  const body: unknown = request.body;
  if (body instanceof MalformedInput && body.error.cause instanceof SmsRequestError) return body.error.cause.envelope;
  const known = typeof body === 'object' && body !== null ? envelopes.get(body) : undefined;
  // The HTTP binding of SOAP uses POST only.
  if (request.method !== 'POST') return 'none';
  return known ?? announcedEnvelope(request.headers['content-type'], request.get('soapaction'));
}

/** Writes the response of a send as XML, in the envelope of the request. */
@Injectable()
export class SoapInterceptor implements NestInterceptor<SendResponse | HttpResult<string>, HttpResult<string>> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<SendResponse | HttpResult<string>>,
  ): Observable<HttpResult<string>> {
    return next.handle().pipe(
      map((result) => {
        if (result instanceof HttpResult) return result;
        const envelope = envelopeOf(context.switchToHttp().getRequest<Request>());
        return new HttpResult({
          headers: { 'Content-Type': contentTypeOf(envelope) },
          body: buildSmsResponse(result, envelope),
        });
      }),
    );
  }
}
