import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import type { OpenAPIObject } from '@nestjs/swagger';
import { INPUT_DEFAULTS } from '../http/input-formats';
import { createLogger } from '../observability/logger';
import type { ServiceConfig } from '../config/service.config';
import type { ServiceDefinition } from '../service';
import { SHARED_PROVIDERS } from '../shared-providers';
import { describeDocument } from './openapi';

@Module({})
class DescribedModule {}

/**
 * Composes the OpenAPI document of a service without starting it: the modules are scanned, and nothing is instantiated or
 * connected.
 *
 * @param environment the settings without which the configuration of the service is invalid
 */
export async function composeDocument<S extends ServiceConfig>(
  definition: ServiceDefinition<S>,
  environment: Record<string, string>,
): Promise<OpenAPIObject> {
  const config = definition.loadConfig(environment);
  const imports = definition.imports(config, createLogger(definition.name, 'silent'));
  const root: DynamicModule = {
    module: DescribedModule,
    global: true,
    imports: [DiscoveryModule, ThrottlerModule.forRoot([]), ...imports],
    providers: [
      ...SHARED_PROVIDERS.map((provide) => ({ provide, useValue: null })),
      { provide: INPUT_DEFAULTS, useValue: { ...definition.validation, ...definition.input } },
    ],
    exports: SHARED_PROVIDERS,
  };
  const app = await NestFactory.create(root, { preview: true, logger: false, abortOnError: false });
  return describeDocument(app, definition, (read) => definition.factsOf?.(read, config) ?? {});
}
