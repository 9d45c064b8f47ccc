import { v7 } from 'uuid';

/** Creates a UUID version 7 (RFC 9562). Ids sort by creation time in ms, which the partitioned tables require. */
export function newId(): string {
  return v7();
}

/** The time when `newId` created an id. */
export function timeOfId(id: string): Date {
  return new Date(parseInt(id.replace('-', '').slice(0, 12), 16));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The position of the version in the text of a UUID. */
const VERSION_AT = 14;
const TEST_VERSION = '8';

/**
 * The id of the test twin of an organization or workspace: the same bits as a UUID version 8 (RFC 9562), which `newId` never
 * creates.
 */
export function testIdOf(liveId: string): string {
  return `${liveId.slice(0, VERSION_AT)}${TEST_VERSION}${liveId.slice(VERSION_AT + 1)}`;
}

/** Whether the id is that of a test organization or of a workspace of one. */
export function isTestId(id: string): boolean {
  return id[VERSION_AT] === TEST_VERSION;
}

/** The smallest UUIDv7 of a point in time: the bound of a partition. */
export function firstIdOf(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
