import type { ProviderAccount } from './account';
import type { Field } from './fields';
import { GraphError, invalidToken, refusal, unknownObject, unknownPath } from './graph-error';
import type { MediaStore, StoredMedia } from './media/media-store';
import { checkMediaRules } from './media/media-rules';
import type { ReceivedUpload } from './media/receive-upload';
import { checkMessage, fieldOfCall } from './messages/check-message';
import type { Conversations } from './messages/conversations';
import { newMessageId } from './messages/message-id';
import type { SentMessage, SentMessages } from './messages/sent-messages';
import type { TemplateCatalogue } from './templates/catalogue';
import { checkTemplate } from './templates/check-template';
import { templatePage } from './templates/template-page';

export interface ProviderState {
  account: ProviderAccount;
  messages: SentMessages;
  conversations: Conversations;
  media: MediaStore;
  templates: TemplateCatalogue;
  now(): Date;
}

/** A call without its body. */
export interface GraphTarget {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
}

/** A response with the bytes of a file. */
export class FileAnswer {
  constructor(readonly media: StoredMedia) {}
}

/** The response to a send. */
export class SendAnswer {
  constructor(
    readonly message: SentMessage,
    readonly json: object,
  ) {}
}

export type GraphAnswer = object | FileAnswer | SendAnswer;

/** The endpoint of a call, which processes its body. */
export type Endpoint =
  | { takes: 'json'; answer(body: unknown): GraphAnswer }
  | { takes: 'upload'; answer(upload: ReceivedUpload, strict: boolean): GraphAnswer };

/** The operations of the Graph API, without HTTP. */
export class GraphApi {
  /** `origin` returns the base URL. */
  constructor(
    private readonly state: ProviderState,
    private readonly origin: () => string,
  ) {}

  /** Throws a GraphError if the token, path or method is wrong. */
  find(target: GraphTarget): Endpoint {
    const { method, path, query, authorization } = target;
    const { accessToken, phoneNumberId, businessAccountId } = this.state.account;
    if (authorization !== `Bearer ${accessToken}`) throw invalidToken();
    if (path === '/attachments' && method === 'GET') return json(() => this.download(query));
    const [empty, version = '', id = '', edge, ...rest] = path.split('/');
    if (empty !== '' || !/^v\d+\.\d+$/.test(version) || id === '' || rest.length > 0) throw unknownPath(path);
    if (edge === undefined) return this.findMedia(method, id, query);
    const owner = edge === 'message_templates' ? businessAccountId : phoneNumberId;
    if (!['messages', 'media', 'message_templates'].includes(edge)) throw unknownPath(path);
    if (id !== owner) throw unknownObject(method, id);
    if (edge === 'message_templates') return this.findTemplates(target);
    if (method !== 'POST') throw unknownObject(method, id);
    if (edge === 'messages') return json((body) => this.send(body));
    return { takes: 'upload', answer: (upload, strict) => this.upload(upload, strict, query) };
  }

  private findMedia(method: string, id: string, query: URLSearchParams): Endpoint {
    const media = this.state.media.find(id);
    const number = query.get('phone_number_id');
    if (!media) throw unknownObject(method, id);
    if (number !== null && number !== media.owner) {
      throw refusal(100, 'phone_number_id is not the number that uploaded the media');
    }
    if (method === 'GET') return json(() => this.lookUp(media));
    if (method === 'DELETE') return json(() => ({ success: this.state.media.delete(id) }));
    throw unknownObject(method, id);
  }

  private findTemplates({ method, path, query }: GraphTarget): Endpoint {
    const { templates, account } = this.state;
    switch (method) {
      case 'GET':
        return json(() => templatePage(templates.list(), query, `${this.origin()}${path}`));
      case 'POST':
        return json((body) => {
          const { id, status, category } = templates.create(checkTemplate(body));
          return { id, status, category };
        });
      case 'DELETE':
        return json(() => {
          const name = query.get('name');
          if (!name) throw refusal(100, 'name is required');
          templates.remove(name, query.get('hsm_id'));
          return { success: true };
        });
      default:
        throw unknownObject(method, account.businessAccountId);
    }
  }

  private send(body: unknown): GraphAnswer {
    const { account, media, templates, conversations, messages } = this.state;
    const { product, phoneNumberId } = account;
    const call = fieldOfCall(body, product);
    if (call.at('status').isGiven) return this.markRead(call);
    const checked = checkMessage(body, {
      product,
      knowsMedia: (id) => media.find(id)?.owner === phoneNumberId,
      findTemplate: (name, language) => templates.find(name, language),
    });
    const now = this.state.now();
    if (checked.type !== 'template' && !conversations.isOpen(checked.waId, now.getTime())) {
      throw refusal(131047, `${checked.input} has not sent a message within 24 hours: send a template`);
    }
    const message = messages.add(newMessageId(), checked, now);
    const accepted = checked.type === 'template' ? { message_status: 'accepted' } : {};
    return new SendAnswer(message, {
      messaging_product: product,
      contacts: [{ input: checked.input, wa_id: checked.waId }],
      messages: [{ id: message.id, ...accepted }],
    });
  }

  private markRead(call: Field): GraphAnswer {
    call.at('status').oneOf(['read']);
    const messageId = call.at('message_id').text(512);
    if (!this.state.conversations.hasInbound(messageId)) {
      throw refusal(100, `message_id is not a received message: ${messageId}`);
    }
    return { success: true };
  }

  /** The Graph API accepts the parameters of a call in its body or in its query. */
  private upload({ fields: parts, file }: ReceivedUpload, strict: boolean, query: URLSearchParams): GraphAnswer {
    const fields: ReceivedUpload['fields'] = { ...Object.fromEntries(query), ...parts };
    fieldOfCall(fields, this.state.account.product);
    if (!file) throw refusal(100, 'file is required');
    const type = fields['type'] || file.type;
    if (!/^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(type)) throw refusal(100, `type is not a media type: ${type}`);
    if (strict) checkMediaRules({ type, size: file.size });
    return { id: this.state.media.keep(file, type).id };
  }

  private lookUp({ id, type, sha256, size }: StoredMedia): GraphAnswer {
    const link = new URLSearchParams({ ...this.state.media.linkTo(id) });
    return {
      messaging_product: this.state.account.product,
      url: `${this.origin()}/attachments?${link.toString()}`,
      mime_type: type,
      sha256,
      file_size: String(size),
      id,
    };
  }

  private download(query: URLSearchParams): GraphAnswer {
    const mid = query.get('mid') ?? '';
    const ext = query.get('ext') ?? '';
    const hash = query.get('hash') ?? '';
    const media = this.state.media.follow({ mid, ext, hash });
    if (media === 'expired') throw new GraphError(410, 100, 'The link has expired; get a new link for the media.');
    if (!media) throw new GraphError(404, 100, 'The link is not valid.');
    return new FileAnswer(media);
  }
}

function json(answer: (body: unknown) => GraphAnswer): Endpoint {
  return { takes: 'json', answer };
}
