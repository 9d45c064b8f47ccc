import { z } from 'zod';

const MIN_KEY_LENGTH = 32;

/** Configuration of every service that writes to persons or stores data about them. */
export const personsConfig = {
  PERSON_HASH_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every(({ length }) => length >= MIN_KEY_LENGTH), {
      error: `must be a comma-separated list of keys with at least ${MIN_KEY_LENGTH} characters each`,
    })
    .default([])
    .meta({
      description:
        'Keys of the hashes of erased persons, the current one first, the same in all services. Persons that were erased with a removed key can be written to again. Without a key, no person can be erased.',
      form: 'keys with at least 32 characters each, separated by commas',
      example: '$(openssl rand -hex 32)',
      secret: true,
      production: 'required',
    }),
};

export interface PersonsConfig {
  PERSON_HASH_KEYS: string[];
}
