import { Inject, Injectable } from '@nestjs/common';
import { ErrorFilter, ErrorReport } from '@heliograph/errors';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { buildSmsError, contentTypeOf, errorStatusOf } from './soap-codec';
import { envelopeOf } from './soap.interceptor';

/** Writes errors as XML: bare, or as a fault in the envelope of the request. */
@Injectable()
export class SoapErrorFilter extends ErrorFilter {
  constructor(@Inject(LOGGER) log: Logger) {
    super(new ErrorReport(log), (error, request, response) => {
      const envelope = envelopeOf(request);
      response.status(errorStatusOf(error, envelope)).type(contentTypeOf(envelope));
      response.send(buildSmsError(error, envelope));
    });
  }
}
