import { Controller, Headers, HttpCode, Post, Req, UnauthorizedException } from '@nestjs/common';
import type { RawBodyRequest } from '@nestjs/common';
import {
  HUB_SIGNATURE_HEADER,
  PROCESSOR_SIGNATURE_HEADER,
  verifyHubSignature,
  verifyProcessorSignature,
} from '@heliograph/secrets';
import type { Request } from 'express';
import { DataSource } from 'typeorm';

interface Event {
  id: string;
  type: string;
  created: number;
}

@Controller('webhooks/payments')
export class PlainHookController {
  private readonly secrets = [process.env['BILLING_WEBHOOK_SECRET'] ?? ''];

  constructor(private readonly dataSource: DataSource) {}

  @Post()
  @HttpCode(200)
  async receive(
    @Req() request: RawBodyRequest<Request>,
    @Headers(PROCESSOR_SIGNATURE_HEADER) signature: string,
  ): Promise<object> {
    const body = request.rawBody ?? Buffer.alloc(0);
    const verdict = verifyProcessorSignature(signature, body, this.secrets, Math.floor(Date.now() / 1000));
    if (verdict !== 'ok') throw new UnauthorizedException();
    const { id, type, created } = request.body as Event;
    await this.dataSource.query(
      `INSERT INTO reference.payment_events (id, type, created, payload) VALUES ($1, $2, to_timestamp($3), $4)
       ON CONFLICT (id) DO NOTHING`,
      [id, type, created, body.toString('utf8')],
    );
    return { received: true };
  }
}

interface Envelope {
  entry: { changes: { value: { messages: { id: string; from: string; type: string }[] } }[] }[];
}

@Controller('webhooks/chatapp')
export class PlainUpdatesController {
  private readonly secret = process.env['CHATAPP_APP_SECRET'] ?? '';

  constructor(private readonly dataSource: DataSource) {}

  @Post()
  @HttpCode(200)
  async receive(
    @Req() request: RawBodyRequest<Request>,
    @Headers(HUB_SIGNATURE_HEADER) signature: string,
  ): Promise<object> {
    const body = request.rawBody ?? Buffer.alloc(0);
    if (verifyHubSignature(this.secret, body, signature) !== 'ok') throw new UnauthorizedException();
    for (const { changes } of (request.body as Envelope).entry) {
      for (const message of changes.flatMap(({ value }) => value.messages)) {
        await this.dataSource.query(
          `INSERT INTO reference.chat_messages (id, sender, type, payload) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO NOTHING`,
          [message.id, message.from, message.type, JSON.stringify(message)],
        );
      }
    }
    return { ok: true };
  }
}
