import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Waiting work of one kind in one stage. */
export interface WaitingWork {
  kind: string;
  waiting: number;
  /** Age of the oldest entry; 0 if nothing is waiting. */
  oldestMs: number;
}

/** A lane of a stage in metrics and log lines. */
export interface ObservedLane {
  stage: string;
  kind: string;
  /** Organization id, or the key of an anonymous caller. It appears in log lines, never in metrics. */
  owner: string;
}

/** The logger of a service has this method. */
export interface LaneLog {
  warn(fields: object, message: string): void;
}

const MINUTE_MS = 60_000;
/** Maximum number of lines about the lanes of a stage in a minute; one more line counts the others. */
const MAX_LINES = 20;
/** Maximum number of lanes of a stage that are counted in a minute. */
const MAX_COUNTED_LANES = 10_000;

/** Metrics of the lanes of all stages of a process, by stage and kind, and log lines about lanes that are held back. */
export class LaneObserver {
  private readonly stages = new Map<string, () => Iterable<WaitingWork>>();
  /** The lanes that were held back in the current minute, by stage. */
  private readonly heldBack = new Map<string, Set<string>>();
  private readonly refused: Counter<'stage' | 'kind'>;
  private readonly waits: Histogram<'stage' | 'kind'>;

  constructor(
    registry: Registry,
    private readonly log: LaneLog,
  ) {
    const labelNames = ['stage', 'kind'] as const;
    const registers = [registry];
    const { stages } = this;
    new Gauge({
      name: 'lane_waiting',
      help: 'Entries waiting in the lanes of a stage',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [stage, read] of stages) for (const { kind, waiting } of read()) this.inc({ stage, kind }, waiting);
      },
    });
    new Gauge({
      name: 'lane_oldest_seconds',
      help: 'Age of the oldest entry waiting in the lanes of a stage',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [stage, read] of stages)
          for (const { kind, oldestMs } of read()) this.set({ stage, kind }, oldestMs / 1_000);
      },
    });
    this.refused = new Counter({
      name: 'lane_refused_total',
      help: 'Entries refused because their lane was full or too slow',
      labelNames,
      registers,
    });
    this.waits = new Histogram({
      name: 'lane_wait_seconds',
      help: 'Time that entries have waited in their lane',
      labelNames,
      buckets: [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 5, 30],
      registers,
    });
  }

  /** `read` returns one entry for each kind of the stage. It is called when metrics are read. */
  addStage(stage: string, read: () => Iterable<WaitingWork>): void {
    this.stages.set(stage, read);
  }

  countWait(stage: string, kind: string, waitedMs: number): void {
    this.waits.observe({ stage, kind }, waitedMs / 1_000);
  }

  countRefusal(lane: ObservedLane): void {
    this.refused.inc({ stage: lane.stage, kind: lane.kind });
    this.logHeldBack(lane, 'refused');
  }

  /** Logs that the work of one organization waits for its own earlier work; at most once a minute for each lane. */
  logHeldBack({ stage, kind, owner }: ObservedLane, how: 'waiting' | 'refused', waitedMs?: number): void {
    const lanes = this.heldBack.get(stage) ?? this.startMinute(stage);
    const lane = `${kind} ${owner}`;
    if (lanes.has(lane) || lanes.size >= MAX_COUNTED_LANES) return;
    lanes.add(lane);
    if (lanes.size > MAX_LINES) return;
    this.log.warn({ stage, kind, owner, how, waitedMs }, 'an organization is held back by its own earlier work');
  }

  private startMinute(stage: string): Set<string> {
    const lanes = new Set<string>();
    this.heldBack.set(stage, lanes);
    setTimeout(() => {
      this.heldBack.delete(stage);
      const more = lanes.size - MAX_LINES;
      if (more > 0) this.log.warn({ stage, lanes: more }, 'more lanes were held back by their own earlier work');
    }, MINUTE_MS).unref();
    return lanes;
  }
}
