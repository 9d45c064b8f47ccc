import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { HttpResult } from '@heliograph/service-kit';
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

interface SoapRequest extends Request {
  /** The envelope of the body, once it is parsed. */
  soapEnvelope?: SoapEnvelope;
}

/** Converts an `SmsRequest` to the fields of a send, and sets the envelope of the request. */
export function normalizeSoap(xml: Buffer, _mediaType: string, request: SoapRequest): SendFields {
  try {
    const { fields, envelope } = parseSmsRequest(xml);
    request.soapEnvelope = envelope;
    return fields;
  } catch (error) {
    if (error instanceof SmsRequestError) request.soapEnvelope = error.envelope;
    throw error;
  }
}

/** The envelope of a request. Before its body is read, the envelope is determined from its headers. */
export function envelopeOf(request: SoapRequest): SoapEnvelope {
  // The HTTP binding of SOAP uses POST only.
  if (request.method !== 'POST') return 'none';
  return request.soapEnvelope ?? announcedEnvelope(request.headers['content-type'], request.get('soapaction'));
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
