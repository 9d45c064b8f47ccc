import { readUserAddress } from '@heliograph/users';
import { z } from 'zod';
import { bots } from './bots';
import { chatapp, chatappPlatform } from './chatapp';
import { contact, contactGroup } from './contacts';
import { creditPackage } from './credit-packages';
import { email } from './email';
import { refuseRepeats, slug, text } from './fields';
import { sms, smsRate } from './sms';
import { apiKey, cidr, unboundApiKey, user, workspace } from './tenancy';

const organization = z
  .strictObject({
    slug,
    /** Default: the slug. */
    name: text.optional(),
    ipAllowlist: z.array(cidr).default([]),
    users: z.array(user).default([]),
    workspaces: z.array(workspace).default([]),
    apiKeys: z.array(apiKey).default([]),
    sms: sms.prefault({}),
    email: email.prefault({}),
    chatapp: chatapp.prefault({}),
    bots: bots.default([]),
    groups: z.array(contactGroup).default([]),
    contacts: z.array(contact).default([]),
  })
  .superRefine(({ users, apiKeys, bots, groups, contacts }, context) => {
    refuseRepeats(context, users, ['users'], 'email', (entry) => readUserAddress(entry.email));
    refuseRepeats(context, apiKeys, ['apiKeys'], 'name', ({ name }) => name);
    refuseRepeats(context, groups, ['groups'], 'name', ({ name }) => name);
    refuseRepeats(context, contacts, ['contacts'], 'email', ({ email }) => email?.toLowerCase());
    refuseRepeats(context, contacts, ['contacts'], 'phone', ({ phone }) => phone ?? undefined);
    refuseRepeats(context, bots, ['bots'], 'slug', ({ workspace, slug }) => `${workspace} ${slug}`);
  });

/** The provisioning file. Unknown keys are rejected everywhere except in a bot's free-form settings. */
export const provisioningFile = z
  .strictObject({
    organizations: z.array(organization).default([]),
    unboundApiKeys: z.array(unboundApiKey).default([]),
    platform: z
      .strictObject({
        sms: z.strictObject({ rates: z.array(smsRate).default([]) }).prefault({}),
        chatapp: chatappPlatform.prefault({}),
        creditPackages: z.array(creditPackage).default([]),
      })
      .prefault({}),
  })
  .superRefine(({ organizations, unboundApiKeys, platform }, context) => {
    refuseRepeats(context, organizations, ['organizations'], 'slug', (entry) => entry.slug);
    refuseRepeats(context, unboundApiKeys, ['unboundApiKeys'], 'name', ({ name }) => name);
    refuseRepeats(context, platform.creditPackages, ['platform', 'creditPackages'], 'key', ({ key }) => key);
    refuseRepeats(context, platform.sms.rates, ['platform', 'sms', 'rates'], 'country', (entry) => entry.country);
  });

export type ProvisioningFile = z.output<typeof provisioningFile>;
export type ProvisionedOrganization = ProvisioningFile['organizations'][number];
