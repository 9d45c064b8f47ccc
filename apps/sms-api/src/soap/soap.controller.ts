import { All, Body, Controller, Get, HttpCode, Inject, Post, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import {
  AcceptsBody,
  AdmittedByService,
  CONFIG,
  describeErrors,
  ErrorBody,
  HttpResult,
  KEY_ERRORS,
  Public,
  RequestId,
  MessagingOperation,
} from '@heliograph/service-kit';
import type { SendResponse } from '../messages/message-records.dto';
import { SendRequest } from '../messages/send-request.dto';
import { SEND_ERRORS } from '../messages/send.controller';
import { SendService } from '../messages/send.service';
import type { SmsApiConfig } from '../sms-api.config';
import { SmsApi } from '../sms-api.openapi';
import { SMS_NAMESPACE } from './soap-codec';
import { SoapErrorFilter } from './soap-error.filter';
import { normalizeSoap, SoapInterceptor } from './soap.interceptor';
import { buildWsdl } from './sms-wsdl';

const MAX_XML_BYTES = 256_000;
const EXAMPLE =
  '<SmsRequest><from>DEMOIN</from><to>+919876543210</to><template>otp</template><variables><code>123456</code></variables></SmsRequest>';

/** The content types of a response: of XML without an envelope, of SOAP 1.1 and of SOAP 1.2. */
const [BARE, SOAP_1_1, SOAP_1_2] = ['application/xml', 'text/xml', 'application/soap+xml'] as const;
const XML_TYPES = [BARE, SOAP_1_1, SOAP_1_2];

const BARE_ERROR = {
  schema: {
    type: 'object',
    xml: { name: 'SmsResponse', namespace: SMS_NAMESPACE },
    required: ['ok', 'error'],
    properties: { ok: { type: 'boolean', enum: [false] }, error: { $ref: getSchemaPath(ErrorBody) } },
  },
};

const FAULT = {
  schema: { type: 'string', description: 'An Envelope with a Fault, whose detail contains the SmsResponse' },
};

const SENT = { schema: { type: 'string', description: 'An SmsResponse, in the same envelope as the request' } };

/** Documents the errors of calls that have no envelope. */
function XmlApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeErrors(codes, { content: { [BARE]: BARE_ERROR } });
}

/** Documents the errors of calls with and without an envelope. The status of every fault of SOAP 1.1 is 500. */
function SoapApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const content = { [BARE]: BARE_ERROR, [SOAP_1_2]: FAULT };
  return describeErrors(codes, (status) => ({
    content: status === 500 ? { ...content, [SOAP_1_1]: FAULT } : content,
  }));
}

/** Sends by XML, bare or in a SOAP envelope. */
@SmsApi('SOAP', XmlApiErrors)
@ApiExtraModels(ErrorBody)
@UseFilters(SoapErrorFilter)
@UseInterceptors(SoapInterceptor)
@Controller(['sms/soap', 'api/sms/soap'])
export class SoapController {
  private readonly wsdlText: string;

  constructor(
    private readonly sends: SendService,
    @Inject(CONFIG) config: SmsApiConfig,
  ) {
    const base = (config.PUBLIC_BASE_URL ?? `http://localhost:${config.PORT}`).replace(/\/$/, '');
    this.wsdlText = buildWsdl(`${base}/sms/soap`);
  }

  @Post()
  @AdmittedByService()
  @HttpCode(200)
  @RequireScope('sms:send')
  @MessagingOperation({
    id: 'sendSmsBySoap',
    summary: 'Send or schedule a message by XML or SOAP',
    description:
      'The body is an SmsRequest, without an envelope or in a SOAP 1.1 or 1.2 envelope. The response uses the same envelope. In an envelope, an error is a Fault that contains the documented SmsResponse in its detail. The response to XML without an envelope is application/xml, to SOAP 1.1 text/xml, and to SOAP 1.2 application/soap+xml. The HTTP status of a SOAP 1.1 fault is always 500. XML without an envelope and SOAP 1.2 use the documented HTTP status.',
  })
  @Idempotent('sms.soap')
  @AcceptsBody({ maxBytes: MAX_XML_BYTES, bytes: normalizeSoap, mediaTypes: XML_TYPES })
  @ApiConsumes(...XML_TYPES)
  @ApiBody({ required: true, schema: { type: 'string', example: EXAMPLE } })
  @ApiResponse({
    status: 200,
    description: 'The message is sent or scheduled',
    content: { [BARE]: SENT, [SOAP_1_1]: SENT, [SOAP_1_2]: SENT },
  })
  @SoapApiErrors(...KEY_ERRORS, ...SEND_ERRORS)
  send(
    @Caller() caller: Tenant,
    @Body() request: SendRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<SendResponse> {
    return this.sends.send(caller, request, requestId, claim);
  }

  @Get()
  @Public()
  @MessagingOperation({
    id: 'getSmsWsdl',
    summary: 'Get the WSDL 1.1 description of the SOAP API',

    description: 'SOAP clients generate their classes from it.',
    sample: { query: { wsdl: '1' } },
  })
  @ApiQuery({ name: 'wsdl', required: true, schema: { type: 'string' }, allowEmptyValue: true })
  @ApiProduces('text/xml')
  @ApiResponse({ status: 200, schema: { type: 'string' } })
  @XmlApiErrors('METHOD_NOT_ALLOWED')
  wsdl(@Query() query: Record<string, unknown>): HttpResult<string> {
    if (!Object.keys(query).some((name) => name.toLowerCase() === 'wsdl')) throw usePost();
    return new HttpResult({ headers: { 'Content-Type': 'text/xml; charset=utf-8' }, body: this.wsdlText });
  }

  @All()
  @Public()
  @ApiExcludeEndpoint()
  other(): never {
    throw usePost();
  }
}

function usePost(): AppError {
  return new AppError('METHOD_NOT_ALLOWED', 'Use POST on this path, or GET with ?wsdl to download the WSDL.', {
    headers: { Allow: 'POST' },
  });
}
