import { readHeaderFields, withoutComments, type HeaderFields } from './header-fields';

/** Somebody took a mail for spam, or for none after all (RFC 5965). */
export interface Complaint {
  /** Lower case, such as `abuse`. */
  feedbackType: string;
  /** What may say whose mail it was, as it stands in the report and in the mail that it quotes. */
  original: {
    /** Envelope senders, without brackets. */
    returnPaths: string[];
    messageId: string | null;
    listUnsubscribe: string | null;
  };
}

/** `body`: that of `message/feedback-report`. `quoted`: the fields of the mail, where the report holds it. */
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
