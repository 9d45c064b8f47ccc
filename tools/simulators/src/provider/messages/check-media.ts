import type { Field } from '../fields';

export const MEDIA_TYPES = ['image', 'document', 'audio', 'video', 'sticker'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const MAX_CAPTION_LENGTH = 1_024;
const MAX_FILENAME_LENGTH = 240;
const MAX_LINK_LENGTH = 2_048;

const KEYS: Readonly<Record<MediaType, readonly string[]>> = {
  image: ['id', 'link', 'caption'],
  video: ['id', 'link', 'caption'],
  document: ['id', 'link', 'caption', 'filename'],
  audio: ['id', 'link', 'voice'],
  sticker: ['id', 'link'],
};

/** Whether media with that id was uploaded and has not expired. */
export type KnowsMedia = (id: string) => boolean;

/** Throws if the provider refuses a media object. A link is never fetched. */
export function checkMedia(type: MediaType, media: Field, knowsMedia: KnowsMedia): void {
  media.object(KEYS[type]);
  checkSource(media, knowsMedia);
  media.at('caption').optionalText(MAX_CAPTION_LENGTH);
  media.at('filename').optionalText(MAX_FILENAME_LENGTH);
}

function checkSource(media: Field, knowsMedia: KnowsMedia): void {
  const id = media.at('id');
  const link = media.at('link');
  if (id.isGiven === link.isGiven) throw media.wrong('must have exactly one of id and link');
  if (link.isGiven) link.webAddress(MAX_LINK_LENGTH);
  else if (!knowsMedia(id.text(100))) throw id.wrong('is not the id of media uploaded to this account');
}
