import { setTimeout as delay } from 'node:timers/promises';
import { poll } from '@heliograph/harness';
import { atMost, holds, type Finding, type Rehearsal, type RehearsalContext } from '../rehearsal';
import { Deployment } from './deployment';
import { DockerEngine } from './docker-engine';
import { IMAGES, Sources } from './images';
import { Simulators } from './simulators';

const START_LIMIT_SECONDS = 120;
const REBUILD_LIMIT_SECONDS = 10;
const IDLE_LIMIT_PERCENT = 10;
const IDLE_SECONDS = 60;
const IMAGE_LIMIT_MEGABYTES = 200;

/** Starts the composed system from nothing, and checks what its files promise. */
export const compose: Rehearsal = {
  summary: 'builds the images, starts the composed system from nothing, and measures it',
  run: async (context) => {
    const engine = await DockerEngine.connect(context);
    const sources = await Sources.of(context, engine, 'HEAD');
    const findings: Finding[] = [];
    for (const image of IMAGES) {
      const seconds = await sources.build(image, 'latest');
      context.log(`built ${image} in ${seconds.toFixed(1)} s`);
    }
    findings.push(...(await rebuilds(sources, engine)));
    findings.push(await imageSize(engine));

    const simulators = await Simulators.start(context, engine);
    const deployment = await Deployment.prepare(context, engine, simulators);
    const startedAt = performance.now();
    await deployment.up();
    findings.push(
      atMost(
        'start from nothing until every container is healthy',
        (performance.now() - startedAt) / 1_000,
        START_LIMIT_SECONDS,
        's',
      ),
    );
    await poll(async () => (await deployment.unreadyServices()).length === 0, { timeoutMs: 30_000, everyMs: 500 });
    const unready = await deployment.unreadyServices();
    findings.push(
      holds('every service is ready under its own name', unready.length === 0, unready.join(', ') || 'yes'),
    );
    findings.push(await secretsInDescriptions(deployment, engine));
    findings.push(...(await operatorCommands(deployment)));
    findings.push(await idle(context, deployment, engine));
    findings.push(await exchangedAddresses(deployment));
    return findings;
  },
};

async function rebuilds(sources: Sources, engine: DockerEngine): Promise<Finding[]> {
  const idOf = (image: string): Promise<string> =>
    engine.docker(['image', 'inspect', '--format', '{{.Id}}', `heliograph/${image}:latest`]);
  const before = await idOf('billing-hook');
  const changed = await idOf('sms-api');
  sources.changeOneLine('sms-api');
  const seconds = await sources.build('sms-api', 'latest');
  await sources.build('billing-hook', 'latest');
  return [
    atMost('rebuild after one changed line of sms-api', seconds, REBUILD_LIMIT_SECONDS, 's'),
    holds('its image changes', (await idOf('sms-api')) !== changed),
    holds('the image of billing-hook stays the same', (await idOf('billing-hook')) === before),
  ];
}

/** The size of the largest image on top of its base, which stand-ins do not represent. */
async function imageSize(engine: DockerEngine): Promise<Finding> {
  const bytesOf = async (image: string): Promise<number> =>
    Number(await engine.docker(['image', 'inspect', '--format', '{{.Size}}', image]));
  const base = await bytesOf('node:24-bookworm-slim');
  const sizes = await Promise.all(IMAGES.map((image) => bytesOf(`heliograph/${image}:latest`)));
  return atMost('largest image on top of its base', (Math.max(...sizes) - base) / 1e6, IMAGE_LIMIT_MEGABYTES, 'MB');
}

async function secretsInDescriptions(deployment: Deployment, engine: DockerEngine): Promise<Finding> {
  const ids = [...(await deployment.containers()).values()];
  const description = await engine.docker(['inspect', ...ids]);
  const passwords = deployment
    .secrets()
    .flatMap((value) => [value, URL.canParse(value) ? new URL(value).password : '']);
  const visible = passwords.filter((value) => value.length >= 12 && description.includes(value));
  return {
    ...atMost('secrets in `docker inspect`', visible.length, 0),
    measured: `${visible.length} of ${passwords.length}`,
  };
}

async function operatorCommands(deployment: Deployment): Promise<Finding[]> {
  const reconciled = await deployment.ops(['reconcile']);
  const migrated = await deployment.ops(['migrate']);
  return [
    holds('`ops reconcile` in a container', reconciled.includes('no differences')),
    holds('a second migration changes nothing', !migrated.includes('SQL functions applied')),
  ];
}

async function idle(context: RehearsalContext, deployment: Deployment, engine: DockerEngine): Promise<Finding> {
  const ids = [...(await deployment.containers()).values()];
  const total = async (): Promise<number> =>
    (await Promise.all(ids.map((id) => engine.cpuSecondsOf(id)))).reduce((sum, seconds) => sum + seconds, 0);
  context.log(`measuring the idle system for ${IDLE_SECONDS} s`);
  const before = await total();
  const startedAt = performance.now();
  await delay(IDLE_SECONDS * 1_000);
  const percent = ((await total()) - before) / ((performance.now() - startedAt) / 1_000);
  return atMost('CPU of the idle system, health checks included', percent * 100, IDLE_LIMIT_PERCENT, '% of a core');
}

/** Starts two services in the other order, so that they exchange their addresses, and waits until the gateway notices. */
async function exchangedAddresses(deployment: Deployment): Promise<Finding> {
  await deployment.compose(['stop', '--timeout', '40', 'chatapp-hook', 'billing-hook']);
  await deployment.compose(['up', '--detach', '--no-deps', 'billing-hook']);
  await deployment.compose(['up', '--detach', '--no-deps', 'chatapp-hook']);
  const isRight = async (): Promise<boolean> => (await deployment.unreadyServices()).length === 0;
  const startedAt = performance.now();
  const passed = await poll(isRight, { timeoutMs: 30_000, everyMs: 250 });
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    subject: 'the gateway finds services whose addresses were exchanged, without a reload',
    measured: passed ? `after ${seconds.toFixed(1)} s` : 'no',
    required: 'within 30 s',
    passed,
  };
}
