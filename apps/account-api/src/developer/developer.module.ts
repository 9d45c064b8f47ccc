import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { V1ReferenceModule } from './reference/v1-reference.module';
import { RequestsModule } from './requests/requests.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** API keys and their calls, webhooks, and the reference of the v1 API. */
@Module({ imports: [ApiKeysModule, RequestsModule, V1ReferenceModule, WebhooksModule] })
export class DeveloperModule {}
