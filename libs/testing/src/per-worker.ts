interface SharedInstance {
  stop(): Promise<void>;
}

declare global {
  /** Most recently used first. tools/jest/shared-instances.cjs stops them when the worker ends. */
  var sharedInstances: SharedInstance[] | undefined;
}

/** A running service holds a few connections to PostgreSQL, which by default accepts a hundred. */
const MAX_INSTANCES = 2;

/**
 * Makes an instance that the test files of a Jest worker share, such as a running service. The first caller starts it;
 * it is stopped when the worker ends or files of other projects need instances of theirs. Files that use it add their own
 * tenants, and must not stop or reconfigure the instance.
 */
export function perWorker<T>(start: () => Promise<T>, stop: (instance: T) => Promise<void>): () => Promise<T> {
  let current: { value: T; shared: SharedInstance } | null = null;
  return async () => {
    const shared = (globalThis.sharedInstances ??= []);
    if (current === null) {
      await stopLeastRecentlyUsed(shared);
      const value = await start();
      const stopThis = async (): Promise<void> => {
        current = null;
        await stop(value);
      };
      current = { value, shared: { stop: stopThis } };
    }
    const used = current.shared;
    globalThis.sharedInstances = [used, ...shared.filter((each) => each !== used)];
    return current.value;
  };
}

async function stopLeastRecentlyUsed(instances: SharedInstance[]): Promise<void> {
  for (const instance of instances.splice(MAX_INSTANCES - 1)) await instance.stop();
}
