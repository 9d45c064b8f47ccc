import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FieldError, InlineForm, Message } from '../../api/records';
import { checkAnswers, normalAnswer } from '../../forms/check-answers';
import { prefilled } from '../../forms/field-input';
import type { OutboxEntry } from '../../sending/outbox';
import type { FormState } from '../../state/timeline';
import { useChat } from '../chat-context';
import { FormControl } from './form-control';
import { DoneIcon } from '../icons';

interface Props {
  form: InlineForm;
  formState: FormState;
  submission: OutboxEntry | null;
  /** Whether the conversation accepts submissions. */
  isOpen: boolean;
}

type Answers = Record<string, string>;

/** A form in the conversation; after the submission, its answers. */
export function FormCard({ form, formState, submission, isOpen }: Props): JSX.Element {
  const { ui, session, traits } = useChat();
  const { strings } = ui;
  const id = useId();
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(form.fields.map((field) => [field.key, prefilled(field, traits())])),
  );
  const [errors, setErrors] = useState<FieldError[]>([]);
  const [refusal, setRefusal] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  const isBusy = submission !== null && submission.state !== 'failed';

  useEffect(() => {
    if (refusal === 0) return;
    summary.current?.focus({ preventScroll: true });
    summary.current?.scrollIntoView({ block: 'start' });
  }, [refusal]);

  if (formState.status === 'superseded') {
    return (
      <p class="form-note" dir="auto">
        {strings.superseded}
      </p>
    );
  }
  if (formState.status === 'submitted') return <Summary form={form} notice={formState.notice} answers={answers} />;

  const refuse = (found: FieldError[]) => {
    setErrors(found);
    setRefusal((count) => count + 1);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy || !isOpen) return;
    const normal = Object.fromEntries(
      form.fields.map((field) => [field.key, normalAnswer(field, answers[field.key] ?? '')]),
    );
    setAnswers(normal);
    const found = checkAnswers(form.fields, normal, strings);
    if (found.length > 0) {
      refuse(found);
      return;
    }
    setErrors([]);
    // Empty fields are not sent.
    const given = Object.fromEntries(Object.entries(normal).filter(([, value]) => value !== ''));
    session.submit(form, given, (fields) =>
      refuse(fields.length > 0 ? fields : [{ key: '', message: strings.notAccepted }]),
    );
  };

  return (
    <form class="card form" noValidate onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} dir="auto">
        {form.title}
      </h2>
      {errors.length > 0 && (
        <div class="form-errors" ref={summary} tabIndex={-1} role="group" aria-labelledby={`${id}-errors`}>
          <p id={`${id}-errors`}>{strings.formErrors}</p>
          <ul>
            {errors.map(({ key, message }) => (
              <li>
                <ErrorLink target={`${id}-${key}`} label={labelOf(form, key)} message={message} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {form.fields.map((field) => (
        <FormControl
          key={field.key}
          field={field}
          id={`${id}-${field.key}`}
          value={answers[field.key] ?? ''}
          error={errors.find(({ key }) => key === field.key)?.message ?? null}
          isDisabled={isBusy || !isOpen}
          onChange={(value) => {
            setAnswers((before) => ({ ...before, [field.key]: value }));
            setErrors((before) => before.filter(({ key }) => key !== field.key));
          }}
        />
      ))}
      <button class="primary" type="submit" aria-disabled={isBusy || !isOpen}>
        {isBusy ? busyText(submission, strings) : strings.submit}
      </button>
      {submission?.state === 'failed' && <p class="entry-status is-refused">{strings.endedOnSend}</p>}
    </form>
  );
}

const busyText = ({ state, failures }: OutboxEntry, strings: ReturnType<typeof useChat>['ui']['strings']): string =>
  state === 'sending' ? strings.sending : failures > 0 ? strings.retrying : strings.queued;

const labelOf = (form: InlineForm, key: string): string | null =>
  form.fields.find((field) => field.key === key)?.label ?? null;

function ErrorLink({ target, label, message }: { target: string; label: string | null; message: string }): JSX.Element {
  if (label === null) return <>{message}</>;
  return (
    <button type="button" class="link" onClick={() => document.getElementById(target)?.focus()}>
      <bdi>{label}</bdi>: <bdi>{message}</bdi>
    </button>
  );
}

/** The submitted answers, from the server if it returned them, else from the input. */
function Summary({ form, notice, answers }: { form: InlineForm; notice: Message; answers: Answers }): JSX.Element {
  const { strings } = useChat().ui;
  const given = givenIn(notice) ?? form.fields.map(({ key, label }) => ({ label, value: answers[key] ?? '' }));
  const lines = given.filter(({ value }) => value !== '');
  return (
    <div class="card form-summary">
      <h2 dir="auto">
        <DoneIcon />
        {form.title}
      </h2>
      {lines.length > 0 && (
        <dl>
          {lines.map(({ label, value }) => (
            <div>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {lines.length === 0 && <p class="form-note">{strings.formSent}</p>}
    </div>
  );
}

function givenIn({ metadata }: Message): { label: string; value: string }[] | null {
  const answers = metadata?.['answers'];
  if (!Array.isArray(answers)) return null;
  return answers.map((answer: { label?: unknown; value?: unknown } | null) => ({
    label: String(answer?.label ?? ''),
    value: String(answer?.value ?? ''),
  }));
}
