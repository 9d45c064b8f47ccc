import { accountApi } from '@heliograph/account-api';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { loadSecretKeys, provision } from './provision';
import type { ProvisioningReport } from './report';

export const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ01';
export const FILE = `
organizations:
  - slug: acme
    name: Acme
    ipAllowlist: [10.0.0.0/8]
    users:
      - { email: Owner@Acme.example, name: Owner, password: correct horse battery staple, role: owner, totpSecret: JBSWY3DPEHPK3PXP }
      - { email: made@acme.example, name: Made }
    workspaces:
      - { slug: acme-first, credits: { sms: 10, email: 20 } }
      - { slug: acme-second, plan: pro, status: locked, billingCustomer: cus_2 }
    apiKeys:
      - { name: given, key: ${KEY}, scopes: ["sms:read"], role: viewer, workspace: acme-second, expiresAt: 2030-01-01T00:00:00Z }
      - { name: made }
    sms:
      onboardings: [{ name: india, country: IN, dltEntityId: "11" }]
      senders: [{ header: ACMEIN, onboarding: india, dltSenderId: "12" }]
      templates: [{ name: otp, onboarding: india, body: "{{code}}", dltTemplateId: "13", active: false }]
    email:
      domains:
        - { name: Acme.example, status: verified, expiresAt: 2030-01-01T00:00:00Z }
        - { name: new.example }
      senders:
        - { address: first@acme.example, name: First }
        - { address: Hello@ACME.example, name: Acme, main: true }
      templates: [{ slug: welcome, name: Welcome, subject: "Hi {{ name }}", html: "<p>{{ code }}</p>" }]
      suppressions: [{ address: Gone@elsewhere.example, reason: bounced }]
    chatapp:
      consents:
        - { number: "919811111111", status: opted_out }
        - { number: "+919811111112", status: opted_in, source: form, note: Signed at the counter }
    bots:
      - publicId: bot_acme
        name: Acme <b>Help</b>
        slug: acme-help
        workspace: acme-first
        settings: { branding: { color: "#0a7" }, mine: [1, null, { deep: true }] }
        version: { number: 2, tone: friendly }
        faqs:
          - { id: hours, question: "What are your opening hours?", answer: 9 to 5, label: Hours }
          - { id: winter, question: "Do you open in winter?", phrasings: ["Are you open when it snows?"], answer: "Yes", published: false }
        knowledge: [{ title: Returns, body: "Goods can be returned within 30 days." }]
        shortcuts: [{ id: returns, label: Returns, command: /Returns, type: knowledge_query, query: returns, displayOrder: 1 }]
        forms: [{ id: lead, title: Leave your details, trigger: { keywords: [demo] }, fields: [{ key: email, label: Email, type: email, required: true }] }]
      - { publicId: bot_draft, name: Draft, slug: draft, status: draft, workspace: acme-second }
    groups: [{ name: customers, description: Everybody who bought something }]
    contacts:
      - { email: Ann@Elsewhere.example, phone: "919811111112", firstName: Ann, attributes: { plan: pro }, groups: [customers], consent: { sms: opted_in } }
      - { phone: "+919811111113", timeZone: Asia/Kolkata }
unboundApiKeys: [{ name: stray }]
platform:
  sms: { rates: [{ country: DE, rate: 3 }] }
  chatapp:
    prices:
      - { country: IN, category: marketing, baseCost: 70, markup: 9, currency: INR }
      - { country: "*", category: service, baseCost: 5, markup: 1, currency: INR }
      - { country: IN, category: marketing, baseCost: 75, markup: 9, currency: INR, validFrom: 2100-01-01T00:00:00Z }
`;

export interface ProvisioningTest {
  readonly database: TestDatabase;
  apply(yaml: string): Promise<ProvisioningReport>;
  rows<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
}

/** Gives every test of the file an empty database with all schemas. */
export function useProvisioning(): ProvisioningTest {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase([...new Set([...smsApi.migrations, ...accountApi.migrations])]);
  });
  afterEach(() => database.drop());
  return {
    get database() {
      return database;
    },
    apply: (yaml) => provision(database.url, yaml, 'f.yaml', 'tst', loadSecretKeys({ isLocalStack: true })),
    rows: (sql, values) => database.query(sql, values),
  };
}
