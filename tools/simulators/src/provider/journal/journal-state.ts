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
  /** The name of the file in the folder of uploads, which may be moved. */
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

/** A line of the journal: the new state of an object, or its deletion. */
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
export type JournaledInbound = z.output<typeof inbound>;
export type JournaledMedia = z.output<typeof media>;
export type JournaledSent = z.output<typeof sent>;
export type JournaledTemplate = z.output<typeof template>;

/** The state that a journal describes, each kind in the order of its entries. */
export class JournalState {
  private readonly templatesByKey = new Map<string, JournaledTemplate>();
  private readonly mediaById = new Map<string, JournaledMedia>();
  readonly inbound: JournaledInbound[] = [];
  readonly sent: JournaledSent[] = [];

  get templates(): JournaledTemplate[] {
    return [...this.templatesByKey.values()];
  }

  get media(): JournaledMedia[] {
    return [...this.mediaById.values()];
  }

  /** Throws if the line is not an entry. */
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
