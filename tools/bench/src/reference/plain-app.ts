import 'reflect-metadata';
import { Controller, Get, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { databaseConfigSchema } from '@heliograph/database';
import { DataSource } from 'typeorm';

/** A data source with as many connections as a service has. */
export const dataSourceProvider = {
  provide: DataSource,
  useFactory: (): Promise<DataSource> => {
    const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = databaseConfigSchema.parse(process.env);
    return new DataSource({ type: 'postgres', url, poolSize }).initialize();
  },
};

@Controller('health/ready')
export class PlainHealthController {
  @Get()
  ready(): object {
    return { status: 'ready' };
  }
}

/** Starts a reference: a Nest application with the framework's own JSON parser. */
export async function startPlainApp(module: Type, options: { rawBody?: boolean } = {}): Promise<void> {
  const logger = ['error' as const, 'warn' as const];
  const app = await NestFactory.create<NestExpressApplication>(module, { ...options, logger });
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
}
