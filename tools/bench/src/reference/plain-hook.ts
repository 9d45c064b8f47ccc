import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { databaseSettings } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { HealthController, PlainHookController, PlainUpdatesController } from './plain-hook.controller';

const settings = databaseSettings.parse(process.env);

/**
 * The yardstick: endpoints for webhooks as they are written first. Nest with its own JSON parser, the raw body
 * kept, and one statement per event; as many connections as the service has.
 */
@Module({
  controllers: [PlainHookController, PlainUpdatesController, HealthController],
  providers: [
    {
      provide: DataSource,
      useFactory: () =>
        new DataSource({
          type: 'postgres',
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
        }).initialize(),
    },
  ],
})
class PlainHookModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(PlainHookModule, {
    rawBody: true,
    logger: ['error', 'warn'],
  });
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
}

void main();
