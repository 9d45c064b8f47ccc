/**
 * Round-robin queue across tenants, and within a tenant across its sends. Messages of one send are served first in,
 * first out.
 */
export class FairQueue<T> {
  private readonly tenants = new Map<string, Map<string, T[]>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(tenant: string, send: string, item: T): void {
    let sends = this.tenants.get(tenant);
    if (!sends) this.tenants.set(tenant, (sends = new Map()));
    const items = sends.get(send);
    if (items) items.push(item);
    else sends.set(send, [item]);
    this.count++;
  }

  shift(): T | undefined {
    const [tenant] = this.tenants;
    if (!tenant) return undefined;
    const [name, sends] = tenant;
    const [first] = sends;
    if (!first) return undefined;
    const [send, items] = first;
    const item = items.shift();
    // Re-inserting moves the entry to the end, because a Map keeps insertion order.
    sends.delete(send);
    if (items.length > 0) sends.set(send, items);
    this.tenants.delete(name);
    if (sends.size > 0) this.tenants.set(name, sends);
    this.count--;
    return item;
  }
}
