import { z } from 'zod';
import { KeyRing } from './key-ring';

/** Key ring of local development. It is published, so production refuses it. */
export const LOCAL_SECRETS_KEYS = 'local:bG9jYWwgZGV2ZWxvcG1lbnQga2V5IG5vdCBzZWNyZXQ=';

/** A variable with a key ring: the local key by default, required in production. */
export const keyRingSetting = (name: string) =>
  z
    .string()
    .transform((text, context) => {
      const ring = KeyRing.parse(text, name);
      if (ring) return ring;
      context.addIssue({
        code: 'custom',
        message: 'must be keys such as "k2:<base64 of 32 bytes>,k1:<base64 of 32 bytes>", the newest first',
      });
      return z.NEVER;
    })
    .prefault(LOCAL_SECRETS_KEYS)
    .meta({ production: 'required' });

/** Configuration of services that read or write the sealed secrets of users. */
export const secretsConfigSchema = z.object({
  SECRETS_KEYS: keyRingSetting('SECRETS_KEYS').meta({
    description: 'Keys that encrypt the stored secrets of users. The first key encrypts, all keys decrypt.',
    form: 'keys, the newest first',
    example: 'k1:$(openssl rand -base64 32)',
    secret: true,
  }),
});

export type SecretsConfig = z.output<typeof secretsConfigSchema>;

/** The key ring of local development and tests. */
export const localKeyRing = (): KeyRing => secretsConfigSchema.parse({}).SECRETS_KEYS;

/** Whether a text is a key ring with a published key, regardless of its id and notation. */
export function hasLocalKey(text: string): boolean {
  return KeyRing.parse(text, '')?.sharesKeyWith(localKeyRing()) ?? false;
}
