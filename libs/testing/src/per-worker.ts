interface SharedInstance {
  stop(): Promise<void>;
  hasConnections: boolean;
}

declare global {
  /** Most recently used first. tools/jest/shared-instances.cjs stops them when the worker ends. */
  var sharedInstances: SharedInstance[] | undefined;
}

/** Each running service uses several PostgreSQL connections, of which the server accepts 100 by default. */
const MAX_WITH_CONNECTIONS = 2;

/**
 * Creates an instance, such as a running service, that the test files of a Jest worker share. The first caller starts
 * it; it is stopped when the worker ends or when test files of other projects need instances. Tests that use it create
 * their own tenants, and must not stop or reconfigure the instance. `hasConnections` is false for an instance without
 * PostgreSQL connections, such as a browser: it runs until the worker ends.
 */
export function perWorker<T>(
  start: () => Promise<T>,
  stop: (instance: T) => Promise<void>,
  { hasConnections = true } = {},
): () => Promise<T> {
  let current: { value: T; shared: SharedInstance } | null = null;
  return async () => {
    const shared = (globalThis.sharedInstances ??= []);
    if (current === null) {
      if (hasConnections) await stopLeastRecentlyUsed(shared);
      const value = await start();
      const stopThis = async (): Promise<void> => {
        current = null;
        await stop(value);
      };
      current = { value, shared: { stop: stopThis, hasConnections } };
    }
    remove(shared, current.shared);
    shared.unshift(current.shared);
    return current.value;
  };
}

/** Registers work in the background, which the worker completes before it ends. */
export function untilWorkerEnd(work: Promise<void>): void {
  const shared = (globalThis.sharedInstances ??= []);
  const instance = { stop: () => work, hasConnections: false };
  shared.push(instance);
  void work.finally(() => remove(shared, instance));
}

/** Registers a function that runs when the worker ends. Registering it again has no effect. */
export function onWorkerEnd(stop: () => Promise<void>): void {
  const shared = (globalThis.sharedInstances ??= []);
  if (!shared.some((instance) => instance.stop === stop)) shared.push({ stop, hasConnections: false });
}

/** Leaves room for one more instance with connections. */
async function stopLeastRecentlyUsed(instances: SharedInstance[]): Promise<void> {
  for (const instance of instances.filter(({ hasConnections }) => hasConnections).slice(MAX_WITH_CONNECTIONS - 1)) {
    remove(instances, instance);
    await instance.stop();
  }
}

function remove(instances: SharedInstance[], instance: SharedInstance): void {
  const index = instances.indexOf(instance);
  if (index !== -1) instances.splice(index, 1);
}
