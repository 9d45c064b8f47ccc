import { parseCidr } from '@heliograph/auth';
import { CREDIT_TYPES, ROLES, SCOPES } from '@heliograph/contracts';
import { WORKSPACE_STATUSES } from '@heliograph/tenancy';
import { z } from 'zod';
import { count, emailAddress, slug, text, timestamp } from './fields';

export const cidr = z
  .string()
  .refine((entry) => parseCidr(entry) !== null, 'must be an IP address or CIDR, such as 10.0.0.0/8');

export const user = z.strictObject({
  email: emailAddress,
  name: text,
  /** Generated if omitted. */
  password: text.optional(),
  role: z.enum(ROLES).default('member'),
  totpSecret: z
    .string()
    .regex(/^[A-Z2-7]+=*$/i, 'must be base32')
    .nullable()
    .default(null),
});

/** Fields that billing changes later (plan, status, customer) remain unchanged if omitted. */
export const workspace = z.strictObject({
  slug,
  displayName: text.optional(),
  plan: text.optional(),
  status: z.enum(WORKSPACE_STATUSES).optional(),
  billingCustomer: text.nullable().optional(),
  credits: z.partialRecord(z.enum(CREDIT_TYPES), count).default({}),
});

const key = z
  .string()
  .regex(
    /^[A-Za-z0-9]+_(?:live|test)_[A-Za-z0-9]{32,200}$/,
    'must be <prefix>_live_ or <prefix>_test_ and at least 32 letters and digits',
  );

const keyFields = {
  name: text,
  /** Generated if omitted and the key is new. */
  key: key.optional(),
  /** Empty for unrestricted. */
  scopes: z.array(z.enum(SCOPES)).default([]),
  role: z.enum(ROLES).default('owner'),
  expiresAt: timestamp.nullable().default(null),
  revoked: z.boolean().default(false),
};

export const unboundApiKey = z.strictObject(keyFields);
export const apiKey = z.strictObject({
  ...keyFields,
  /** The slug of a workspace; null if unbound. */
  workspace: slug.nullable().default(null),
});

export type ProvisionedUser = z.output<typeof user>;
export type ProvisionedWorkspace = z.output<typeof workspace>;
export type ProvisionedKey = z.output<typeof apiKey>;
