import { z } from 'zod';

const template = z.strictObject({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  components: z.array(z.record(z.string(), z.unknown())),
  parameterFormat: z.string(),
  place: z.number(),
  id: z.string(),
  status: z.string(),
});
const inbound = z.strictObject({ id: z.string(), from: z.string(), atMs: z.number() });
const media = z.strictObject({
  id: z.string(),
  /** Of the file in the folder of uploads: the folder may be moved. */
  file: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  sha256: z.string(),
  owner: z.string(),
  uploadedAtMs: z.number(),
});
const sent = z.strictObject({
  id: z.string(),
  to: z.string(),
  waId: z.string(),
  type: z.string(),
  category: z.string(),
  callbackData: z.string().nullable(),
  at: z.string(),
});

/** A line of the journal: how something is from then on, or that it is gone. */
const entrySchema = z
  .strictObject({
    template,
    deletedTemplate: template.pick({ name: true, language: true }),
    inbound,
    media,
    deletedMedia: media.pick({ id: true }),
    sent,
  })
  .partial();

export type JournalEntry = z.output<typeof entrySchema>;
export type RememberedInbound = z.output<typeof inbound>;
export type RememberedMedia = z.output<typeof media>;
export type RememberedSent = z.output<typeof sent>;
export type RememberedTemplate = z.output<typeof template>;

/** What a journal comes to, each kind in the order in which it came. */
export class Remembered {
  private readonly templatesByKey = new Map<string, RememberedTemplate>();
  private readonly mediaById = new Map<string, RememberedMedia>();
  readonly inbound: RememberedInbound[] = [];
  readonly sent: RememberedSent[] = [];

  get templates(): RememberedTemplate[] {
    return [...this.templatesByKey.values()];
  }

  get media(): RememberedMedia[] {
    return [...this.mediaById.values()];
  }

  /** Throws unless the line is an entry. */
  add(line: string): void {
    const entry = entrySchema.parse(JSON.parse(line));
    if (entry.template) this.templatesByKey.set(keyOf(entry.template), entry.template);
    if (entry.deletedTemplate) this.templatesByKey.delete(keyOf(entry.deletedTemplate));
    if (entry.inbound) this.inbound.push(entry.inbound);
    if (entry.media) this.mediaById.set(entry.media.id, entry.media);
    if (entry.deletedMedia) this.mediaById.delete(entry.deletedMedia.id);
    if (entry.sent) this.sent.push(entry.sent);
  }
}

function keyOf({ name, language }: { name: string; language: string }): string {
  return `${name}\0${language}`;
}
