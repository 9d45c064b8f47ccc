import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { poll } from '@heliograph/harness';
import { atMost, holds, information, type Rehearsal, type RehearsalContext } from '../rehearsal';
import { Deployment } from './deployment';
import { DockerEngine, output } from './docker-engine';
import { IMAGES, Sources } from './images';
import { ReleaseLoad } from './release-load';
import { Simulators } from './simulators';

const SETTLE_MS = 120_000;
const STEADY_MS = 5_000;

/** Upgrades a composed system under load and rolls it back. `--from COMMIT` is the version before, by default the previous commit. */
export const release: Rehearsal = {
  summary: 'upgrades the composed system under load on every channel, and rolls back (--from COMMIT)',
  run: async (context) => {
    const engine = await DockerEngine.connect(context);
    const from = context.args.includes('--from') ? (context.args[context.args.indexOf('--from') + 1] ?? '') : 'HEAD~1';
    const versions = `${await describe(context, from)} → ${await describe(context, 'HEAD')}`;
    await buildVersion(context, engine, from, 'before');
    await buildVersion(context, engine, 'HEAD', 'after');

    const simulators = await Simulators.start(context, engine);
    const deployment = await Deployment.prepare(context, engine, simulators);
    const settings = deployment.file('.env');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('=latest', '=before'));
    await deployment.up();
    context.log('the version before runs');
    const key = await provisioned(context, deployment);
    const gatewayBefore = (await deployment.containers()).get('gateway');

    const { provider } = simulators;
    const load = new ReleaseLoad({ gatewayUrl: deployment.gatewayUrl, key, provider }).start();
    await delay(STEADY_MS);
    const upgradeSeconds = await timed(() => deployment.release('after'));
    context.log(`upgraded in ${upgradeSeconds.toFixed(0)} s; ${load.total} calls, ${load.failures.length} failures`);
    const afterUpgrade = await versionsOf(deployment, engine);
    await delay(STEADY_MS);
    const failuresOfUpgrade = load.failures.length;
    const callsOfUpgrade = load.total;
    const rollbackSeconds = await timed(() => deployment.release('--rollback'));
    const afterRollback = await versionsOf(deployment, engine);
    await delay(STEADY_MS);
    await load.stop();
    for (const failure of load.failures.slice(0, 20)) context.log(failure);

    const isSettled = (): boolean => missing(load, simulators).length === 0;
    await poll(isSettled, { timeoutMs: SETTLE_MS, everyMs: 500 });
    const reconciled = await deployment.ops(['reconcile']);
    const gatewayAfter = (await deployment.containers()).get('gateway');
    const counts = [...load.counts].map(([channel, count]) => `${channel} ${count}`).join(', ');
    return [
      information('versions', versions),
      information('calls', counts),
      information('upgrade, rollback', `${upgradeSeconds.toFixed(0)} s, ${rollbackSeconds.toFixed(0)} s`),
      information('slowest call', `${load.slowestMs.toFixed(0)} ms`),
      atMost(`failed requests during the upgrade (of ${callsOfUpgrade})`, failuresOfUpgrade, 0),
      atMost(
        `failed requests during the rollback (of ${load.total - callsOfUpgrade})`,
        load.failures.length - failuresOfUpgrade,
        0,
      ),
      holds('every container runs the new version after the upgrade', afterUpgrade === 'after', afterUpgrade),
      holds('every container runs the version before after the rollback', afterRollback === 'before', afterRollback),
      holds('the gateway was not restarted', gatewayBefore === gatewayAfter),
      atMost(`accepted messages that no upstream got (of ${accepted(load)})`, missing(load, simulators).length, 0),
      atMost('messages that an upstream got twice', doubled(simulators).length, 0),
      holds('balances equal the ledger', reconciled.includes('no differences')),
    ];
  },
};

async function buildVersion(
  context: RehearsalContext,
  engine: DockerEngine,
  commit: string,
  version: string,
): Promise<void> {
  const sources = await Sources.of(context, engine, commit);
  for (const image of IMAGES) await sources.build(image, version);
  context.log(`built the images of ${commit} as ${version}`);
}

/** Applies the demo data with a new API key. */
async function provisioned({ root, onEnd }: RehearsalContext, deployment: Deployment): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'provision-'));
  // The container reads it as its own user.
  chmodSync(folder, 0o755);
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const key = `msg_live_${randomBytes(18).toString('hex')}`;
  const demo = readFileSync(path.join(root, 'tools/local-stack/demo.yaml'), 'utf8')
    .replace('msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001', key)
    .replaceAll(/msg_live_demoDEMOdemoDEMOdemoDEMOdemo/g, () => `msg_live_${randomBytes(16).toString('hex')}`);
  writeFileSync(path.join(folder, 'demo.yaml'), demo);
  await deployment.ops(['provision', '/input/demo.yaml'], folder);
  return key;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
}

/** The versions of the images of the product that run. */
async function versionsOf(deployment: Deployment, engine: DockerEngine): Promise<string> {
  const ids = [...(await deployment.containers()).values()];
  const images = (await engine.docker(['inspect', '--format', '{{.Config.Image}}', ...ids])).split('\n');
  const versions = images.filter((image) => image.startsWith('heliograph/')).map((image) => image.split(':')[1]);
  return [...new Set(versions)].join(', ');
}

const accepted = (load: ReleaseLoad): number => load.sms.length + load.mails.length + load.chats.length;

/** How often the upstreams got the messages, by number or address. */
function received({ carrier, mailbox, provider }: Simulators): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { accepted: isAccepted, destination } of carrier.messages()) if (isAccepted) count(destination);
  for (const { waId } of provider.messages()) count(waId);
  for (const { envelope } of mailbox.mails()) for (const to of envelope.to) count(to);
  return counts;
}

function missing(load: ReleaseLoad, simulators: Simulators): string[] {
  const counts = received(simulators);
  return [...load.sms, ...load.mails, ...load.chats].filter((name) => !counts.has(name));
}

function doubled(simulators: Simulators): string[] {
  return [...received(simulators)].filter(([, count]) => count > 1).map(([name]) => name);
}

function describe({ root }: RehearsalContext, commit: string): Promise<string> {
  return output('git', ['rev-parse', '--short', `${commit}^{commit}`], { cwd: root });
}
