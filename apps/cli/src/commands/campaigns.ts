import { setTimeout as delay } from 'node:timers/promises';
import { NotFoundError, type EmailCampaign, type Heliograph, type SmsCampaign } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { plain, progressBar } from '../output';

const POLL_MS = 1_000;
const FINISHED = ['completed', 'canceled', 'failed'];
type Campaign = SmsCampaign | EmailCampaign;

export function addCampaigns(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('campaigns')
    .description('Campaigns of SMS and email')
    .command('watch')
    .argument('<id>', 'id of the campaign')
    .description('Show the progress of a campaign until it ends')
    .action(async (id: string, _: object, command: Command) => watch(id, contextOf(command)));
}

async function watch(id: string, context: Context): Promise<void> {
  const { client } = await connect(context);
  const { output, signal } = context;
  const read = await readerOf(client, id, signal);
  let shown = '';
  for (;;) {
    const campaign = await read();
    const { status, counts } = campaign;
    const done = counts.sent + counts.failed + counts.skipped + counts.canceled;
    const text = `${progressBar(done, Math.max(counts.audience, 1))} ${status}: ${summaryOf(campaign)}`;
    if (text !== shown) {
      if (process.stderr.isTTY && !output.isJson) output.progress(text);
      else output.result(campaign, text);
      shown = text;
    }
    if (FINISHED.includes(status)) break;
    await delay(POLL_MS, undefined, { signal });
  }
  output.endProgress();
  if (process.stderr.isTTY && !output.isJson) output.result(null, shown);
  if (shown.includes('failed:')) throw new CommandError('The campaign failed.', EXIT.problem);
}

function summaryOf({ counts, credits_spent: spent, error }: Campaign): string {
  const names = ['sent', 'delivered', 'failed', 'skipped', 'bounced', 'opened', 'clicked'] as const;
  const parts = names.filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${name}`);
  const reason = error ? `, ${plain(error.message)}` : '';
  return `${counts.audience} recipients${parts.map((part) => `, ${part}`).join('')}, ${spent} credit(s)${reason}`;
}

/** An id does not tell the channel. */
async function readerOf(client: Heliograph, id: string, signal: AbortSignal): Promise<() => Promise<Campaign>> {
  try {
    await client.sms.campaigns.get(id, { signal });
    return () => client.sms.campaigns.get(id, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await client.email.campaigns.get(id, { signal });
    return () => client.email.campaigns.get(id, { signal });
  }
}
