import type { SearchItem, SearchKind } from '@heliograph/bot-search';
import type { LiveItem } from '../entities/live-item';

/** What every piece of a bot's content says of itself. Visitors meet it while it is both. */
export interface Liveness {
  enabled: boolean;
  published: boolean;
}

export interface UniqueColumn {
  column: 'publicId' | 'title' | 'command';
  field: string;
}

/** What the four kinds of content differ in, for `BotContentService`. `Details` is what is written, and read back. */
export interface ContentKind<Item extends LiveItem, Details extends object> {
  entity: new () => Item;
  /** As people call one. */
  name: string;
  /** Of generated ids. */
  idPrefix: string;
  /** How many a bot may have. */
  most: number;
  /** Under which field callers find one. */
  idField: 'publicId' | 'id';
  /** The columns that no two of a bot share, and what callers call them; the first is what a put finds one by. */
  unique: readonly [UniqueColumn, ...UniqueColumn[]];
  /** What a put finds one by, as it is stored; undefined: it makes a new one. Throws VALIDATION_ERROR. */
  naturalKeyOf(details: Partial<Details>): string | undefined;
  /** What holds for a new one of which it is not said. */
  defaults: Partial<Details>;
  /** A column too long for lists. */
  unlisted?: keyof Item & string;
  /** The columns, cleaned. Throws VALIDATION_ERROR. */
  valuesOf(details: Details): Partial<Item>;
  detailsOf(item: Item): Details;
  /** What the bot finds it by; null for what is not searched. */
  search: { kind: SearchKind; itemOf(item: Item): SearchItem } | null;
}

export const LIVE: Liveness = { enabled: true, published: true };

export function livenessOf({ isEnabled, isPublished }: LiveItem): Liveness {
  return { enabled: isEnabled, published: isPublished };
}

export function liveColumns({ enabled, published }: Liveness): Pick<LiveItem, 'isEnabled' | 'isPublished'> {
  return { isEnabled: enabled, isPublished: published };
}
