import { readOptions, type Options } from './options';
import { benchAnalytics } from './suites/analytics';
import { benchBots } from './suites/bots/bots';
import { benchCampaigns } from './suites/campaigns';
import { benchChatapp } from './suites/chatapp/chatapp';
import { benchEmail } from './suites/email/email';
import { benchHostileBodies } from './suites/hostile-bodies';
import { benchImports } from './suites/imports';
import { benchLogin } from './suites/login/login';
import { benchNeighbours } from './suites/neighbours/neighbours';
import { benchPayments } from './suites/payments/payments';
import { benchSms } from './suites/sms/sms';
import { benchWebhooks } from './suites/webhooks/webhooks';

/** Each suite resolves with the violated invariants and missed targets. */
const SUITES: Record<string, (options: Options) => Promise<string[]>> = {
  sms: benchSms,
  email: benchEmail,
  chatapp: benchChatapp,
  payments: benchPayments,
  login: benchLogin,
  bots: benchBots,
  imports: benchImports,
  campaigns: benchCampaigns,
  analytics: benchAnalytics,
  hostile: benchHostileBodies,
  webhooks: benchWebhooks,
  neighbours: benchNeighbours,
};

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.only !== null && !SUITES[options.only]) {
    throw new Error(`The suite must be one of ${Object.keys(SUITES).join(', ')}.`);
  }
  let isBroken = false;
  for (const [name, bench] of Object.entries(SUITES)) {
    if (options.only !== null && options.only !== name) continue;
    console.log(`${name}:`);
    const broken = await bench(options);
    console.log(broken.length === 0 ? 'all invariants hold' : `BROKEN: ${broken.join('; ')}`);
    isBroken ||= broken.length > 0;
  }
  process.exit(isBroken ? 1 : 0);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
