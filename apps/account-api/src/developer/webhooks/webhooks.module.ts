import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeysModule, ApiKey } from '@heliograph/auth';
import { Purchase } from '@heliograph/billing';
import { Contact } from '@heliograph/bot-conversations';
import { ContactsLibraryModule } from '@heliograph/contacts';
import { TenancyModule } from '@heliograph/tenancy';
import { WebhooksLibraryModule } from '@heliograph/webhooks';
import { TestOrganizationsModule } from '../../test-mode/test-organizations.module';
import { AccountEventsConsumer } from './account-events.consumer';
import { V1DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { EndpointCheck } from './endpoint-check.service';
import { EventRecorder } from './event-recorder';
import { V1EventsController } from './events.controller';
import { MessageEventsConsumer } from './message-events.consumer';
import { V1WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Webhooks and the event feed. */
@Module({
  imports: [
    TenancyModule,
    WebhooksLibraryModule,
    ContactsLibraryModule,
    KeysModule,
    TestOrganizationsModule,
    TypeOrmModule.forFeature([ApiKey, Contact, Purchase]),
  ],
  controllers: [V1WebhooksController, V1DeliveriesController, V1EventsController],
  providers: [
    AccountEventsConsumer,
    DeliveriesService,
    EndpointCheck,
    EventRecorder,
    MessageEventsConsumer,
    WebhooksService,
  ],
})
export class WebhooksModule {}
