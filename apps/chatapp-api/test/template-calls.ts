import { unique, type HttpResponse } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';

/** Sends the template requests of one tenant, and reads the templates of the simulated provider. */
export class TemplateCalls {
  private constructor(
    readonly chatapp: ChatappFixture,
    readonly tenant: ChatappTenant,
  ) {}

  /** Starts a separate service, because the counts of a sync include all templates of the provider. */
  static async start(): Promise<TemplateCalls> {
    const chatapp = await ChatappFixture.start();
    return new TemplateCalls(chatapp, await chatapp.tenant());
  }

  newName(): string {
    return `t_${unique()}`;
  }

  valid(name: string, more: object = {}): object {
    return {
      name,
      language: 'en_US',
      category: 'Utility',
      components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left us.' }],
      ...more,
    };
  }

  create(body: unknown, { key = this.tenant.key, headers = {} as Record<string, string> } = {}): Promise<HttpResponse> {
    return this.chatapp.post(key, '/chatapp/templates', body, headers);
  }

  sync(key = this.tenant.key): Promise<HttpResponse> {
    return this.chatapp.call('/chatapp/templates/sync', { method: 'POST', key });
  }

  remove(name: string, key = this.tenant.key): Promise<HttpResponse> {
    return this.chatapp.call(`/chatapp/templates/${name}`, { method: 'DELETE', key });
  }

  async list(key = this.tenant.key, query = ''): Promise<Record<string, unknown>[]> {
    const { body } = await this.chatapp.call(`/chatapp/templates${query}`, { key });
    return body['templates'] as Record<string, unknown>[];
  }

  async listed(name: string, key = this.tenant.key): Promise<Record<string, unknown>[]> {
    return (await this.list(key)).filter((one) => one['name'] === name);
  }

  /** Returns the templates with this name at the provider. */
  upstream(name: string) {
    return this.chatapp.provider.templates().filter((template) => template.name === name);
  }

  /** Returns the template requests that the provider received. */
  calls(method: string) {
    return this.chatapp.provider
      .requests()
      .filter((one) => one.method === method && one.path.endsWith('/message_templates'));
  }
}
