import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Feedback } from '../../api/records';
import { fill } from '../../strings/strings';
import { useChat } from '../chat-context';
import { DoneIcon, StarIcon } from '../icons';

/** From this rating on, the visitor was satisfied, and is not asked what to improve. */
const GOOD_RATING = 4;
const RATINGS = [1, 2, 3, 4, 5] as const;
/** Maximum length that the server accepts. */
const MAX_COMMENT_LENGTH = 2_000;

/** A star rating with an optional comment; the visitor can change it later. */
export function FeedbackForm({ feedback }: { feedback: Feedback | null }): JSX.Element {
  const { ui, session } = useChat();
  const { strings } = ui;
  const id = useId();
  const [isEditing, setEditing] = useState(feedback === null);
  const [rating, setRating] = useState(feedback?.rating ?? 0);
  const [comment, setComment] = useState(feedback?.message ?? '');
  const [sending, setSending] = useState<'no' | 'yes' | 'failed'>('no');
  const question = rating >= GOOD_RATING ? strings.ratePraise : strings.rateComment;
  const thanks = useRef<HTMLParagraphElement>(null);
  const hasSent = useRef(false);

  useEffect(() => {
    if (!isEditing && hasSent.current) thanks.current?.focus();
  }, [isEditing]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (rating === 0 || sending === 'yes') return;
    setSending('yes');
    try {
      await session.rate(rating, comment.trim());
      hasSent.current = true;
      setSending('no');
      setEditing(false);
    } catch {
      setSending('failed');
    }
  };

  if (!isEditing) {
    return (
      <div class="feedback feedback-done">
        <p ref={thanks} tabIndex={-1}>
          <DoneIcon />
          {strings.thanks} <span class="hidden">{fill(strings.rating, { n: rating })}</span>
        </p>
        <button type="button" class="link" onClick={() => setEditing(true)}>
          {strings.change}
        </button>
      </div>
    );
  }
  return (
    <form class="feedback" onSubmit={send}>
      <fieldset>
        <legend>{strings.rateQuestion}</legend>
        <div class="stars">
          {RATINGS.map((value) => (
            <label key={value} class={value <= rating ? 'is-lit' : ''} title={fill(strings.rating, { n: value })}>
              <input
                type="radio"
                name={id}
                value={value}
                checked={rating === value}
                aria-label={fill(strings.rating, { n: value })}
                onChange={() => setRating(value)}
              />
              <StarIcon />
            </label>
          ))}
        </div>
      </fieldset>
      {rating > 0 && (
        <>
          <label class="hidden" for={`${id}-comment`}>
            {question}
          </label>
          <textarea
            id={`${id}-comment`}
            class="comment"
            rows={2}
            dir="auto"
            maxLength={MAX_COMMENT_LENGTH}
            placeholder={question}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <button type="submit" class="primary" aria-disabled={sending === 'yes'}>
            {sending === 'yes' ? strings.sending : strings.sendFeedback}
          </button>
        </>
      )}
      <p class="hint is-error" role="alert">
        {sending === 'failed' && strings.failed}
      </p>
    </form>
  );
}
