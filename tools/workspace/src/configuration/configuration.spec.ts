import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '@heliograph/ops';
import { ConfigError, describeSettings } from '@heliograph/service-kit';
import { z } from 'zod';
import { workspaceRoot } from '../workspace-copy';
import { formattedReference, REFERENCE } from './write-reference';

/** The files of examples such as `$(cat key.pem)`, which nobody has to set. */
const READS_A_FILE = '$(cat ';

function problemsOf(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const values = new Map<string, string>();

/** The value of an example, in which parts are shell commands. */
function valueOf(example: string): string {
  if (!example.includes('$(')) return example;
  const script = `printf %s "${example.replaceAll('"', '\\"')}"`;
  const value = values.get(example) ?? execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  values.set(example, value);
  return value;
}

describe.each(SERVICES)('the configuration of $name', ({ loadConfig, configSchema }) => {
  const examples = new Map(describeSettings(configSchema).map(({ name, example }) => [name, example]));

  it.each([
    ['development', {}],
    ['production', { NODE_ENV: 'production' }],
    ['an API process', { NODE_ENV: 'production', ROLE: 'api' }],
    ['a worker', { NODE_ENV: 'production', ROLE: 'worker' }],
  ])('is valid in %s after all listed problems were corrected once with the examples', (_, given) => {
    const problems = problemsOf(() => loadConfig(given));
    expect(problems).not.toEqual([]);
    const corrected = problems.map((problem): [string, string] => {
      const [, name = '', what, example] =
        /^(\w+): ((?:is not set|must be set).*?)\. .*Example: (.*)$/.exec(problem) ?? [];
      expect([problem, what]).toEqual([problem, expect.any(String)]);
      expect(example).toBe(examples.get(name));
      return [name, valueOf(example ?? '')];
    });
    expect(problemsOf(() => loadConfig({ ...given, ...Object.fromEntries(corrected) }))).toEqual([]);
  });

  it('has an example for each setting whose form is not obvious, and accepts it', () => {
    for (const { name, example, defaultsTo } of describeSettings(configSchema)) {
      if (example === null) expect([name, defaultsTo]).toEqual([name, expect.any(String)]);
      if (example === null || example.includes(READS_A_FILE)) continue;
      const setting = configSchema.shape[name];
      expect([name, setting && z.safeParse(setting, valueOf(example)).error]).toEqual([name, undefined]);
    }
  });
});

describe('the reference of the configuration', () => {
  it('matches the schemas: run `npm run config:reference` if this fails', async () => {
    const committed = readFileSync(path.join(workspaceRoot, REFERENCE), 'utf8');
    expect(committed).toBe(await formattedReference(workspaceRoot));
  });

  it('refuses a setting without a description', () => {
    const schema = z.object({ NAME: z.string().meta({ description: 'A name.' }).optional() });
    expect(() => describeSettings(schema)).toThrow(/^NAME: /);
  });
});
