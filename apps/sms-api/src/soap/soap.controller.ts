import { All, Controller, Get, HttpCode, Inject, Injectable, Post, Req, Res, UseFilters } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError, ErrorFilter, ErrorReport, type ErrorCode } from '@heliograph/errors';
import { IdempotencyService } from '@heliograph/idempotency';
import {
  parseQueryString,
  queryStringOf,
  describeRefusals,
  ErrorBody,
  LOGGER,
  Public,
  readBody,
  type Logger,
  TakesIdempotencyKey,
} from '@heliograph/platform';
import { takeSend } from '../messages/call';
import { SEND_REFUSALS } from '../messages/send.controller';
import { SendService } from '../messages/send.service';
import type { SmsApiSettings } from '../sms-api.config';
import { SmsApi } from '../sms-api.openapi';
import { SMS_API_SETTINGS } from '../sms-api.tokens';
import {
  announcedEnvelope,
  buildSmsError,
  buildSmsResponse,
  contentTypeOf,
  parseSmsRequest,
  SMS_NAMESPACE,
  SmsRequestError,
  type SoapEnvelope,
} from './soap-codec';
import { buildWsdl } from './sms-wsdl';

const MAX_XML_BYTES = 256_000;
const ENVELOPE = 'soapEnvelope';
const EXAMPLE =
  '<SmsRequest><from>ACMEIN</from><to>+919876543210</to><template>otp</template><variables><code>123456</code></variables></SmsRequest>';

/** Errors of this style are XML too, in the envelope of the request; before that is read, in the one it announced. */
@Injectable()
class SoapErrorFilter extends ErrorFilter {
  constructor(@Inject(LOGGER) log: Logger) {
    super(new ErrorReport(log), (error, request, response) => {
      const envelope = envelopeOf(request, response);
      response.type(contentTypeOf(envelope)).send(buildSmsError(error, envelope));
    });
  }
}

function envelopeOf(request: Request, response: Response): SoapEnvelope {
  const known = response.locals[ENVELOPE] as SoapEnvelope | undefined;
  return known ?? announcedEnvelope(request.headers['content-type'], request.get('soapaction'));
}

/** Documents refusals as they come in this style, for the bare one. */
function XmlRefusals(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const schema = {
    type: 'object',
    xml: { name: 'SmsResponse', namespace: SMS_NAMESPACE },
    required: ['ok', 'error'],
    properties: { ok: { type: 'boolean', enum: [false] }, error: { $ref: getSchemaPath(ErrorBody) } },
  };
  return describeRefusals(codes, { content: { 'application/xml': { schema } } });
}

/** The SOAP/XML style. */
@SmsApi('SOAP', XmlRefusals)
@ApiExtraModels(ErrorBody)
@UseFilters(SoapErrorFilter)
@Controller(['sms/soap', 'api/sms/soap'])
export class SoapController {
  private readonly wsdlText: string;

  constructor(
    @Inject(SendService) private readonly sends: SendService,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
    @Inject(SMS_API_SETTINGS) settings: SmsApiSettings,
  ) {
    const base = (settings.PUBLIC_BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '');
    this.wsdlText = buildWsdl(`${base}/sms/soap`);
  }

  @Post()
  @HttpCode(200)
  @RequireScope('sms:send')
  @ApiOperation({
    operationId: 'sendSmsBySoap',
    summary: 'Send or schedule a message: SmsRequest, bare or in a SOAP 1.1 or 1.2 envelope',
  })
  @TakesIdempotencyKey()
  @ApiConsumes('application/xml', 'text/xml', 'application/soap+xml')
  @ApiBody({ required: true, schema: { type: 'string', example: EXAMPLE } })
  @ApiProduces('application/xml')
  @ApiResponse({ status: 200, description: 'SmsResponse, in the style of the request', schema: { type: 'string' } })
  @XmlRefusals(...SEND_REFUSALS)
  async send(@Caller() caller: Tenant, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { bytes } = await readBody(request, response, MAX_XML_BYTES);
    const answer = await takeSend(this.sends, this.idempotency, {
      caller,
      request,
      response,
      endpoint: 'sms.soap',
      fields: () => {
        try {
          const parsed = parseSmsRequest(bytes);
          response.locals[ENVELOPE] = parsed.envelope;
          return parsed.fields;
        } catch (error) {
          if (error instanceof SmsRequestError) response.locals[ENVELOPE] = error.envelope;
          throw error;
        }
      },
      raw: bytes,
      fromUrl: false,
    });
    const envelope = envelopeOf(request, response);
    response.type(contentTypeOf(envelope)).send(buildSmsResponse(answer, envelope));
  }

  @Get()
  @Public()
  @ApiOperation({ operationId: 'getSmsWsdl', summary: 'The WSDL 1.1 description of the SOAP style' })
  @ApiQuery({ name: 'wsdl', required: true, schema: { type: 'string' }, allowEmptyValue: true })
  @ApiProduces('text/xml')
  @ApiResponse({ status: 200, schema: { type: 'string' } })
  @XmlRefusals('METHOD_NOT_ALLOWED')
  wsdl(@Req() request: Request, @Res() response: Response): void {
    const names = [...parseQueryString(queryStringOf(request)).keys()];
    if (!names.some((name) => name.toLowerCase() === 'wsdl')) throw usePost();
    response.type('text/xml; charset=utf-8').send(this.wsdlText);
  }

  @All()
  @Public()
  @ApiExcludeEndpoint()
  other(): never {
    throw usePost();
  }
}

function usePost(): AppError {
  return new AppError('METHOD_NOT_ALLOWED', 'Use POST on this path, or GET with ?wsdl for the description.', {
    headers: { Allow: 'POST' },
  });
}
