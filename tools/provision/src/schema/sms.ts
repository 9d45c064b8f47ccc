import { isCountryCode } from '@heliograph/addresses';
import { ONBOARDING_STATUSES } from '@heliograph/sms-catalog';
import { z } from 'zod';
import { count, optionalText, refuseRepeats, text } from './fields';

export const country = z.string().refine(isCountryCode, 'must be an ISO 3166 alpha-2 code in capitals, such as IN');

const onboarding = z.strictObject({
  name: text,
  country,
  status: z.enum(ONBOARDING_STATUSES).default('approved'),
  dltEntityId: optionalText,
});

const sender = z.strictObject({
  header: text,
  /** The name of an onboarding. */
  onboarding: text,
  dltSenderId: optionalText,
  active: z.boolean().default(true),
});

const template = z.strictObject({
  name: text,
  onboarding: text,
  body: text,
  dltTemplateId: optionalText,
  active: z.boolean().default(true),
});

export const sms = z
  .strictObject({
    onboardings: z.array(onboarding).default([]),
    senders: z.array(sender).default([]),
    templates: z.array(template).default([]),
  })
  .superRefine(({ onboardings, senders, templates }, context) => {
    refuseRepeats(context, onboardings, ['onboardings'], 'name', ({ name }) => name);
    refuseRepeats(context, senders, ['senders'], 'header', ({ header }) => header);
    refuseRepeats(context, templates, ['templates'], 'name', ({ onboarding: of, name }) => `${of}\n${name}`);
  });

export const smsRate = z.strictObject({ country, rate: count.max(1_000_000) });

export type ProvisionedSms = z.output<typeof sms>;
