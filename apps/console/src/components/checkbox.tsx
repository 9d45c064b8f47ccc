import { Check } from 'lucide-react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import type { Option } from './select';

export interface CheckboxGroupProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  problem?: string | undefined;
}

/** Some of several options. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { label, options, value, onChange, problem } = props;
  return (
    <AriaCheckboxGroup
      className="field"
      value={[...value]}
      onChange={(chosen) => onChange(options.map((option) => option.value).filter((each) => chosen.includes(each)))}
      isInvalid={problem !== undefined}
    >
      <Label className="field-label">{label}</Label>
      {options.map((option) => (
        <AriaCheckbox key={option.value} value={option.value} className="check">
          <span className="check-box" aria-hidden="true">
            <Check size={12} strokeWidth={3} />
          </span>
          {option.label}
        </AriaCheckbox>
      ))}
      <FieldError className="field-error">{problem}</FieldError>
    </AriaCheckboxGroup>
  );
}
