/** The records of the bot runtime as they come over the wire. Times are RFC 3339 with `Z`. */
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
  /** With its leading slash. */
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

/** Goes back as it came, with the next message. */
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
  /** `agent` marks what a person of the team wrote. */
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
  /** `bcs_…`: opens this conversation alone, and is told once. */
  conversationToken: string;
  greeting: string;
  shortcuts: Shortcut[];
  forms: InlineForm[];
}

export interface Exchange {
  userMessage: Message;
  reply: Message | null;
  /** A person has taken over: the bot is silent. */
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
