import { Registry } from 'prom-client';
import { LaneObserver } from './lane-observer';

const HELD_BACK = 'an organization is held back by its own earlier work';
const MORE = 'more lanes were held back by their own earlier work';

describe('the log of lanes that are held back', () => {
  let lines: { fields: Record<string, unknown>; message: string }[];
  let observer: LaneObserver;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    observer = new LaneObserver(new Registry(), {
      warn: (fields, message) => lines.push({ fields: { ...fields }, message }),
    });
  });
  afterEach(() => jest.useRealTimers());

  const holdBack = (stage: string, owners: number) => {
    for (let owner = 1; owner <= owners; owner += 1)
      observer.logHeldBack({ stage, kind: 'bulk', owner: `organization ${owner}` }, 'waiting', 2_000);
  };
  const messages = () => lines.map(({ message }) => message);

  it('names a lane once a minute', () => {
    holdBack('jobs', 1);
    holdBack('jobs', 1);
    expect(lines).toEqual([
      {
        fields: { stage: 'jobs', kind: 'bulk', owner: 'organization 1', how: 'waiting', waitedMs: 2_000 },
        message: HELD_BACK,
      },
    ]);
    jest.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(1);
    holdBack('jobs', 1);
    expect(messages()).toEqual([HELD_BACK, HELD_BACK]);
  });

  it('names 20 lanes of a stage in a minute, and then counts the others in one line', () => {
    holdBack('jobs', 1_000);
    holdBack('jobs', 1_000);
    expect(messages()).toEqual(Array.from({ length: 20 }, () => HELD_BACK));
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(20)).toEqual([{ fields: { stage: 'jobs', lanes: 980 }, message: MORE }]);
    holdBack('jobs', 2);
    expect(messages().slice(21)).toEqual([HELD_BACK, HELD_BACK]);
  });

  it('limits each stage for itself, and the memory of all lanes', () => {
    holdBack('jobs', 50_000);
    holdBack('imports', 3);
    expect(messages()).toHaveLength(23);
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(23)).toEqual([{ fields: { stage: 'jobs', lanes: 9_980 }, message: MORE }]);
  });
});
