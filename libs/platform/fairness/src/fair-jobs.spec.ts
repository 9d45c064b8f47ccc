import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairJobs, type ClaimRequest, type FairJob, type JobTurns } from './fair-jobs';

/** A queue of jobs that are steps of a number of milliseconds, as a database would lease them. */
class Backlog {
  readonly steps: string[] = [];
  readonly released: string[] = [];
  private readonly waiting: (FairJob & { stepMs: number[] })[] = [];
  running = 0;
  mostRunning = 0;

  add(organizationId: string, ...stepMs: number[]): string {
    const id = `${organizationId}${this.waiting.length}`;
    this.waiting.push({ id, organizationId, stepMs });
    return id;
  }

  jobs(slots: number): FairJobs<FairJob & { stepMs: number[] }> {
    return new FairJobs({
      stage: 'test',
      slots,
      claim: (request) => Promise.resolve(this.claim(request)),
      run: (job, turns) => this.run(job, turns),
      release: ({ id }) => Promise.resolve(void this.released.push(id)),
    });
  }

  private claim({ held, onlyOthers }: ClaimRequest) {
    const others = this.waiting.findIndex(({ organizationId }) => !held.includes(organizationId));
    if (others < 0 && onlyOthers) return null;
    return this.waiting.splice(Math.max(0, others), 1)[0] ?? null;
  }

  private async run({ id, organizationId, stepMs }: FairJob & { stepMs: number[] }, turns: JobTurns): Promise<void> {
    for (const [index, ms] of stepMs.entries()) {
      if (index > 0 && !(await turns.next())) return void this.released.push(id);
      this.running++;
      this.mostRunning = Math.max(this.mostRunning, this.running);
      this.steps.push(organizationId);
      await new Promise((resolve) => setTimeout(resolve, ms));
      this.running--;
    }
  }
}

const SLICE = 60;

describe('the jobs of several organizations', () => {
  it('alternate, and the jobs of one organization run in their order', async () => {
    const backlog = new Backlog();
    backlog.add('a', SLICE, SLICE, SLICE);
    backlog.add('a', SLICE);
    backlog.add('b', SLICE, SLICE);
    const jobs = backlog.jobs(1);
    await jobs.fill();
    await jobs.idle();
    expect(backlog.steps.join('')).toBe('ababaa');
    expect(backlog.mostRunning).toBe(1);
  });

  it('begin before the backlog of another organization ends', async () => {
    const backlog = new Backlog();
    for (let n = 0; n < 20; n++) backlog.add('a', SLICE);
    const jobs = backlog.jobs(1);
    await jobs.fill();
    backlog.add('b', 1);
    await jobs.fill();
    await jobs.idle();
    expect(backlog.steps.indexOf('b')).toBeLessThanOrEqual(2);
    expect(backlog.steps).toHaveLength(21);
  });

  it('use all slots while their organization is alone', async () => {
    const backlog = new Backlog();
    for (let n = 0; n < 4; n++) backlog.add('a', SLICE, SLICE);
    const jobs = backlog.jobs(3);
    await jobs.fill();
    await jobs.idle();
    expect(backlog.mostRunning).toBe(3);
    expect(backlog.steps).toHaveLength(8);
  });

  it('do not wait for a slow step of another organization', async () => {
    const backlog = new Backlog();
    const slow = backlog.add('a', 2_000);
    backlog.add('b', 1, 1);
    backlog.add('c', 1);
    const jobs = backlog.jobs(1);
    await jobs.fill();
    while (backlog.steps.length < 4) await nextTurn();
    expect(backlog.steps.join('')).toBe('abbc');
    expect(jobs.open().map(({ id }) => id)).toContain(slow);
    await jobs.idle();
  });

  it('make room when many are open, so that an import of another organization can begin', async () => {
    const backlog = new Backlog();
    for (let n = 0; n < 33; n++) backlog.add(`organization-${n}-`, SLICE, SLICE);
    const jobs = backlog.jobs(8);
    const now = performance.now.bind(performance);
    let passedMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    await jobs.fill();
    expect(jobs.open()).toHaveLength(32);
    passedMs = 10_000;
    await jobs.fill();
    expect(jobs.open()).toHaveLength(33);
    await jobs.idle();
    expect(backlog.released).toHaveLength(1);
    jest.restoreAllMocks();
  });

  it('are released when the process stops', async () => {
    const backlog = new Backlog();
    const first = backlog.add('a', SLICE, SLICE);
    const second = backlog.add('b', SLICE);
    const jobs = backlog.jobs(1);
    await jobs.fill();
    await jobs.stop();
    expect(backlog.released.sort()).toEqual([first, second]);
    expect(backlog.steps).toEqual(['a']);
    backlog.add('c', 1);
    await jobs.fill();
    expect(backlog.steps).toEqual(['a']);
  });
});
