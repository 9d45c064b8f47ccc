import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RateLimitedAs, RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { OneKey } from '../../developer/api-keys/api-keys.dto';
import { AccountOperation, ApiNoContent, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { ApproveDeviceRequest, DeviceLoginQuery, OneDeviceLogin } from './device-logins.dto';
import { DeviceLoginsService } from './device-logins.service';

const STARTED = { create: '/api/v1/auth/device', field: 'user_code' };

/** The codes are in bodies, because addresses are logged. The limit is that of credentials, because a code can be guessed. */
@ApiTags('Authentication')
@Controller('api/auth/device')
export class DeviceLoginsController {
  constructor(private readonly logins: DeviceLoginsService) {}

  @Post('lookup')
  @RequirePermission('keys:write', { evenWhenLocked: true })
  @RateLimitedAs('credentials')
  @AccountOperation({
    id: 'lookUpDeviceLogin',
    summary: 'Get the login of a device that waits for its approval',
    description: 'Shows which program asks for an API key, from which address, and with which mode and scopes.',
    response: OneDeviceLogin,
    errors: ['NOT_FOUND'],
    sample: { body: { userCode: 'WDJB-MJHT' }, values: { userCode: STARTED } },
  })
  find(@Body() { userCode }: DeviceLoginQuery): Promise<OneDeviceLogin> {
    return this.logins.find(userCode);
  }

  @Post('approve')
  @RequirePermission('keys:write')
  @RateLimitedAs('credentials')
  @IdempotentWrite()
  @AccountOperation({
    id: 'approveDeviceLogin',
    summary: 'Approve the login of a device, and create its API key',
    description:
      'The key belongs to the organization of the caller and has the mode that the device asked for. Only the device gets the secret.',
    response: OneKey,
    errors: ['NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: { userCode: 'WDJB-MJHT', name: 'Command line on laptop', scopes: ['sms:send', 'sms:read'] },
      values: { userCode: STARTED },
    },
  })
  approve(
    @CurrentCaller() caller: Caller,
    @Body() body: ApproveDeviceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneKey> {
    return this.logins.approve(write, caller, body);
  }

  @Post('deny')
  @RequirePermission('keys:write', { evenWhenLocked: true })
  @RateLimitedAs('credentials')
  @IdempotentWrite()
  @ApiNoContent()
  @AccountOperation({
    id: 'denyDeviceLogin',
    summary: 'Deny the login of a device',
    description: 'The device gets no API key, and its code is no longer valid.',
    errors: ['NOT_FOUND'],
    sample: { body: { userCode: 'WDJB-MJHT' }, values: { userCode: STARTED } },
  })
  deny(
    @CurrentCaller() caller: Caller,
    @Body() { userCode }: DeviceLoginQuery,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    return this.logins.deny(write, caller, userCode);
  }
}
