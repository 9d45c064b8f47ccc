import { accountApi } from '@heliograph/account-api';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { emailApi } from '@heliograph/email-api';
import { composeDocument, type ServiceConfig, type ServiceDefinition } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The services whose operations customers call. chatapp-hook and billing-hook receive calls of other systems. */
export const CUSTOMER_SERVICES = ['sms-api', 'email-api', 'chatapp-api', 'bot-runtime', 'account-api'] as const;
export type CustomerService = (typeof CUSTOMER_SERVICES)[number];
export type ServiceDocuments = Record<CustomerService, OpenAPIObject>;

/** Required settings. The documents do not depend on them, and nothing is connected. */
const ENVIRONMENT = {
  ROLE: 'api',
  DATABASE_URL: 'postgresql://127.0.0.1/none',
  PUBLIC_BASE_URL: 'http://localhost:8080',
  PUBLIC_BOTS_URL: 'http://localhost:8080',
  EMAIL_RETURN_PATH_DOMAIN: 'bounces.example.com',
  EMAIL_SMTP_URL: 'smtp://127.0.0.1:1025',
  EMAIL_TOKEN_SECRET: 'only-for-documents',
  EMAIL_PLATFORM_FROM: 'no-reply@example.com',
};

/** The OpenAPI documents of these services, composed without starting them. */
export async function readDocuments(): Promise<ServiceDocuments> {
  const compose = <S extends ServiceConfig>(definition: ServiceDefinition<S>): Promise<OpenAPIObject> =>
    composeDocument(definition, ENVIRONMENT);
  return {
    'sms-api': await compose(smsApi),
    'email-api': await compose(emailApi),
    'chatapp-api': await compose(chatappApi),
    'bot-runtime': await compose(botRuntime),
    'account-api': await compose(accountApi),
  };
}
