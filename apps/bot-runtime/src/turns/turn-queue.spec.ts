import { TurnQueue } from './turn-queue';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('the turns of a conversation', () => {
  it('run one after the other in the order of arrival, and report whether they waited', async () => {
    const queue = new TurnQueue();
    const { open, opened } = gate();
    const done: string[] = [];
    const turns = ['one', 'two', 'three'].map((name) =>
      queue.run('a', async (waited) => {
        if (name === 'one') await opened;
        done.push(`${name} ${waited}`);
      }),
    );
    await queue.run('b', () => Promise.resolve(done.push('other')));
    expect(done).toEqual(['other']);
    expect(queue.depth).toBe(3);
    open();
    await Promise.all(turns);
    expect(done).toEqual(['other', 'one false', 'two true', 'three true']);
    expect(queue.depth).toBe(0);
  });

  it('continue after a turn that fails', async () => {
    const queue = new TurnQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });

  it('are rejected when too many wait in the same conversation', async () => {
    const queue = new TurnQueue(2);
    const { open, opened } = gate();
    const waiting = [1, 2, 3].map(() => queue.run('a', () => opened));
    await expect(queue.run('a', () => opened)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(queue.run('b', () => Promise.resolve(1))).resolves.toBe(1);
    open();
    await Promise.all(waiting);
    await expect(queue.run('a', () => Promise.resolve(2))).resolves.toBe(2);
  });
});
