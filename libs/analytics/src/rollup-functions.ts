import count from './sql/count.sql';
import countLatencies from './sql/count-latencies.sql';
import repair from './sql/repair.sql';
import repairLatencies from './sql/repair-latencies.sql';
import { DIMENSIONS, FIGURES, type Source } from './sources';

/** A function of the database that is replaced when its text changes. */
interface RollupFunction {
  name: string;
  sql: string;
}

/** Columns that identify an entry in the table of counted figures. Default: the id. */
const IDENTITY: Partial<Record<Source, readonly string[]>> = { email: ['id', 'position'] };

/** The source that has histograms of latencies. */
const TIMED: Source = 'sms';

/**
 * The functions that count the entries of a source and that repair its rollups. All sources have the same two, with their own
 * columns: `{name}` in the templates stands for a part that depends on the columns.
 */
export function rollupFunctions(source: Source): RollupFunction[] {
  const parts = partsOf(source);
  return [
    { name: `count-${source}`, sql: expand(count, parts) },
    { name: `repair-${source}`, sql: expand(repair, parts) },
  ];
}

function partsOf(source: Source): Record<string, string> {
  const figures: readonly string[] = FIGURES[source];
  const identity = IDENTITY[source] ?? ['id'];
  const isTimed = source === TIMED;
  const dimensions = dimensionsOf(source).map((dimension) => (dimension === 'tag' ? 'tags' : dimension));
  const columns = ['organization_id', 'workspace_id', 'at', ...dimensions, ...(isTimed ? ['latency'] : []), ...figures];
  const parts = {
    source,
    identity: identity.join(', '),
    isSameEntry: list(identity, (column) => `k.${column} = f.${column}`, ' AND '),
    replacedColumns: list(columns, (column) => `${column} = excluded.${column}`),
    latency: isTimed ? 'c.latency' : 'NULL::smallint',
    keys: keysOf(source),
    figures: figures.join(', '),
    hasFigures: list(figures, (figure) => `f.${figure} <> 0`, ' OR '),
    signedSums: list(figures, (figure) => `sum(c.sign * c.${figure}) AS ${figure}`),
    countedSums: list(figures, (figure) => `sum(c.${figure}) AS ${figure}`),
    sums: list(figures, (figure) => `sum(k.${figure})`),
    hasSums: list(figures, (figure) => `sum(k.${figure}) <> 0`, ' OR '),
    addedFigures: list(figures, (figure) => `${figure} = r.${figure} + excluded.${figure}`),
    replacedFigures: list(figures, (figure) => `${figure} = excluded.${figure}`),
    expectedFigures: list(figures, (figure) => `coalesce(e.${figure}, 0)`),
    differs: list(figures, (figure) => `coalesce(e.${figure}, 0) <> coalesce(r.${figure}, 0)`, ' OR '),
  };
  return {
    ...parts,
    countLatencies: isTimed ? expand(countLatencies, parts) : '',
    repairLatencies: isTimed ? expand(repairLatencies, parts) : '',
  };
}

/** The dimensions of an entry `c` with its keys: one row for each, and one for each tag. */
function keysOf(source: Source): string {
  const dimensions = dimensionsOf(source);
  const single = dimensions.filter((dimension) => dimension !== 'tag');
  const rows = [`('total', '')`, ...single.map((name) => `('${name}', coalesce(c.${name}::text, ''))`)];
  const values = `VALUES ${rows.join(', ')}`;
  if (single.length === dimensions.length) return values;
  const tags = `SELECT DISTINCT 'tag', t.tag FROM unnest(CASE WHEN c.tags = '{}' THEN '{""}' ELSE c.tags END) AS t (tag)`;
  return `${values} UNION ALL ${tags}`;
}

function dimensionsOf(source: Source): readonly string[] {
  return DIMENSIONS[source];
}

function list(columns: readonly string[], text: (column: string) => string, separator = ', '): string {
  return columns.map(text).join(separator);
}

function expand(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z]\w*)\}/gi, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`The template needs a part that does not exist: ${name}`);
    return part;
  });
}
