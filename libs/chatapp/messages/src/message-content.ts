/** What the recipient chose: a quick reply of a template, a button, a row of a list, or the result of a flow. */
export interface Reply {
  type: 'button' | 'button_reply' | 'list_reply' | 'nfm_reply';
  /** The id that the sender gave to the button or the row. */
  id: string | null;
  title: string | null;
  /** The payload of a template's button, or the JSON text that a flow returned. */
  payload: string | null;
}

/** The content of a message, the same for all types; `null` where the message has none. */
export interface MessageContent {
  /** The text, the caption, or the title of the reply. */
  text: string | null;
  /** The fields of the provider's media object. */
  media: ({ type: string } & Fields) | null;
  reply: Reply | null;
  location: Fields | null;
  contacts: Fields[] | null;
  reaction: Fields | null;
  order: Fields | null;
}

type Fields = Record<string, unknown>;

const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'];

/**
 * Reads the content of a message from the provider's object (Cloud API, webhooks of the field `messages`). Fields of an unexpected
 * type count as absent.
 */
export function readContent(type: string, payload: Fields | null): MessageContent {
  const part = payload?.[type];
  const content = fieldsOf(part) ?? {};
  const reply = readReply(type, content);
  return {
    text: textOf(content['body']) ?? textOf(content['caption']) ?? (reply ? reply.title : textOf(content['text'])),
    media: MEDIA.includes(type) ? { type, ...content } : null,
    reply,
    location: type === 'location' ? fieldsOf(part) : null,
    contacts: type === 'contacts' && Array.isArray(part) ? part.map(fieldsOf).filter((one) => one !== null) : null,
    reaction: type === 'reaction' ? fieldsOf(part) : null,
    order: type === 'order' ? fieldsOf(part) : null,
  };
}

function readReply(type: string, content: Fields): Reply | null {
  if (type === 'button') {
    return {
      type: 'button',
      id: null,
      title: textOf(content['text']),
      payload: textOf(content['payload']),
    };
  }
  if (type !== 'interactive') return null;
  for (const kind of ['button_reply', 'list_reply'] as const) {
    const chosen = fieldsOf(content[kind]);
    if (chosen) {
      return {
        type: kind,
        id: textOf(chosen['id']),
        title: textOf(chosen['title']),
        payload: null,
      };
    }
  }
  const flow = fieldsOf(content['nfm_reply']);
  if (!flow) return null;
  return {
    type: 'nfm_reply',
    id: textOf(flow['name']),
    title: textOf(flow['body']),
    payload: textOf(flow['response_json']),
  };
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
