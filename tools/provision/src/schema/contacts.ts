import {
  CONSENTS,
  FIELD_RULES,
  isAttributeName,
  isAttributeValue,
  MAX_ATTRIBUTES,
  readContactField,
  type AttributeValue,
  type ContactData,
} from '@heliograph/contacts';
import { z } from 'zod';
import { optionalText, text } from './fields';

const field = (name: keyof ContactData) =>
  z
    .string()
    .transform((value, context): string => {
      const stored = readContactField(name, value);
      if (stored !== null) return stored;
      context.addIssue({ code: 'custom', message: FIELD_RULES[name] });
      return z.NEVER;
    })
    .nullable()
    .default(null);

const attributes = z
  .record(z.string(), z.custom<AttributeValue>(isAttributeValue, 'must be text, a number or a boolean'))
  .refine((all) => Object.keys(all).length <= MAX_ATTRIBUTES && Object.keys(all).every(isAttributeName), {
    error: `must have at most ${MAX_ATTRIBUTES} attributes, with names of 1 to 64 characters`,
  });

const consent = z.enum(CONSENTS).optional();

export const contactGroup = z.strictObject({ name: text, description: optionalText });

export const contact = z
  .strictObject({
    email: field('email'),
    phone: field('phone'),
    firstName: field('firstName'),
    lastName: field('lastName'),
    language: field('language'),
    country: field('country'),
    timeZone: field('timeZone'),
    attributes: attributes.default({}),
    /** Names of groups of the organization. */
    groups: z.array(text).default([]),
    /** Applied to contacts whose consent is not known. */
    consent: z.strictObject({ sms: consent, email: consent, chatapp: consent }).default({}),
  })
  .refine(({ email, phone }) => email !== null || phone !== null, { error: 'must have an email or a phone' });

export type ProvisionedGroup = z.output<typeof contactGroup>;
export type ProvisionedContact = z.output<typeof contact>;
