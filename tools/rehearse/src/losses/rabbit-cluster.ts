import { setTimeout as delay } from 'node:timers/promises';
import { RabbitServer, type KillableServer } from '@heliograph/chaos';
import { freePort } from '@heliograph/harness';
import { TcpSwitch } from './tcp-switch';

const NODES = 3;
/** A node that starts waits for the others, at most this long. */
const JOIN_DELAY_MS = 500;

/** A node that forms a cluster with the others. They share the cookie and the port mapper of the first one. */
export class RabbitNode extends RabbitServer {
  constructor(private readonly others: readonly RabbitNode[]) {
    super();
  }

  get tcpPort(): number {
    return this.port;
  }

  protected override async startMapper(): Promise<number> {
    return this.others[0]?.mapperPort ?? super.startMapper();
  }

  protected override get home(): string {
    return this.others[0]?.home ?? this.folder;
  }

  /** Every node lists the nodes that were prepared before it: the first one forms the cluster, and the others join it. */
  protected override settings(): string[] {
    const nodes = [...this.others, this].map(
      ({ nodeName }, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${nodeName}`,
    );
    return [
      ...super.settings(),
      'cluster_formation.peer_discovery_backend = classic_config',
      'cluster_partition_handling = pause_minority',
      'queue_leader_locator = balanced',
      ...nodes,
    ];
  }
}

/** Three RabbitMQ nodes behind one address. */
export class RabbitCluster implements KillableServer {
  readonly name = 'RabbitMQ';
  readonly nodes: readonly RabbitNode[];
  private balancer: TcpSwitch | null = null;
  private port = 0;

  constructor() {
    const nodes: RabbitNode[] = [];
    while (nodes.length < NODES) nodes.push(new RabbitNode([...nodes]));
    this.nodes = nodes;
  }

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.port}`;
  }

  async prepare(): Promise<void> {
    for (const node of this.nodes) await node.prepare();
    this.port = await freePort();
  }

  async start(): Promise<void> {
    for (const node of this.nodes) {
      await node.start();
      await delay(JOIN_DELAY_MS);
    }
    this.balancer ??= await TcpSwitch.listen(
      this.port,
      this.nodes.map(({ tcpPort }) => tcpPort),
    );
  }

  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }

  async remove(): Promise<void> {
    await this.balancer?.close();
    for (const node of [...this.nodes].reverse()) await node.remove();
  }
}
