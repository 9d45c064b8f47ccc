import { refusal, type GraphError, type RefusalCode } from './graph-error';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The length in characters; an emoji is one character. */
function lengthOf(text: string): number {
  return [...text].length;
}

interface RefusalCodes {
  missing: RefusalCode;
  wrong: RefusalCode;
}

/** A value of a call with its path, which errors name. */
export class Field {
  constructor(
    readonly value: unknown,
    readonly path: string,
    private readonly codes: RefusalCodes,
  ) {}

  at(key: string): Field {
    const value = isFields(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Field(value, this.path === '' ? key : `${this.path}.${key}`, this.codes);
  }

  get isGiven(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** Throws if the value is not an object or has keys other than `keys`. */
  object(keys?: readonly string[]): this {
    if (!this.isGiven) throw this.missing();
    if (!isFields(this.value)) throw this.wrong('must be an object');
    const unexpected = keys && Object.keys(this.value).find((key) => !keys.includes(key));
    if (unexpected !== undefined) throw this.wrong(`has the unexpected key ${unexpected}`);
    return this;
  }

  /** Returns the text. Throws if it is missing, empty or longer. */
  text(maxLength: number): string {
    if (!this.isGiven || this.value === '') throw this.missing();
    if (typeof this.value !== 'string') throw this.wrong('must be a string');
    // A text has at most as many characters as code units, so most texts need no count.
    if (this.value.length > maxLength && lengthOf(this.value) > maxLength) {
      throw this.wrong(`must have at most ${maxLength} characters`);
    }
    return this.value;
  }

  optionalText(maxLength: number): string | null {
    return this.isGiven ? this.text(maxLength) : null;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    if (!this.isGiven) throw this.missing();
    const value = values.find((candidate) => candidate === this.value);
    if (value === undefined) throw this.wrong(`must be one of ${values.join(', ')}`);
    return value;
  }

  items(min: number, max: number): Field[] {
    if (!this.isGiven) throw this.missing();
    if (!Array.isArray(this.value)) throw this.wrong('must be an array');
    if (this.value.length < min || this.value.length > max) throw this.wrong(`must have ${min} to ${max} entries`);
    return this.value.map((value, index) => new Field(value, `${this.path}[${index}]`, this.codes));
  }

  /** A URL that the provider could fetch. */
  webAddress(maxLength: number): string {
    const text = this.text(maxLength);
    if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) throw this.wrong('must be an http or https address');
    return text;
  }

  missing(): GraphError {
    return refusal(this.codes.missing, `${this.path} is required`);
  }

  wrong(complaint: string): GraphError {
    return refusal(this.codes.wrong, `${this.path} ${complaint}`);
  }
}

/** Throws if a value occurs twice. */
export function refuseRepeats(fields: readonly Field[]): void {
  const seen = new Set<unknown>();
  for (const field of fields) {
    if (seen.has(field.value)) throw field.wrong('must be unique');
    seen.add(field.value);
  }
}
