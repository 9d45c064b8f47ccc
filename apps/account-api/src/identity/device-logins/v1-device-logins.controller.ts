import { Body, Controller, Post } from '@nestjs/common';
import { Public, RequestId, V1ApiErrors, V1Operation } from '@heliograph/service-kit';
import { RateLimitedAs } from '../../access/access.decorators';
import { CurrentClient, type HttpClient } from '../../access/http-client';
import { V1Api } from '../../developer/reference/v1-api';
import { PUBLIC_ERRORS } from '../../http/api-errors';
import { DeviceLoginsService } from './device-logins.service';
import { V1DeviceLogin, V1DeviceLoginRequest, V1DeviceToken, V1DeviceTokenRequest } from './v1-device-logins.dto';

@V1Api('v1: authentication')
@V1ApiErrors('INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', ...PUBLIC_ERRORS)
@Controller('api/v1/auth/device')
export class V1DeviceLoginsController {
  constructor(private readonly logins: DeviceLoginsService) {}

  @Post()
  @Public()
  @RateLimitedAs('auth')
  @V1Operation({
    id: 'v1StartDeviceLogin',
    summary: 'Start the login of a program without a browser',
    description:
      'Device authorization as in RFC 8628, with an API key instead of an access token. Display `user_code`, let the person open ' +
      '`verification_uri_complete`, and poll POST /api/v1/auth/device/token every `interval` seconds. An owner or admin approves the login ' +
      'in the console and chooses the scopes of the key.',
    status: 201,
    response: V1DeviceLogin,
    sample: { body: { name: 'Command line on laptop', mode: 'test', scopes: ['sms:send', 'sms:read'] } },
  })
  async start(
    @Body() { name, mode, scopes }: V1DeviceLoginRequest,
    @CurrentClient() { attempt }: HttpClient,
  ): Promise<V1DeviceLogin> {
    const details = { name, mode: mode ?? 'test', scopes: scopes ?? [] };
    return V1DeviceLogin.of(await this.logins.start(details, attempt.from.ipAddress));
  }

  @Post('token')
  @Public()
  // The login has an interval of its own. The limit protects the database from invented codes.
  @RateLimitedAs('account')
  @V1Operation({
    id: 'v1ExchangeDeviceCode',
    summary: 'Get the API key of an approved login',
    description:
      'Returns the key once. Until a person has decided, the response is `AUTH_DEVICE_PENDING`. After a poll that is too early, it is ' +
      '`AUTH_DEVICE_SLOW_DOWN`, and the interval is 5 seconds longer.',
    response: V1DeviceToken,
    errors: [
      'AUTH_DEVICE_PENDING',
      'AUTH_DEVICE_SLOW_DOWN',
      'AUTH_DEVICE_DENIED',
      'AUTH_DEVICE_EXPIRED',
      'STATE_CONFLICT',
    ],
    sample: {
      body: { device_code: 'vT7yB1mQ0xK4cZ9nR2wJ6sD8fL3hG5pA' },
      values: { device_code: { given: 'device_code of the started login' } },
    },
  })
  async exchange(
    @Body() { device_code: deviceCode }: V1DeviceTokenRequest,
    @CurrentClient() { attempt }: HttpClient,
    @RequestId() requestId: string,
  ): Promise<V1DeviceToken> {
    return V1DeviceToken.of(await this.logins.exchange(deviceCode, { ...attempt.from, requestId }));
  }
}
