interface SharedInstance {
  stop(): Promise<void>;
}

declare global {
  /** Most recently used first. tools/jest/shared-instances.cjs stops them when the worker ends. */
  var sharedInstances: SharedInstance[] | undefined;
}

/** Each running service uses several PostgreSQL connections, of which the server accepts 100 by default. */
const MAX_INSTANCES = 2;

/**
 * Creates an instance, such as a running service, that the test files of a Jest worker share. The first caller starts
 * it; it is stopped when the worker ends or when test files of other projects need instances. Tests that use it create
 * their own tenants, and must not stop or reconfigure the instance.
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
