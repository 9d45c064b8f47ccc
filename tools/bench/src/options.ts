/** The options of the command line. */
export interface Options {
  rounds: number;
  /** The duration of each variant in each round. */
  seconds: number;
  /** The number of messages of the end-to-end part of the SMS suite. */
  endToEnd: number;
  /** The number of contacts of the campaigns suite. */
  contacts: number;
  /** The number of rows that the imports suite imports. */
  importRows: number;
  million: boolean;
  /** The only suite to run; null for all. */
  only: string | null;
  /** The rows of the neighbours suite; null for all. */
  rows: readonly number[] | null;
  /** The number of processes of each service in the neighbours suite. */
  processes: number;
  /** Whether the neighbours suite measures memory instead of latencies. */
  memory: boolean;
}

/** Reads `neighbours --only 1,4`, with the name of the suite first, or `--only sms`. */
export function readOptions(args: readonly string[]): Options {
  const [first] = args;
  const suite = first === undefined || first.startsWith('--') ? null : first;
  const after = (name: string): string | undefined => {
    const index = args.indexOf(`--${name}`);
    return index < 0 ? undefined : args[index + 1];
  };
  const only = after('only') ?? null;
  return {
    rounds: Number(after('rounds') ?? 5),
    seconds: Number(after('seconds') ?? 4),
    endToEnd: Number(after('end-to-end') ?? 40_000),
    contacts: Number(after('contacts') ?? 20_000),
    importRows: Number(after('import-rows') ?? 1_000_000),
    million: args.includes('--million'),
    only: suite ?? only,
    rows: suite !== null && only !== null ? only.split(',').map(Number) : null,
    processes: Number(after('processes') ?? 1),
    memory: args.includes('--memory'),
  };
}
