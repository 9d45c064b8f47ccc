import { execFileSync } from 'node:child_process';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { ConfigError, describeSettings } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { z } from 'zod';

const DEFINITIONS = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];

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

/** The value of an example, in which parts are shell commands. */
function valueOf(example: string): string {
  const script = `printf %s "${example.replaceAll('"', '\\"')}"`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' });
}

describe.each(DEFINITIONS)('the configuration of $name', ({ loadConfig, configSchema }) => {
  const examples = new Map(describeSettings(configSchema).map(({ name, example }) => [name, example]));

  it.each([
    ['development', {}],
    ['production', { NODE_ENV: 'production' }],
    ['an API process', { NODE_ENV: 'production', ROLE: 'api' }],
    ['a worker', { NODE_ENV: 'production', ROLE: 'worker' }],
  ])('is valid in %s after all listed problems were corrected once with the examples', (_, given) => {
    const problems = problemsOf(() => loadConfig(given));
    expect(problems).not.toEqual([]);
    const values = problems.map((problem): [string, string] => {
      const [, name = '', what, example] =
        /^(\w+): ((?:is not set|must be set).*?)\. .*Example: (.*)$/.exec(problem) ?? [];
      expect([problem, what]).toEqual([problem, expect.any(String)]);
      expect(example).toBe(examples.get(name));
      return [name, valueOf(example ?? '')];
    });
    expect(problemsOf(() => loadConfig({ ...given, ...Object.fromEntries(values) }))).toEqual([]);
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
