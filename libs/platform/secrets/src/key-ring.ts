import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DERIVED_ID_LENGTH = 12;

/** Keys that encrypt secrets in the database with AES-256-GCM. The first key encrypts; all keys decrypt. */
export class KeyRing {
  private constructor(
    private readonly keys: ReadonlyMap<string, Buffer>,
    /** Id of the key that encrypts. */
    readonly currentId: string,
    /** The variable that contains the keys. */
    private readonly setting: string,
  ) {}

  /**
   * Parses `k2:<base64 of 32 bytes>,k1:<base64 of 32 bytes>`, newest key first. Returns null for any other text.
   * `setting`: the variable that contains the text, for messages.
   */
  static parse(text: string, setting: string): KeyRing | null {
    const keys = new Map<string, Buffer>();
    for (const entry of text.split(',')) {
      const [, id, encoded] = /^([^:]+):([A-Za-z0-9+/_-]+=*)$/.exec(entry.trim()) ?? [];
      const key = Buffer.from(encoded ?? '', 'base64');
      if (id === undefined || !KEY_ID.test(id) || key.length !== KEY_BYTES || keys.has(id)) return null;
      keys.set(id, key);
    }
    const [currentId] = keys.keys();
    return currentId === undefined ? null : new KeyRing(keys, currentId, setting);
  }

  /**
   * Derives keys from secrets of any form that serve another purpose too (HKDF, RFC 5869). Returns null without secrets.
   * The id of a key is derived too, so the order of the secrets may change.
   */
  static derive(secrets: readonly string[], purpose: string, setting: string): KeyRing | null {
    const keys = new Map(
      secrets.map((secret) => {
        const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
        return [createHash('sha256').update(key).digest('hex').slice(0, DERIVED_ID_LENGTH), key];
      }),
    );
    const [currentId] = keys.keys();
    return currentId === undefined ? null : new KeyRing(keys, currentId, setting);
  }

  /** Whether the rings have a key in common, under any id. */
  sharesKeyWith(other: KeyRing): boolean {
    return [...this.keys.values()].some((key) => [...other.keys.values()].some((own) => own.equals(key)));
  }

  /** One secret of each key for another purpose than sealing (HKDF, RFC 5869), that of the current key first. */
  secretsFor(purpose: string): Buffer[] {
    return [...this.keys.values()].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));
  }

  /** Encrypts a text. `context` is authenticated: a sealed text that was copied to another place does not open there. */
  seal(plain: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(this.currentId), iv).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${this.currentId}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  /** Throws for a text that was changed, or sealed with another key or in another context. */
  open(sealed: string, context: string): string {
    const [id = '', encoded = ''] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error(`The secret of ${context} is not sealed.`);
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(id), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  private keyOf(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key)
      throw new Error(
        `${this.setting} has no key "${id}". Keep that key in it, after the newer ones, until no secret uses it.`,
      );
    return key;
  }
}
