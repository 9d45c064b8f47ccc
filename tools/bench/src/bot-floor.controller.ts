import type { IncomingMessage } from 'node:http';
import { Controller, Post } from '@nestjs/common';
import { BodyStream, Public, readBody, readJsonFields } from '@heliograph/service-kit';

const COMMON = {
  contentType: 'text',
  metadata: { author: 'bot', via: 'faq', faqId: 'faq_1' },
  createdAt: '2026-11-20T10:12:28.123Z',
};

/** The floor: reads the body of a message like the service, and returns a response of the same size. */
@Controller('bench')
export class BotFloorController {
  @Post('floor')
  @Public()
  async floor(@BodyStream() request: IncomingMessage): Promise<object> {
    const { bytes } = await readBody(request, 1_000_000);
    const { message } = readJsonFields(bytes);
    const userMessage = { id: '01900000-0000-7000-8000-000000000001', role: 'user', content: message, ...COMMON };
    const reply = { ...userMessage, id: '01900000-0000-7000-8000-000000000002', role: 'assistant', form: null };
    return { userMessage, reply, paused: false };
  }
}
