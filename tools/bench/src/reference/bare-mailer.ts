import 'reflect-metadata';
import { generateKeyPairSync } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createTransport } from 'nodemailer';

interface Send {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

const { hostname, port } = new URL(process.env['EMAIL_SMTP_URL'] ?? '');
const server = { host: hostname, port: Number(port), tls: { rejectUnauthorized: false } };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const dkim = { domainName: 'bench.example', keySelector: 'bare', privateKey };
const transport = createTransport({ ...server, dkim, pool: true, maxConnections: 10, maxMessages: Infinity });

@Controller()
class BareMailerController {
  @Post('send')
  @HttpCode(200)
  async send(@Body() { from, to, subject, text, html }: Send): Promise<object> {
    const { messageId } = await transport.sendMail({ from, to, subject, text, html });
    return { ok: true, messageId };
  }

  @Get('health/ready')
  ready(): object {
    return { status: 'ready' };
  }
}

/**
 * The yardstick: a pool of nodemailer behind an endpoint, and nothing that is kept. As many connections as the service has,
 * encrypted as its are, and a signature on each mail.
 */
@Module({ controllers: [BareMailerController] })
class BareMailerModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(BareMailerModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
}

void main();
