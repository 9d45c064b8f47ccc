import { generateKeyPairSync } from 'node:crypto';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { PlainHealthController, startPlainApp } from './plain-app';

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
const dkim = { domainName: 'bench.example', keySelector: 'plain', privateKey };
const transport = createTransport({ ...server, dkim, pool: true, maxConnections: 10, maxMessages: Infinity });

@Controller()
class PlainMailerController {
  @Post('send')
  @HttpCode(200)
  async send(@Body() { from, to, subject, text, html }: Send): Promise<object> {
    const { messageId } = await transport.sendMail({ from, to, subject, text, html });
    return { ok: true, messageId };
  }
}

/**
 * The reference: a nodemailer pool behind an endpoint that stores nothing. It uses as many connections as the service, TLS
 * and a DKIM signature on each email, as the service does.
 */
@Module({ controllers: [PlainMailerController, PlainHealthController] })
class PlainMailerModule {}

void startPlainApp(PlainMailerModule);
