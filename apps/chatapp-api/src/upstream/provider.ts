import type { GraphAccount } from './graph-transport';
import type { MediaDownload } from './media-download';
import type { MediaRecord } from './media-record';
import type { FilePart } from './multipart-body';
import type { SendAnswer } from './send-answer';
import type { CreateAnswer, TemplatePage } from './template-answers';

/** A message in the provider's notation, with an object of its type. */
export interface ProviderMessage {
  to: string;
  type: string;
}

/** The provider of an organization: the Graph API, or the simulation of test mode. Results are values, or errors for the caller. */
export interface Provider {
  /** Throws CHATAPP_NOT_CONFIGURED. */
  requireConfigured(): GraphAccount;
  /** Every status returns `callbackData`. */
  sendMessage(message: ProviderMessage, callbackData: string, traceparent?: string): Promise<SendAnswer>;
  /** Marks an inbound message as read. Throws NOT_FOUND if the message does not exist at the provider. */
  markRead(upstreamMessageId: string): Promise<void>;
  /** Streams the file to the provider and returns the media id. Errors that occur while the file is read are rethrown unchanged. */
  uploadMedia(file: FilePart): Promise<string>;
  /** Returns the provider's record of a file. Throws NOT_FOUND. */
  lookupMedia(id: string): Promise<MediaRecord>;
  /** Opens a `url` from `lookupMedia`. The caller reads or destroys the stream. Throws NOT_FOUND. */
  openMedia(url: string): Promise<MediaDownload>;
  /** Reads one page of the catalog, for one name or for all names. `after` is the cursor of the page; null reads the first page. */
  listTemplates(after: string | null, name?: string | null): Promise<TemplatePage>;
  /** Creates a template in the provider's notation. */
  createTemplate(template: object): Promise<CreateAnswer>;
  /** Deletes all languages of that name. */
  deleteTemplate(name: string): Promise<'deleted' | 'unknown'>;
}
