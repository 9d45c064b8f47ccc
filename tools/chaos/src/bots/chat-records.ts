/** A message as the runtime's API tells it. */
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

/** The answer to a message or a submission. */
export interface TurnAnswer {
  userMessage: MessageRecord;
  reply: MessageRecord | null;
  /** Of messages. */
  paused?: boolean;
  /** Of submissions. */
  submission?: { id: string; formId: string; conversationId: string };
}

/** Something that a visitor posted to a conversation. */
export interface Post {
  /** Its Idempotency-Key. */
  key: string;
  /** What has a lower one was answered before this was sent; the same: it was under way at the same time. */
  step: number;
  /** 'refused': the conversation was not open; 'abandoned': the visitor did not wait for the answer. */
  outcome: 'answered' | 'refused' | 'abandoned';
  answer: TurnAnswer | null;
  /** Of submissions. */
  email?: string;
}

/** A conversation as its visitor knows it. */
export interface Chat {
  id: string;
  token: string;
  /** Those of `posts` whose step is lower are done. */
  step: number;
  posts: Post[];
  /** What the start was answered with, when it had a message. */
  opening: MessageRecord | null;
  /** Closed or archived by a person: for good. */
  isOver: boolean;
}
