import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AcceptsBody, AdmittedByService } from '@heliograph/service-kit';
import { normalizeSendJson, SendRequest } from '@heliograph/sms-api';

const ANSWER = {
  ok: true,
  status: 'queued',
  messageId: '01900000-0000-7000-8000-000000000001',
  to: '+919800000000',
  from: 'BENCHS',
  senderId: '01900000-0000-7000-8000-000000000002',
  templateId: '01900000-0000-7000-8000-000000000003',
  renderedBody: 'Your code is 123456',
  encoding: 'gsm-7',
  segments: 1,
  creditsCost: 1,
  creditsRemaining: 999_999,
  flash: false,
  scheduledAt: null,
  createdAt: '2026-11-20T10:12:28.123456',
};

/** The floor: the app, guards, body reading and validation of a send, without its effects. Like a send, it needs no admission. */
@Controller('bench')
export class FloorController {
  @Post('floor')
  @HttpCode(200)
  @AdmittedByService()
  @RequireScope('sms:send')
  @AcceptsBody({ json: normalizeSendJson })
  floor(@Caller() caller: Tenant, @Body() { to }: SendRequest): object {
    return { ...ANSWER, to, organizationId: caller.organizationId };
  }
}
