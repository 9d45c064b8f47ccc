import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

export interface DecoratedMethod<M> {
  /** `Class.method` */
  name: string;
  metadata: M;
  call: (...parameters: unknown[]) => unknown;
}

/** Finds the methods of all providers that carry metadata under a key. */
export function decoratedMethods<M>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  key: string,
): DecoratedMethod<M>[] {
  const instances = new Set<object>();
  for (const { instance } of discovery.getProviders()) {
    if (typeof instance === 'object' && instance !== null) instances.add(instance as object);
  }
  return [...instances].flatMap((instance) => {
    const prototype: unknown = Object.getPrototypeOf(instance);
    if (typeof prototype !== 'object' || prototype === null) return [];
    return scanner.getAllMethodNames(prototype).flatMap((method) => {
      const call = Reflect.get(instance, method) as DecoratedMethod<M>['call'];
      const metadata = Reflect.getMetadata(key, call) as M | undefined;
      if (metadata === undefined) return [];
      return [{ name: `${instance.constructor.name}.${method}`, metadata, call: call.bind(instance) }];
    });
  });
}
