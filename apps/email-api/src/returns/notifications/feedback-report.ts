import { readHeaderFields, withoutComments, type HeaderFields } from './header-fields';

/** An abuse report or its retraction (RFC 5965). */
export interface Complaint {
  /** Lower case, such as `abuse`. */
  feedbackType: string;
  /** Values that may identify the recipient, from the report and from the quoted mail. */
  original: {
    /** Envelope senders, without angle brackets. */
    returnPaths: string[];
    messageId: string | null;
    listUnsubscribe: string | null;
  };
}

/**
 * Parses the body of `message/feedback-report`. `quoted` are the header fields of the quoted mail, if the report
 * contains it.
 */
export function readFeedbackReport(body: string, quoted: HeaderFields | null): Complaint | null {
  const { fields } = readHeaderFields(body.trimStart());
  const feedbackType = withoutComments(fields.get('feedback-type') ?? '').toLowerCase();
  if (feedbackType === '') return null;
  const returnPaths = [fields.get('original-mail-from'), quoted?.get('return-path')].flatMap((value) =>
    value === undefined ? [] : [bareAddress(value)],
  );
  return {
    feedbackType,
    original: {
      returnPaths,
      messageId: quoted?.get('message-id') ?? null,
      listUnsubscribe: quoted?.get('list-unsubscribe') ?? null,
    },
  };
}

function bareAddress(value: string): string {
  return /<([^<>]*)>/.exec(value)?.[1] ?? value.trim();
}
