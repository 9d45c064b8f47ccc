import type { JSX } from 'preact';
import type { FormField } from '../../api/records';
import { inputOf } from '../../forms/field-input';
import { useStrings } from '../chat-context';
import { ExpandIcon } from '../icons';

interface Props {
  field: FormField;
  id: string;
  value: string;
  error: string | null;
  isDisabled: boolean;
  onChange(value: string): void;
}

/** A labelled input for one field, with its error message. */
export function FormControl({ field, id, value, error, isDisabled, onChange }: Props): JSX.Element {
  const strings = useStrings();
  return (
    <div class={`field${error === null ? '' : ' has-error'}`}>
      <label for={id} dir="auto">
        {field.label}
        {!field.required && <span class="optional"> ({strings.formOptional})</span>}
      </label>
      {control({ field, id, value, error, isDisabled, onChange }, strings.choose)}
      {error !== null && (
        <p class="field-error" id={`${id}-error`} dir="auto">
          {error}
        </p>
      )}
    </div>
  );
}

function control({ field, id, value, error, isDisabled, onChange }: Props, choose: string): JSX.Element {
  const input = inputOf(field);
  const common = {
    id,
    name: field.key,
    value,
    disabled: isDisabled,
    required: field.required,
    autocomplete: input.autocomplete,
    'aria-invalid': error !== null,
    'aria-describedby': error === null ? undefined : `${id}-error`,
    onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
  };
  if (input.element === 'textarea') return <textarea {...common} rows={3} dir="auto" />;
  if (input.element === 'select') {
    return (
      <div class="select">
        <select {...common} onChange={common.onInput}>
          <option value="">{choose}</option>
          {(field.options ?? []).map((option) => (
            <option value={option}>{option}</option>
          ))}
        </select>
        <ExpandIcon />
      </div>
    );
  }
  return (
    <input
      {...common}
      // The JSX types cannot express a union of element types.
      type={input.type as 'text'}
      inputMode={input.inputMode}
      dir={input.isProse ? 'auto' : undefined}
      autocapitalize={input.isProse ? undefined : 'off'}
      spellcheck={input.isProse}
    />
  );
}
