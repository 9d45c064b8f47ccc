import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiDescription, CONFIG, ReferenceService, V1_PREFIX, type ReferenceApi } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../account-api.config';
import { ServiceDocuments } from './service-documents';
import { readGuides } from './guides-folder';
import { OUTLINE } from './outline';
import { V1ReferenceService } from './v1-reference.service';

/** Sets the guides and the APIs of the documentation: the v1 API, and the APIs of all services whose base URLs are configured. */
@Injectable()
export class ApiReference implements OnModuleInit {
  constructor(
    private readonly reference: ReferenceService,
    private readonly documents: ServiceDocuments,
    private readonly v1: V1ReferenceService,
    private readonly own: ApiDescription,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    this.reference.showGuides(await readGuides());
    const { config } = this;
    const apis: ReferenceApi[] = [
      {
        id: 'v1',
        title: 'API v1',
        description: 'SMS, email, contacts, campaigns, analytics and webhooks for applications.',
        read: () => this.v1.document(),
      },
      ...this.service(config.SMS_API_URL, {
        id: 'sms-api',
        title: 'SMS API',
        description: 'Template-based, DLT-compliant SMS in four call styles: JSON, query string, form and SOAP.',
        omits: V1_PREFIX,
      }),
      ...this.service(config.EMAIL_API_URL, {
        id: 'email-api',
        title: 'Email API',
        description: 'Transactional email with inline content or stored templates.',
        omits: V1_PREFIX,
      }),
      ...this.service(config.CHATAPP_API_URL, {
        id: 'chatapp-api',
        title: 'Chat-app API',
        description: 'Text, template, media and interactive messages in a chat app.',
      }),
      ...this.service(config.BOT_RUNTIME_URL, {
        id: 'bot-runtime',
        title: 'Bot runtime',
        description: 'The widget, the hosted pages and the conversations between visitors and bots.',
      }),
      {
        id: 'account-api',
        title: 'Account API',
        description: 'Users, workspaces, members, API keys, credits, sender registrations and bots of an organization.',
        omits: V1_PREFIX,
        read: () => this.own.read(),
      },
      ...this.service(config.CHATAPP_HOOK_URL, {
        id: 'chatapp-hook',
        title: 'Chat-app receiver',
        description: 'The webhook of the chat-app provider.',
      }),
      ...this.service(config.BILLING_HOOK_URL, {
        id: 'billing-hook',
        title: 'Billing hook',
        description: 'The webhook of the payment processor.',
      }),
    ];
    this.reference.show(apis, OUTLINE);
  }

  private service(url: string | undefined, api: Omit<ReferenceApi, 'read'>): ReferenceApi[] {
    return url === undefined ? [] : [{ ...api, read: () => this.documents.read(url) }];
  }
}
