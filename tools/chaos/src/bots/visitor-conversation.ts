/** A message as the API of the runtime returns it. */
export interface MessageRecord {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: Record<string, unknown>;
  createdAt: string;
  quickReplies?: { id: string; label: string; action: { type: string; id: string } }[];
  form?: { id: string; title: string } | null;
}

/** The answer to a message or a form submission. */
export interface TurnAnswer {
  userMessage: MessageRecord;
  reply: MessageRecord | null;
  /** Messages only. */
  paused?: boolean;
  /** Submissions only. */
  submission?: { id: string; formId: string; conversationId: string };
}

/** A message or submission that a visitor posted. */
export interface VisitorPost {
  idempotencyKey: string;
  /** Posts of lower steps were answered before this one was sent; posts of the same step were concurrent. */
  step: number;
  /** 'refused': the conversation was not open. 'abandoned': the visitor did not wait for the answer. */
  outcome: 'answered' | 'refused' | 'abandoned';
  answer: TurnAnswer | null;
  /** Submissions only. */
  email?: string;
}

/** A conversation as recorded by its visitor. */
export interface VisitorConversation {
  id: string;
  token: string;
  /** The current step of `posts`. */
  step: number;
  posts: VisitorPost[];
  /** The reply to the message of the start, if it had one. */
  openingReply: MessageRecord | null;
  /** Whether an agent closed or archived the conversation for good. */
  isOver: boolean;
}
