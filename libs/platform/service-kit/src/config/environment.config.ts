import { readFileSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

/** Follows the name of a setting in the name of the variable with the path of a file that contains its value. */
const FILE = '_FILE';

/** The only place where a running service reads its environment variables. */
export function environment(): Environment {
  return process.env;
}

export interface GivenSettings {
  /** The settings that have a value. */
  values: Record<string, string>;
  /** The settings that cannot be read, with the reasons. */
  problems: [name: string, problem: string][];
}

/**
 * Reads settings from environment variables: `NAME`, or the file whose path is in `NAME_FILE`, without its last line break. This is
 * how container platforms pass secrets, which otherwise appear in the description of every container. An empty value counts as unset.
 */
export function givenSettings(names: readonly string[], variables: Environment): GivenSettings {
  const given: GivenSettings = { values: {}, problems: [] };
  for (const name of names) {
    const value = variables[name];
    const file = variables[name + FILE];
    if (!file) {
      if (value) given.values[name] = value;
    } else if (value) {
      given.problems.push([name, `is set twice: remove ${name} or ${name}${FILE}`]);
    } else {
      try {
        const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
        if (content) given.values[name] = content;
      } catch (error) {
        const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
        given.problems.push([name + FILE, `names a file that cannot be read (${reason}): ${file}`]);
      }
    }
  }
  return given;
}
