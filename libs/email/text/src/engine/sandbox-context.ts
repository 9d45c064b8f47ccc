import { Context, Drop, toValue } from 'liquidjs';

/** The properties of `forloop` and `tablerowloop` that a template can read; the others are internal. */
const LOOP_FIELDS: ReadonlySet<unknown> = new Set([
  'index',
  'index0',
  'rindex',
  'rindex0',
  'first',
  'last',
  'length',
  'name',
  'row',
  'col',
  'col0',
  'col_first',
  'col_last',
]);

type Key = Parameters<Context['readProperty']>[1];

/** The scope of a rendering: own fields of plain data, accessed by name and index only. */
export class SandboxContext extends Context {
  override *_get(path: Parameters<Context['_get']>[0]): IterableIterator<unknown> {
    return typeof path[0] === 'string' ? yield* super._get(path) : undefined;
  }

  override readProperty(from: Parameters<Context['readProperty']>[0], key: Key): unknown {
    const name: unknown = toValue(key);
    // A list as a name would be converted to text of any length at every access.
    if (typeof name !== 'string' && typeof name !== 'number') return undefined;
    if ((from as unknown) instanceof Drop && !LOOP_FIELDS.has(name)) return undefined;
    return super.readProperty(from, name) as unknown;
  }

  override spawn(scope: object = {}): Context {
    const { sync, globals, strictVariables, ownPropertyOnly, memoryLimit, renderLimit } = this;
    const options = { sync, globals, strictVariables, ownPropertyOnly };
    const liquid: unknown = this.liquid;
    return new SandboxContext(scope, this.opts, options, { memoryLimit, renderLimit, liquid });
  }
}
