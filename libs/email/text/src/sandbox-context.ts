import { Context, Drop, toValue } from 'liquidjs';

/** What a template may ask of `forloop` and `tablerowloop`; their other members are the library's own. */
const LOOP_FIELDS: ReadonlySet<unknown> = new Set([
  ...['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length', 'name'],
  ...['row', 'col', 'col0', 'col_first', 'col_last'],
]);

type Key = Parameters<Context['readProperty']>[1];

/** The scope of a rendering: own fields of plain data, asked for by names and positions only. */
export class SandboxContext extends Context {
  override *_get(path: Parameters<Context['_get']>[0]): IterableIterator<unknown> {
    return typeof path[0] === 'string' ? yield* super._get(path) : undefined;
  }

  override readProperty(from: Parameters<Context['readProperty']>[0], key: Key): unknown {
    const name: unknown = toValue(key);
    // A list for a name would be made text of, however long, at every reading.
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
