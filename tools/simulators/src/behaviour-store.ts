import type { z } from 'zod';

/** One general behaviour with exceptions by recipient. */
export class BehaviourStore<Schema extends z.ZodType> {
  protected general: z.output<Schema>;
  protected readonly byRecipient = new Map<string, z.output<Schema>>();

  /** `keyOf` normalizes the notation of a recipient. */
  constructor(
    private readonly schema: Schema,
    protected readonly keyOf: (to: string) => string,
  ) {
    this.general = schema.parse({});
  }

  /** Without `to`, sets the general behaviour. */
  set(behaviour: z.input<Schema>, to?: string): void {
    const complete = this.schema.parse(behaviour);
    if (to === undefined) this.general = complete;
    else this.byRecipient.set(this.keyOf(to), complete);
  }

  /** Removes the exception of a recipient, or resets everything. */
  reset(to?: string): void {
    if (to !== undefined) {
      this.byRecipient.delete(this.keyOf(to));
      return;
    }
    this.byRecipient.clear();
    this.general = this.schema.parse({});
  }

  /** The behaviour for a recipient; null for calls without one. */
  of(to: string | null): z.output<Schema> {
    return (to === null ? undefined : this.byRecipient.get(this.keyOf(to))) ?? this.general;
  }
}
