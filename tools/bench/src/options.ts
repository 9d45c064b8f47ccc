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
}

export function readOptions(args: string[]): Options {
  const after = (name: string): string | undefined => {
    const index = args.indexOf(`--${name}`);
    return index < 0 ? undefined : args[index + 1];
  };
  return {
    rounds: Number(after('rounds') ?? 5),
    seconds: Number(after('seconds') ?? 4),
    endToEnd: Number(after('end-to-end') ?? 40_000),
    contacts: Number(after('contacts') ?? 20_000),
    importRows: Number(after('import-rows') ?? 1_000_000),
    million: args.includes('--million'),
    only: after('only') ?? null,
  };
}
