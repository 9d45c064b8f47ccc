import type { MigrationSet } from '@heliograph/database';
import { CarrierSimulator } from '@heliograph/simulators';
import {
  CatalogService,
  type Onboarding,
  type OnboardingDetails,
  type Sender,
  type SenderDetails,
  type Template,
  type TemplateDetails,
} from '@heliograph/sms-catalog';
import {
  createTestDatabase,
  perWorker,
  startTestService,
  TenantFactory,
  unique,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import type { SmppCarrierConfigInput } from '../src/carriers/carrier-config';
import { smsCatalogEntities } from '@heliograph/sms-catalog';
import { smsApi } from '../src/sms-api.service';

export const RECIPIENT = '+919876543210';

/** An organization that can send: an approved Indian onboarding, a sender, a template, a key and credits. */
export interface SmsTenant {
  organizationId: string;
  workspaceId: string;
  key: string;
  onboarding: Onboarding;
  sender: Sender;
  template: Template;
}

/** The complete SMS service on real servers, with a carrier simulator. */
export class SmsFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => SmsFixture.start(),
    (fixture) => fixture.stop(),
  );

  private constructor(
    readonly database: TestDatabase,
    readonly tenants: TenantFactory,
    readonly catalog: CatalogService,
    readonly carrier: CarrierSimulator,
    public service: TestService,
    private readonly environment: Record<string, string>,
    /** The last digits of the last recipient. */
    private readonly recipients = { last: 10_000 },
  ) {}

  static async start(
    options: {
      environment?: Record<string, string> | ((databaseUrl: string) => Record<string, string>);
      carriers?: (port: number) => object[];
    } = {},
  ): Promise<SmsFixture> {
    const database = await createTestDatabase(smsApi.migrations as MigrationSet[]);
    const tenants = await TenantFactory.connect(database.url, smsCatalogEntities);
    const carrier = new CarrierSimulator();
    await carrier.start();
    const environment = {
      SMS_CARRIERS: JSON.stringify(options.carriers?.(carrier.smppPort) ?? [carrierAccount(carrier.smppPort)]),
      ...(typeof options.environment === 'function' ? options.environment(database.url) : options.environment),
    };
    const service = await startTestService(smsApi, database.url, environment);
    return new SmsFixture(database, tenants, new CatalogService(), carrier, service, environment);
  }

  /** Starts a second instance of the service with the same database, queues and carrier. Stop only its `service`. */
  async beside(environment: Record<string, string> = {}, logLines?: string[]): Promise<SmsFixture> {
    const { database, tenants, catalog, carrier, recipients } = this;
    const own = { ...this.environment, ...environment, AMQP_PREFIX: this.service.amqpPrefix };
    const service = await startTestService(smsApi, database.url, own, logLines);
    return new SmsFixture(database, tenants, catalog, carrier, service, own, recipients);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.carrier.stop();
    await this.tenants.close();
    await this.database.drop();
  }

  /** Restarts the service gracefully on the same database and queues. */
  async restart(environment: Record<string, string> = {}): Promise<void> {
    const { amqpPrefix } = this.service;
    await this.service.stop({ keepQueues: true });
    this.service = await startTestService(smsApi, this.database.url, {
      ...this.environment,
      ...environment,
      AMQP_PREFIX: amqpPrefix,
    });
  }

  get url(): string {
    return this.service.url;
  }

  /** Returns an Indian number that is unique within the test file. */
  recipient(): string {
    this.recipients.last += 1;
    return `+9198765${String(this.recipients.last).padStart(5, '0')}`;
  }

  /** Creates a separate tenant, so that tests are isolated. */
  async tenant(
    overrides: {
      credits?: number;
      onboarding?: Partial<OnboardingDetails>;
      sender?: Partial<SenderDetails>;
      template?: Partial<TemplateDetails>;
      key?: Parameters<TenantFactory['key']>[1];
      ipAllowlist?: string[];
    } = {},
  ): Promise<SmsTenant> {
    const organization = await this.tenants.organization({ ipAllowlist: overrides.ipAllowlist ?? [] });
    const workspace = await this.tenants.workspace(organization.id, { credits: { sms: overrides.credits ?? 1_000 } });
    const onboarding = await this.onboarding(organization.id, overrides.onboarding);
    const sender = await this.sender(organization.id, onboarding.id, overrides.sender);
    const template = await this.template(organization.id, onboarding.id, overrides.template);
    const key = await this.tenants.key(organization.id, overrides.key);
    return { organizationId: organization.id, workspaceId: workspace.id, key, onboarding, sender, template };
  }

  onboarding(organizationId: string, details: Partial<OnboardingDetails> = {}): Promise<Onboarding> {
    return this.catalog.putOnboarding(this.tenants.dataSource.manager, organizationId, {
      name: `india-${unique()}`,
      country: 'IN',
      status: 'approved',
      dltEntityId: '1101000000000000001',
      ...details,
    });
  }

  sender(organizationId: string, onboardingId: string, details: Partial<SenderDetails> = {}): Promise<Sender> {
    return this.catalog.putSender(this.tenants.dataSource.manager, organizationId, {
      header: `H${unique().slice(0, 8)}`.toUpperCase(),
      onboardingId,
      dltSenderId: '1105000000000000001',
      isActive: true,
      ...details,
    });
  }

  template(organizationId: string, onboardingId: string, details: Partial<TemplateDetails> = {}): Promise<Template> {
    return this.catalog.putTemplate(this.tenants.dataSource.manager, organizationId, {
      name: `otp-${unique()}`,
      onboardingId,
      body: 'Your code is {{code}}',
      dltTemplateId: '1107000000000000001',
      isActive: true,
      ...details,
    });
  }
}

/** The SMPP account config for a simulator, with short timeouts. */
export function carrierAccount(port: number, config: Partial<SmppCarrierConfigInput> = {}): SmppCarrierConfigInput {
  return {
    name: 'simulator',
    host: '127.0.0.1',
    port,
    systemId: 'heliograph',
    password: 'secret',
    responseTimeoutMs: 3_000,
    reconnectMinMs: 50,
    reconnectMaxMs: 200,
    stopTimeoutMs: 1_000,
    ...config,
  };
}
