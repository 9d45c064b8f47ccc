/** The records of the bot runtime API. Times are RFC 3339 with `Z`. */
export type ConversationStatus = 'open' | 'ended' | 'closed' | 'archived';

export interface Feedback {
  rating: number;
  message: string | null;
  createdAt?: string;
}

export interface Conversation {
  id: string;
  status: ConversationStatus;
  channel: string;
  feedback?: Feedback | null;
}

export interface Shortcut {
  id: string;
  label: string;
  /** With a leading slash. */
  command: string;
  description?: string | null;
  type?: string;
  displayOrder?: number;
}

export interface FormField {
  key: string;
  label: string;
  type: string;
  required: boolean;
  options?: string[];
}

export interface InlineForm {
  id: string;
  title: string;
  fields: FormField[];
}

/** Sent back unchanged with the next message. */
export interface Action {
  type: string;
  id: string;
  command?: string;
}

export interface QuickReply {
  id: string;
  label: string;
  type: string;
  action: Action;
}

export interface Source {
  title: string;
  url?: string | null;
}

export interface MessageMetadata {
  /** `agent` marks a message of a human agent. */
  author?: string;
  agentName?: string | null;
  sources?: Source[];
  formId?: string;
  [other: string]: unknown;
}

export interface Message {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: MessageMetadata;
  createdAt: string;
  quickReplies?: QuickReply[];
  form?: InlineForm | null;
}

export interface Started {
  conversation: Conversation;
  /** `bcs_…`: grants access to this conversation only. Returned once. */
  conversationToken: string;
  greeting: string;
  shortcuts: Shortcut[];
  forms: InlineForm[];
}

export interface Exchange {
  userMessage: Message;
  reply: Message | null;
  /** An agent has taken over: the bot does not reply. */
  paused: boolean;
}

export interface Submitted {
  submission: { id: string; formId: string; status: string };
  userMessage: Message;
  reply: Message | null;
}

export interface TranscriptPage {
  messages: Message[];
  nextCursor?: string;
}

export interface ClientContext {
  platform: string;
  pageUrl: string;
  referrer: string;
  language: string;
}

export interface FieldError {
  key: string;
  message: string;
}
