import { ApiError, type Heliograph, PermissionError } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, describeMode, type Connection, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { plain } from '../output';

const MAX_CLOCK_SKEW_MS = 30_000;

interface Finding {
  check: string;
  result: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
}

type Check = (connection: Connection) => Promise<Finding[]>;

export function addDoctor(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('doctor')
    .description('Check the key, the clock, DLT ids, email domains, webhooks and balances')
    .action(async (_: object, command: Command) => examine(contextOf(command)));
}

async function examine(context: Context): Promise<void> {
  const { output } = context;
  const connection = await connect(context);
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(CHECKS)) findings.push(...(await results(check, run, connection)));
  const marks = {
    ok: output.color('green', 'ok     '),
    warning: output.color('yellow', 'warning'),
    problem: output.color('red', 'problem'),
    skipped: output.color('dim', 'skipped'),
  };
  const lines = findings.map(
    ({ check, result, message }) => `${marks[result]}  ${check.padEnd(14)}  ${plain(message)}`,
  );
  output.result({ findings }, lines.join('\n'));
  const problems = findings.filter(({ result }) => result === 'problem').length;
  if (problems > 0) throw new CommandError(`${problems} problem(s).`, EXIT.problem);
}

async function results(check: string, run: Check, connection: Connection): Promise<Finding[]> {
  try {
    return await run(connection);
  } catch (error) {
    if (error instanceof PermissionError) {
      return [{ check, result: 'skipped', message: 'The key may not read this. Use an unrestricted key.' }];
    }
    // Without a valid key, nothing else can be checked.
    if (!(error instanceof ApiError) || check === 'key') throw error;
    return [{ check, result: 'problem', message: error.message }];
  }
}

const CHECKS: Readonly<Record<string, Check>> = {
  key: async ({ client, apiKey, baseUrl }) => {
    const { name, scopes, expiresAt, unrestricted } = await client.me();
    const allowed = unrestricted ? 'unrestricted' : scopes.join(', ');
    const until = expiresAt === null ? '' : `, until ${expiresAt}`;
    return [ok('key', `"${name}" at ${baseUrl}, ${describeMode(apiKey)}, ${allowed}${until}`)];
  },
  clock: ({ clockSkewMs }) => {
    const skew = clockSkewMs() ?? 0;
    const seconds = (Math.abs(skew) / 1000).toFixed(1);
    const isFine = Math.abs(skew) <= MAX_CLOCK_SKEW_MS;
    const text = `The clock of this machine differs by ${seconds} s from that of the server`;
    return Promise.resolve([
      isFine
        ? ok('clock', text)
        : problem('clock', `${text}. Correct it: signatures of webhooks are valid for 5 minutes.`),
    ]);
  },
  dlt: ({ client }) => checkDlt(client),
  'email domains': ({ client }) => checkDomains(client),
  webhooks: async ({ client }) => {
    const findings: Finding[] = [];
    for await (const { url, status, active, disabled_reason: reason } of client.webhooks.list({ limit: 100 })) {
      if (status === 'disabled' || !active) findings.push(problem('webhooks', `${url} is disabled. ${reason ?? ''}`));
      else if (status === 'failing') findings.push(problem('webhooks', `Deliveries to ${url} fail. See its logs.`));
      else findings.push(ok('webhooks', url));
    }
    return findings.length > 0 ? findings : [skipped('webhooks', 'There are none.')];
  },
  credits: async ({ client }) => {
    const { sms, email, chatapp } = await client.credits.balance();
    const text = `sms ${sms}, email ${email}, chat-app ${chatapp}`;
    const isEmpty = sms <= 0 && email <= 0 && chatapp <= 0;
    return [isEmpty ? { check: 'credits', result: 'warning', message: text } : ok('credits', text)];
  },
};

async function checkDlt(client: Heliograph): Promise<Finding[]> {
  const findings: Finding[] = [];
  const indian = new Set<string>();
  for await (const { id, name, country, status, dltEntityId } of client.organization.sms.onboardings.list({
    limit: 100,
  })) {
    if (country !== 'IN') continue;
    indian.add(id);
    if (status !== 'approved') findings.push(problem('dlt', `The onboarding "${name}" is ${status}.`));
    else if (dltEntityId === null) findings.push(problem('dlt', `The onboarding "${name}" has no DLT entity id.`));
    else findings.push(ok('dlt', `onboarding "${name}", entity ${dltEntityId}`));
  }
  for await (const { header, onboardingId, dltSenderId, isActive } of client.organization.sms.senders.list({
    limit: 100,
  })) {
    if (!indian.has(onboardingId) || !isActive) continue;
    if (dltSenderId === null) findings.push(problem('dlt', `The sender ${header} has no DLT header id.`));
    else findings.push(ok('dlt', `sender ${header}`));
  }
  for await (const { name, onboardingId, dltTemplateId, isActive } of client.organization.sms.templates.list({
    limit: 100,
  })) {
    if (!indian.has(onboardingId) || !isActive) continue;
    if (dltTemplateId === null) findings.push(problem('dlt', `The template "${name}" has no DLT template id.`));
    else findings.push(ok('dlt', `template "${name}"`));
  }
  return findings.length > 0 ? findings : [skipped('dlt', 'There is no onboarding for India.')];
}

async function checkDomains(client: Heliograph): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const { name, status, records } of client.organization.email.domains.list({ limit: 100 })) {
    findings.push(
      status === 'verified' ? ok('email domains', name) : problem('email domains', `${name} is ${status}.`),
    );
    for (const { type, name: host, value, status: state, required, found } of records) {
      if (state === 'verified') continue;
      const now = found.length > 0 ? `It is ${found.join(', ')}.` : 'There is none.';
      const message = `${name}: ${type} ${host} must be ${value}. ${now}`;
      findings.push(
        required ? problem('email domains', message) : { check: 'email domains', result: 'warning', message },
      );
    }
  }
  return findings.length > 0 ? findings : [skipped('email domains', 'There are none.')];
}

const ok = (check: string, message: string): Finding => ({ check, result: 'ok', message });
const problem = (check: string, message: string): Finding => ({ check, result: 'problem', message });
const skipped = (check: string, message: string): Finding => ({ check, result: 'skipped', message });
