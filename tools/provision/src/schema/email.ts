import { addressKey, readDomainName, readEmailAddress } from '@heliograph/addresses';
import {
  DOMAIN_STATUSES,
  EVERY_SCOPE,
  isSuppressionScope,
  isUnsubscribeScope,
  SUPPRESSION_REASONS,
  SUPPRESSION_SCOPE_RULE,
  UNSUBSCRIBE_SCOPE_RULE,
} from '@heliograph/email-catalog';
import { z } from 'zod';
import { optionalText, refuseRepeats, text, timestamp } from './fields';

const bareAddress = z.string().transform((value, context): string => {
  const address = readEmailAddress(value);
  if (address !== null) return address;
  context.addIssue({
    code: 'custom',
    message: 'must be a single email address without a name, such as hello@example.com',
  });
  return z.NEVER;
});

const domain = z.strictObject({
  name: text,
  /** If omitted, a new domain is pending and an existing one remains unchanged. */
  status: z.enum(DOMAIN_STATUSES).optional(),
  expiresAt: timestamp.nullable().default(null),
});

const sender = z.strictObject({ address: bareAddress, name: optionalText, main: z.boolean().default(false) });

const template = z.strictObject({
  slug: text,
  name: text,
  subject: optionalText,
  html: optionalText,
  text: optionalText,
  unsubscribeScope: z.string().refine(isUnsubscribeScope, UNSUBSCRIBE_SCOPE_RULE).nullable().default(null),
});

const suppression = z.strictObject({
  address: bareAddress,
  scope: z.string().refine(isSuppressionScope, SUPPRESSION_SCOPE_RULE).default(EVERY_SCOPE),
  reason: z.enum(SUPPRESSION_REASONS),
});

export const email = z
  .strictObject({
    domains: z.array(domain).default([]),
    senders: z.array(sender).default([]),
    templates: z.array(template).default([]),
    suppressions: z.array(suppression).default([]),
  })
  .superRefine(({ domains, senders, templates, suppressions }, context) => {
    const addressOf = ({ address }: { address: string }): string => addressKey(address);
    refuseRepeats(context, domains, ['domains'], 'name', ({ name }) => readDomainName(name) ?? name);
    refuseRepeats(context, senders, ['senders'], 'address', addressOf);
    refuseRepeats(context, templates, ['templates'], 'slug', ({ slug }) => slug);
    refuseRepeats(context, suppressions, ['suppressions'], 'address', (one) => `${addressOf(one)} ${one.scope}`);
    const [, second] = senders.flatMap(({ main }, index) => (main ? [index] : []));
    if (second === undefined) return;
    const message = 'is true twice; an organization has one main sender';
    context.addIssue({ code: 'custom', path: ['senders', second, 'main'], message });
  });

export type ProvisionedEmail = z.output<typeof email>;
