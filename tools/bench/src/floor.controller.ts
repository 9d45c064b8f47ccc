import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { readJsonFields, decodeText, readBody } from '@heliograph/platform';
import { fieldsFromJson, toSendRequest } from '@heliograph/sms-api';

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

/** The floor: the same app, guards, body and validation as a send, and then nothing. */
@Controller('bench')
export class FloorController {
  @Post('floor')
  @HttpCode(200)
  @RequireScope('sms:send')
  async floor(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { bytes } = await readBody(request, response, 1_000_000);
    const { to } = toSendRequest(fieldsFromJson(readJsonFields(decodeText(bytes))), { fromUrl: false });
    return { ...ANSWER, to, organizationId: caller.organizationId };
  }
}
