import type { z } from 'zod';

/** One behaviour for everybody, and exceptions by recipient. */
export class BehaviourBook<Schema extends z.ZodType> {
  protected general: z.output<Schema>;
  protected readonly byRecipient = new Map<string, z.output<Schema>>();

  /** `keyOf` makes one of all ways to write the same recipient. */
  constructor(
    private readonly schema: Schema,
    protected readonly keyOf: (to: string) => string,
  ) {
    this.general = schema.parse({});
  }

  /** Left out, `to` is everybody. */
  set(behaviour: z.input<Schema>, to?: string): void {
    const complete = this.schema.parse(behaviour);
    if (to === undefined) this.general = complete;
    else this.byRecipient.set(this.keyOf(to), complete);
  }

  /** Forgets one recipient's exception, or everything. */
  reset(to?: string): void {
    if (to !== undefined) {
      this.byRecipient.delete(this.keyOf(to));
      return;
    }
    this.byRecipient.clear();
    this.general = this.schema.parse({});
  }

  /** Null where there is no recipient. */
  of(to: string | null): z.output<Schema> {
    return (to === null ? undefined : this.byRecipient.get(this.keyOf(to))) ?? this.general;
  }
}
